import { type Console, openConsole } from "../../helpers/console.ts";
import { type Folders, openFolders } from "../../helpers/folders.ts";
import { runCli } from "../../helpers/process.ts";
import { openSandbox, type TestSandbox } from "../../helpers/service.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { runPasted, shellEnvironment } from "./pasted.ts";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
  folders = await openFolders();
});

async function copied(terminal: Console, key: string): Promise<string> {
  const before = terminal.copied().length;
  await terminal.press(key).until(() => terminal.copied().length > before, {
    describe: `a copy by ${key}`,
  });
  return terminal.copied().at(-1) ?? "";
}

/** Returns the command of `x` on the open screen, from the clipboard. */
async function asCommand(terminal: Console, key = "x") {
  const screen = await terminal.press(key).until(/As command and curl[\s\S]*Esc close/);
  const command = /y copy command/.test(screen) ? await copied(terminal, "y") : null;
  const curl = /^curl \(put a token/m.test(screen) ? await copied(terminal, "Y") : null;
  await terminal.press("esc").untilGone("As command and curl");
  return { command, curl };
}

async function token(): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/v1/graphql/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: "mutation($k: String!) { obtainToken(input: {APIKey: $k}) { token } }",
      variables: { k: service.apiKey },
    }),
  });
  const { data } = (await answer.json()) as { data: { obtainToken: { token: string } } };
  return data.obtainToken.token;
}

/** A screen's way there, and what the command and the curl given there must bring when pasted. */
interface Stop {
  readonly name: string;
  readonly go: (terminal: Console) => Promise<void>;
  /** Matches what the command prints; it must end well. A console is opened for real. */
  readonly prints: RegExp | "console";
  /** Matches the answer's body; null where no request is behind the screen. */
  readonly answers: RegExp | null;
  /** True if x is a letter of a text there. */
  readonly key?: string;
}

const to = async (terminal: Console, place: string, shows: string | RegExp) => {
  await terminal.palette(place).until(shows);
};

const stops: readonly Stop[] = [
  {
    name: "suppliers, none known",
    go: async (terminal) => {
      await terminal.waitFor("This profile has no suppliers yet");
    },
    prints: "console",
    answers: null,
  },
  {
    name: "suppliers",
    go: async (terminal) => {
      await terminal.press("a").until("Add an import supplier");
      await terminal.send("ACME").until(/Code +ACME/);
      await terminal.press("enter").until(/ACME .*\d\.\d +\d/);
    },
    prints: /EXT-0000001/,
    answers: /"external_account_number": ?"EXT-0000001"/,
  },
  {
    name: "overview",
    go: async (terminal) => {
      await terminal.press("enter").until("of 120 imported");
    },
    prints: /EXT-0000001/,
    answers: /"external_account_number": ?"EXT-0000001"/,
  },
  {
    name: "accounts, filtered",
    go: async (terminal) => {
      await terminal.press("enter").until("1 of 120");
      await terminal.press("/").until("keep filter");
      await terminal.send("EXT-0000001 !it's !--x").until(/\b1 of \d+ match/);
      await terminal.press("enter").untilGone("keep filter");
    },
    prints: /^[^\n]*\n?.*EXT-0000001/,
    answers: /EXT-0000001/,
  },
  {
    name: "account",
    go: (terminal) => to(terminal, "ACME/EXT%2F0000016", "COMPLETED"),
    prints: /COMPLETED/,
    answers: /"status": ?"COMPLETED"/,
  },
  {
    name: "supply point",
    go: (terminal) => to(terminal, "sp ACME/SP-PROCESSED", "✓ PROCESSED"),
    prints: /PROCESSED/,
    answers: /"status": ?"PROCESSED"/,
  },
  {
    name: "watch list, empty",
    go: async (terminal) => {
      await terminal.press("W").until(/^Watch /);
    },
    prints: "console",
    answers: null,
  },
  {
    name: "watch list",
    go: async (terminal) => {
      await to(terminal, "ACME/EXT-0000001", "COMPLETED");
      await terminal.press("w").until("Watching EXT-0000001");
      await terminal.press("W").until(/ACME[ /]+EXT-0000001 .*COMPLETED/);
    },
    prints: /COMPLETED/,
    answers: /"status": ?"COMPLETED"/,
  },
  {
    name: "a note that is being typed",
    key: "ctrl-x",
    go: async (terminal) => {
      await to(terminal, "ACME/EXT-0000001", "COMPLETED");
      await terminal.press("n").until("Note 1");
      await terminal.press("ctrl-x").until("1 problem to correct first, marked !");
      await terminal.send('half of it\'s 100% "done" $HOME `x`').until("`x`");
      expect(terminal.screen().at(-1)).toContain("Ctrl-X command");
    },
    prints: /NOTE_CREATION_SUCCESS|created/,
    answers: /NOTE_ALREADY_EXISTS/,
  },
  {
    name: "review of a note",
    go: async (terminal) => {
      terminal.press("ctrl-u");
      await terminal.send('it\'s 100% "done" $HOME `x`').until(/Body +it's.*`x`/);
      await terminal.press("page-down", "enter").until("s send now");
    },
    prints: /NOTE_CREATION_SUCCESS|created/,
    answers: /NOTE_ALREADY_EXISTS/,
  },
  {
    name: "result of a note",
    go: async (terminal) => {
      await terminal.press("s").until(/already exists|NOTE_ALREADY_EXISTS/);
    },
    prints: /NOTE_ALREADY_EXISTS|already exists/,
    answers: /NOTE_ALREADY_EXISTS/,
  },
  {
    name: "activity of an account",
    go: async (terminal) => {
      await terminal.press("enter").until(/Accounts › EXT-0000001/);
      await terminal.press("A").until(/^Activity/);
      await terminal.waitFor(/\d of \d+ {2}none unknown/);
    },
    prints: /EXT-0000001/,
    answers: null,
  },
  {
    name: "one write",
    go: async (terminal) => {
      await terminal.press("enter").until(/Activity › Entry \d+/);
      await terminal.waitFor("NOTE_ALREADY_EXISTS");
    },
    prints: /notes create/,
    answers: /NOTE_ALREADY_EXISTS/,
  },
  {
    name: "runs, none yet",
    go: async (terminal) => {
      await terminal.press("L").until("No bulk run yet");
    },
    prints: /^/,
    answers: null,
  },
  {
    name: "review for marked accounts",
    go: async (terminal) => {
      await to(terminal, "ACME", "of 120 imported");
      await terminal.press("enter").until(/\b1 of \d+ match/);
      await terminal.press("space").until("1 marked");
      await terminal.press("B").until("Compose for 1 marked account");
      await terminal.press("enter").until("Notes for 1 marked account of ACME");
      await terminal.send("for {external_account_number}").until("→ for EXT-0000001");
      await terminal.press("page-down", "enter").until(/s sends (it|them)/);
    },
    prints: /confirmed +1/,
    answers: /NOTE_ALREADY_EXISTS/,
  },
  {
    name: "a run",
    go: async (terminal) => {
      await terminal.press("s").until(/Send 1 note to 1 account of ACME, on \S+ \(test, [^)]+\)\?/);
      await terminal.press("y").until("1 already existed");
    },
    prints: /1/,
    answers: null,
  },
  {
    name: "runs",
    go: async (terminal) => {
      await terminal.press("L").until(/notes .*1\/1 .*finished/);
    },
    prints: /1/,
    answers: null,
  },
  {
    name: "profiles",
    go: async (terminal) => {
      await terminal.press("P").until("embedded, on this machine");
    },
    prints: /Environment/,
    answers: null,
  },
];

