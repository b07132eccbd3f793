/**
 * Promise: whatever stands in the place of a file that is read, a pipe, a device, a folder, a link,
 * far too much, or nonsense on purpose, the program says so at once and in words; it never hangs on
 * it, and can always be interrupted.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { type CliResult, startCli, startProcess } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";
import { byHand } from "./files-by-hand.ts";
import { everything, expectHarmlessOutput } from "./harmless.ts";

/** The things that can be at the path of a file. */
const stands: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => execFileSync("mkfifo", ["-m", "600", path]),
  "a folder": (path) => mkdirSync(path, { mode: 0o700 }),
  "a link to a device without end": (path) => symlinkSync("/dev/zero", path),
  "a link to itself": (path) => symlinkSync(path, path),
};

/** Ended by itself, for a reason that it gave. */
function expectRefused(ended: CliResult, words: RegExp | string, code = 2): void {
  expect(ended).toMatchObject({ code, signal: null });
  expect(ended.stderr).toMatch(words);
  expectHarmlessOutput(ended);
}

describe.each(Object.entries(stands))("%s", (what, plant) => {
  // The console reads each of these files as the commands do: one obstacle shows that it goes on.
  const opensConsole = what === "a pipe";

  test("in the place of the keymap: the console opens and says so, and so does doctor", async () => {
    const { folders } = await byHand();
    plant(join(folders.config, "keymap.json"));
    const ended = await runCommand(["--sandbox", "doctor"], { folders });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/warn +keymap +keymap\.json (?:is not a file|cannot be read)/);
    if (!opensConsole) return;
    const terminal = await openConsole(["--sandbox"], { folders });
    await terminal.waitFor(/keymap\.json (?:is not a file|cannot be read)/);
    await terminal.waitFor(/ACME .*\d\.\d +\d/);
    terminal.press("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });

  test("in the place of preferences: refused by name", async () => {
    const { folders } = await byHand();
    plant(join(folders.config, "preferences.json"));
    expectRefused(await runCommand(["profiles", "list"], { folders }), "preferences.json");
  });

  test("in the place of a profile's CA file: named before anything is sent", async () => {
    const { folders, config } = await byHand();
    const caFile = join(folders.home, "ca.pem");
    plant(caFile);
    config("profiles.json", {
      profiles: [{ name: "p", baseUrl: "https://127.0.0.1:9", caFile }],
      current: "p",
    });
    const env = { SUPPLYLINE_TOKEN: "token-12345678" };
    const ended = await runCommand(["accounts", "list", "ACME"], { folders, env });
    expectRefused(ended, /CA file .*ca\.pem (?:is not a file|cannot be read)/);
  });
});

test.each([
  ["a pipe", "a link to a device without end"],
  ["a folder", "a link to itself"],
])("%s in the place of the history, %s of the watch list: done without", async (one, other) => {
  const { folders } = await byHand();
  stands[one]?.(join(folders.state, "history.json"));
  stands[other]?.(join(folders.state, "watch.json"));
  const terminal = await openConsole(["--sandbox"], { folders });
  await terminal.waitFor(/ACME .*\d\.\d +\d/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

const ofNumbers = ["accounts", "status", "ACME", "--from"];
const ofRows = ["bulk", "run", "notes", "--from"];
const readers: readonly (readonly string[])[] = [
  ofNumbers,
  ["notes", "create", "ACME", "E", "--dry-run", "--from"],
  ["supply-points", "validate"],
  ["bulk", "run", "notes", "--dry-run", "--from"],
  ofRows,
];
const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9", SUPPLYLINE_TOKEN: "token-12345678" };

test.each([ofNumbers, ofRows].map((words) => [words.join(" "), words] as const))(
  "%s: a pipe that says nothing is left at Ctrl-C",
  async (_name, words) => {
    const { folders } = await byHand();
    const pipe = join(folders.home, "pipe");
    execFileSync("mkfifo", [pipe]);
    const cli = await startCli([...words, pipe], { folders, env });
    // The shell's writing end opens once the program reads, and stays open until it is closed.
    await using writer = await holdOpen(pipe);
    await writer.opened;
    cli.kill("SIGINT");
    expect(await cli.result).toMatchObject({ code: 130, signal: null });
  },
);

describe.each(readers.map((words) => [words.join(" "), words] as const))("%s", (_name, words) => {
  test("a device is refused", async () => {
    const { folders } = await byHand();
    for (const device of ["/dev/zero", "/dev/null"])
      expectRefused(await runCommand([...words, device], { folders, env }), "it is a device");
  });

  test("a folder is refused", async () => {
    const { folders } = await byHand();
    expectRefused(await runCommand([...words, folders.home], { folders, env }), "it is a folder");
  });
});

test("a shell's <(…) and /dev/stdin are read", async () => {
  const sandbox = await openSandbox();
  const { folders } = await byHand();
  const numbers = join(folders.home, "pipe");
  execFileSync("mkfifo", [numbers]);
  const cli = await startCli(["accounts", "status", "ACME", "--from", numbers, "--json"], {
    folders,
    env: sandbox.env,
  });
  execFileSync("sh", ["-c", `printf 'EXT-0000001\\nEXT-0000002\\n' > "$0"`, numbers]);
  const { code, stdout } = await cli.result;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveLength(2);
});

describe("too much of it", () => {
  test("settings of a hundred megabytes are refused unread, one value of seven is read", async () => {
    const { folders, config } = await byHand();
    config("preferences.json", `{"x":"${"x".repeat(7_000_000)}","y":"${"\\n".repeat(10_000)}"}`);
    expect(await runCommand(["profiles", "list"], { folders })).toMatchObject({ code: 0 });
    config("preferences.json", `{"x":"${"x".repeat(100_000_000)}"}`);
    expectRefused(await runCommand(["profiles", "list"], { folders }), "far too large");
  });

  test.each(["profiles", "preferences", "credentials"])(
    "%s nested a hundred thousand deep is reported, not tripped over",
    async (name) => {
      const { folders, config } = await byHand();
      config(`${name}.json`, `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
      const add = ["profiles", "add", "p", "--base-url", "https://host.example"];
      expectRefused(await runCommand(add, { folders }), /nested deeper than 64 levels/);
    },
  );

  test("a file of more than 256 MB is refused", async () => {
    const { folders } = await byHand();
    const path = join(folders.home, "large");
    execFileSync("truncate", ["-s", "300M", path]);
    expectRefused(await runCommand([...ofNumbers, path], { folders, env }), "larger than 256 MB");
  });

  test("thirty thousand faults on one line are reported before long", async () => {
    const { folders } = await byHand();
    const path = join(folders.home, "notes.json");
    const create = ["notes", "create", "ACME", "E", "--dry-run", "--from", path];
    writeFileSync(path, `[{${Array(30_000).fill('"body":"é😀"').join(",")}}]`);
    expectRefused(await runCommand(create, { folders, env }), /for the second time/);
    writeFileSync(path, `[${Array(30_000).fill('{"body":5}').join(",")}]`);
    const { code, stderr } = await runCommand(create, { folders, env });
    expect(code).toBe(2);
    expect(stderr).toContain("30,000 problems");
  });

  test("a line of a run that names a field thirty thousand times is reported before long", async () => {
    const { folders } = await byHand();
    const path = join(folders.home, "rows.jsonl");
    writeFileSync(path, `{${Array(30_000).fill('"body":"é"').join(",")}}\n`);
    const ended = await runCommand(["bulk", "run", "notes", "--dry-run", "--from", path], {
      folders,
      env,
    });
    expectRefused(ended, /for the second time/);
  });
});

describe("names that a language knows", () => {
  test("__proto__ and constructor in settings are names like any other, and kept", async () => {
    const { folders, config } = await byHand();
    config(
      "profiles.json",
      '{"__proto__":{"current":"evil"},"constructor":{"prototype":{"readOnly":false}},"profiles":[]}',
    );
    config("preferences.json", '{"__proto__":{"pollIntervalMs":1,"accountColumns":5}}');
    const add = ["profiles", "add", "p", "--base-url", "https://host.example", "--read-only"];
    expect(await runCommand(add, { folders })).toMatchObject({ code: 0 });
    const { stdout } = await runCommand(["profiles", "show", "p", "--json"], { folders });
    expect(JSON.parse(stdout)).toMatchObject({ name: "p", read_only: true });
  });

  test("a field named __proto__ or constructor is refused in a payload, and changes nothing", async () => {
    const { folders } = await byHand();
    const path = join(folders.home, "notes.json");
    writeFileSync(path, '[{"body":"x","__proto__":{"is_pinned":true},"constructor":1}]');
    const create = ["notes", "create", "ACME", "E", "--dry-run", "--from", path];
    expectRefused(
      await runCommand(create, { folders, env }),
      /__proto__: This field is not documented/,
    );
  });
});

test("a token that ends beyond the end of dates is a token that does not say", async () => {
  const { folders, config } = await byHand();
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const baseUrl = "http://127.0.0.1:9";
  config("profiles.json", { profiles: [{ name: "p", baseUrl }], current: "p" });
  for (const exp of [8.8e12, -8.8e12, 1e300]) {
    config("credentials.json", { p: { for: baseUrl, token: `${part({})}.${part({ exp })}.c2ln` } });
    const { code, stdout } = await runCommand(["whoami", "--json"], { folders });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ token_cached: true, token_expires_at: null });
  }
});

describe("a journal that was edited by hand", () => {
  const looks = [["list"], ["show", "1"], ["export"]];

  test("times beyond the end of dates and bodies that are none are shown as far as they go", async () => {
    const sandbox = await openSandbox();
    const { folders } = await byHand();
    const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "hello"];
    expect(await runCommand(note, { folders, env: sandbox.env })).toMatchObject({ code: 0 });
    const database = new DatabaseSync(join(folders.state, "journal.sqlite"));
    database.exec("UPDATE intent SET created_at = 9000000000000000, ended_at = -9000000000000000");
    database.exec("UPDATE attempt SET started_at = 9000000000000000");
    database.prepare("UPDATE intent SET body = ?").run(Buffer.from(`{"a": ${everything}~body`));
    database.close();
    for (const words of looks) {
      for (const format of ["table", "json"]) {
        const ended = await runCommand(["activity", ...words, "--format", format], { folders });
        expect(ended.code).toBe(0);
        expectHarmlessOutput(ended);
      }
    }
    const { stdout } = await runCommand(["activity", "show", "1", "--json"], { folders });
    expect(JSON.parse(stdout).body).toContain("~body");
  });

  test.each([
    ["operation", everything],
    ["query", "{"],
    ["query", everything],
    ["looked_up", "[1,"],
  ])(
    "an entry whose %s makes no sense is shown as damaged, and nothing is done with it",
    async (column, value) => {
      const sandbox = await openSandbox();
      const { folders } = await byHand();
      const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "hello"];
      expect(await runCommand(note, { folders, env: sandbox.env })).toMatchObject({ code: 0 });
      const database = new DatabaseSync(join(folders.state, "journal.sqlite"));
      database.prepare(`UPDATE intent SET ${column} = ?`).run(value);
      database.close();
      const shown = await runCommand(["activity", "show", "1"], { folders });
      expect(shown.code).toBe(0);
      expect(shown.stdout).toMatch(new RegExp(`Damaged +${column}: changed since it was written`));
      expectHarmlessOutput(shown);
      const again = await runCommand(["activity", "resend", "1", "--yes"], {
        folders,
        env: sandbox.env,
      });
      expect(again.code).toBe(2);
      expect(again.stderr).toContain(`damaged in the journal (${column}): nothing is done with it`);
      expectHarmlessOutput(again);
      expect(await runCommand(["activity", "list"], { folders })).toMatchObject({ code: 0 });
    },
  );
});

test("folders that vanish under the console: it goes on, says what is not kept, and leaves by its key", async () => {
  const sandbox = await openSandbox();
  const { folders } = await byHand();
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], {
    folders,
    env: sandbox.env,
    cols: 120,
    rows: 40,
  });
  await terminal.waitFor("Observed");
  for (const folder of [folders.config, folders.state]) {
    rmSync(folder, { recursive: true });
    // No folder can be made there again.
    writeFileSync(folder, "");
  }
  await terminal.press("w").until("For this session only");
  await terminal.press("W").until(/EXT-0000001/);
  await terminal.press("P").until("sandbox");
  await terminal.press("esc").untilGone("Profiles");
  await terminal.press("?").until(/Keys on/);
  await terminal.press("esc").untilGone(/Keys on/);
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

/** Opens the writing end of a pipe in a shell, and keeps it open until it is disposed of. */
function holdOpen(pipe: string) {
  const child = startProcess(["sh", "-c", 'exec 3>"$0"; echo open; read -r _', pipe]);
  return {
    opened: child.stdout.waitForLine("open"),
    [Symbol.asyncDispose]: async () => {
      child.endInput();
      await child.result;
    },
  };
}
