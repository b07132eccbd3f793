/**
 * Promise: whatever another user managed to plant in the folders of the settings and of the journal,
 * nothing is written through it, nothing hangs on it, and the file is named.
 */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openDrafts } from "../../src/state/drafts.ts";
import { openWatched } from "../../src/watch/record.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { stateIn } from "../helpers/state.ts";

const victimText = "not the program's\n";

type Plant = (path: string, victim: string) => void;
const plants: Readonly<Record<string, Plant>> = {
  "a link to a file": (path, victim) => symlinkSync(victim, path),
  "a link to nothing": (path, victim) => symlinkSync(`${victim}-to-be`, path),
  "a pipe": (path) => execFileSync("mkfifo", ["-m", "600", path]),
  "a folder": (path) => mkdirSync(path, { mode: 0o700 }),
  "a second name of a file": (path, victim) => linkSync(victim, path),
};

async function desk() {
  // A second name of a file is possible in the same file system only.
  const folders = await openFolders({ ownCache: true });
  const sandbox = await openSandbox();
  const victim = join(folders.home, "victim");
  writeFileSync(victim, victimText, { mode: 0o600 });
  for (const folder of [folders.config, folders.state]) mkdirSync(folder, { mode: 0o700 });
  const run = (args: readonly string[], env: Record<string, string> = sandbox.env) =>
    runCommand(args, { folders, env, input: sandbox.apiKey });
  return { folders, sandbox, victim, run };
}

const note = ["notes", "create", "ACME", "EXT-0000001", "--body", "hello"];

interface Target {
  readonly file: string;
  readonly folder: "config" | "state";
  /** The command that uses the file. */
  readonly act: (at: Awaited<ReturnType<typeof desk>>) => Promise<{
    readonly code: number | null;
    readonly stderr: string;
  }>;
}

const setUp = async ({ run, sandbox }: Awaited<ReturnType<typeof desk>>) => {
  const added = await run(["profiles", "add", "p", "--base-url", sandbox.baseUrl], {});
  if (added.code !== 0) return added;
  return run(["login", "--profile", "p", "--api-key-stdin", "--save-key"], {});
};

const targets: readonly Target[] = [
  ...["profiles.json", "credentials.json", "settings.lock", "credentials.json.before"].map(
    (file): Target => ({ file, folder: "config", act: setUp }),
  ),
  ...["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite-journal"].map(
    (file): Target => ({ file, folder: "state", act: ({ run }) => run(note) }),
  ),
];

/** A journal that exists, so that what stands beside it is taken for its own. */
const journalKept = async ({ run }: Awaited<ReturnType<typeof desk>>) => {
  expect(await run(note)).toMatchObject({ code: 0 });
};

describe.each(Object.entries(plants))("%s", (_what, plant) => {
  test.each(targets.map((target) => [`${target.folder}/${target.file}`, target] as const))(
    "in the place of %s",
    async (_name, { folder, file, act }) => {
      const at = await desk();
      const path = join(at.folders[folder], file);
      if (folder === "state" && file !== "journal.sqlite") await journalKept(at);
      rmSync(path, { force: true });
      plant(path, at.victim);
      const ended = await act(at);
      expect(readFileSync(at.victim, "utf8")).toBe(victimText);
      expect(statSync(at.victim).mode & 0o777).toBe(0o600);
      expect(existsSync(`${at.victim}-to-be`)).toBe(false);
      // Either it could do without the file, or it says which one is in its way.
      if (ended.code !== 0) expect(ended.stderr).toContain(at.folders[folder]);
      expect(ended.code).not.toBeNull();
    },
  );
});