test.each([
  ["a profile made from the environment", false],
  ["a stored profile", true],
])(
  "x on every screen gives a command and a curl that work when pasted, with %s",
  async (_name, stored) => {
    const args: string[] = [];
    await runCli(["profiles", "add", "other", "--base-url", "http://127.0.0.1:9"], { folders });
    if (stored) {
      await runCli(
        ["profiles", "add", "mine", "--base-url", service.baseUrl, "--environment", "test"],
        { folders },
      );
      const { code } = await runCli(
        ["login", "--api-key-stdin", "--save-key", "--profile", "mine"],
        { folders, input: `${service.apiKey}\n` },
      );
      expect(code).toBe(0);
      args.push("--profile", "mine");
    }
    const shell = await shellEnvironment(folders, stored ? {} : service.env);
    const withToken = { ...shell, SUPPLYLINE_TOKEN: await token() };
    const terminal = await openConsole(args, {
      folders,
      cols: 160,
      rows: 40,
      env: stored ? {} : service.env,
    });
    for (const stop of stops) {
      await stop.go(terminal);
      const { command, curl } = await asCommand(terminal, stop.key);
      expect(command, stop.name).not.toBeNull();
      if (stop.prints === "console") {
        await using opened = await openTerminal("/bin/sh", ["-c", command ?? ""], { env: shell });
        await opened.waitFor("q quit");
        opened.press("q");
        expect(await opened.exit, stop.name).toMatchObject({ code: 0 });
      } else {
        const ran = await runPasted(command ?? "", shell, folders.home);
        expect(ran, `${stop.name}: ${command}`).toMatchObject({ code: 0 });
        expect(ran.stdout, `${stop.name}: ${command}`).toMatch(stop.prints);
      }
      expect(curl !== null, stop.name).toBe(stop.answers !== null);
      if (stop.answers !== null) {
        expect(curl, stop.name).not.toContain(service.apiKey);
        const ran = await runPasted(curl ?? "", withToken, folders.home);
        expect(ran, `${stop.name}: ${curl}`).toMatchObject({ code: 0 });
        expect(ran.stdout, `${stop.name}: ${curl}`).toMatch(stop.answers);
      }
    }
  },
);

test("x before anything is set up gives the command that opens the sandbox", async () => {
  const shell = await shellEnvironment(folders);
  const terminal = await openConsole([], { folders, cols: 120 });
  await terminal.waitFor("Connect to a service");
  const { command } = await asCommand(terminal);
  const opened = await openTerminal("/bin/sh", ["-c", command ?? ""], { env: shell });
  await opened.waitFor(/ACME .*\d\.\d +\d/);
  opened.press("q");
  expect(await opened.exit).toMatchObject({ code: 0 });
});

test.each([
  { cols: 200, rows: 50 },
  { cols: 80, rows: 24 },
  { cols: 60, rows: 15 },
])("a long command is read from its first line to its last, at $cols×$rows", async (size) => {
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], {
    ...size,
    env: service.env,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Note 1");
  const text = "Called the customer back about the meter in the cellar";
  await terminal.send(text).until("in the cellar");
  const first = await terminal.press("ctrl-x").until(/^ ?As command and curl$/m);
  expect(first).toContain("printf %s");
  await terminal.press("end").until("curl keeps no journal and resends nothing.");
  expect(terminal.text().replace(/\s+/g, "")).toContain("/v1/data-import/notes/create/");
  expect(terminal.text()).toMatch(/^ ?As command and curl$/m);
});