describe("folders", () => {
  const kinds = [
    ["config", ["profiles", "add", "p", "--base-url", "https://host.example"]],
    ["state", note],
  ] as const;

  test.each(kinds)("%s that other users can read or write is refused", async (name, args) => {
    const { folders, run } = await desk();
    for (const mode of [0o750, 0o755, 0o777, 0o1777]) {
      chmodSync(folders[name], mode);
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/open to other/);
      expect(stderr).toContain("chmod 700");
    }
    expect(readdirSync(folders[name])).toEqual([]);
  });

  test.each(kinds)(
    "%s that is a link to a folder open to others is not used",
    async (name, args) => {
      const { folders, run } = await desk();
      const open = join(folders.home, "open");
      mkdirSync(open);
      chmodSync(open, 0o777);
      rmdirSync(folders[name]);
      symlinkSync(open, folders[name]);
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain(folders[name]);
      expect(readdirSync(open)).toEqual([]);
    },
  );

  test.runIf(process.getuid?.() === 0).each(kinds)(
    "%s that belongs to another user is not used",
    async (name, args) => {
      const { folders, run } = await desk();
      chownSync(folders[name], 65_534, 65_534);
      const { code, stderr } = await run(args);
      expect(code).toBe(2);
      expect(stderr).toContain("belongs to another user");
      expect(readdirSync(folders[name])).toEqual([]);
    },
  );

  test.each(kinds)("%s that is a pipe or a file is not used", async (name, args) => {
    const { folders, run } = await desk();
    rmdirSync(folders[name]);
    execFileSync("mkfifo", ["-m", "600", folders[name]]);
    for (const kind of ["pipe", "file"]) {
      const ended = await run(args);
      expect({ kind, code: ended.code }).toEqual({ kind, code: expect.any(Number) });
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain(folders[name]);
      rmSync(folders[name]);
      writeFileSync(folders[name], "");
    }
  });
});

describe("drafts and the watch list", () => {
  test.each(Object.entries(plants))(
    "%s in their place is not read or written",
    async (_what, plant) => {
      const { folders, victim } = await desk();
      const drafts = join(folders.state, "drafts");
      mkdirSync(drafts, { mode: 0o700 });
      plant(join(drafts, "d1.json"), victim);
      plant(join(folders.state, "watch.json"), victim);
      const opened = openDrafts(await stateIn(folders.state), () => 0);
      expect(opened.find("d1")).toBeNull();
      expect(opened.ofProfile("p")).toEqual([]);
      const state = await stateIn(folders.state);
      const watch = openWatched(state, { profile: "p", service: "s" });
      expect(watch.read()).toEqual([]);
      expect(readFileSync(victim, "utf8")).toBe(victimText);
      expect(existsSync(`${victim}-to-be`)).toBe(false);
    },
  );
});

describe("the results of a run, which may lie where others can write", () => {
  test.each(["a link to a file", "a link to nothing", "a pipe"])(
    "%s put in their place meanwhile is not written through, and is reported",
    async (what) => {
      const { folders, victim, run } = await desk();
      const rows = "import_supplier,external_account_number,body\nACME,EXT-0000001,hello\n";
      writeFileSync(join(folders.home, "notes.csv"), rows);
      const { stderr } = await run(["bulk", "run", "notes", "--from", "notes.csv", "--yes"]);
      const [, id = ""] = /^run (\w+)$/m.exec(stderr) ?? [];
      const path = join(folders.home, "notes.results.csv");
      rmSync(path);
      plants[what]?.(path, victim);
      const report = await run(["bulk", "report", id]);
      expect(report.stderr).toContain("notes.results.csv is unchanged: it is not a file");
      expect(readFileSync(victim, "utf8")).toBe(victimText);
      expect(existsSync(`${victim}-to-be`)).toBe(false);
    },
  );
});

describe("a file that is named to be written", () => {
  test.each(["a link to a file", "a link to nothing", "a pipe", "a second name of a file"])(
    "%s in its place is never written through",
    async (what) => {
      const { folders, victim, run } = await desk();
      plants[what]?.(join(folders.home, "out.jsonl"), victim);
      const { code, stderr } = await run(["activity", "export", "--output", "out.jsonl"]);
      expect(code).not.toBe(0);
      expect(stderr).toContain("out.jsonl");
      expect(readFileSync(victim, "utf8")).toBe(victimText);
      expect(existsSync(`${victim}-to-be`)).toBe(false);
    },
  );
});
