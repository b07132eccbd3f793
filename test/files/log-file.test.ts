import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openLogFile } from "../../src/files/log-file.ts";
import { hideFromLog, log, logBody } from "../../src/log/log.ts";
import * as fc from "../helpers/fast-check.ts";
import { openFolders } from "../helpers/folders.ts";

const at = Date.UTC(2026, 10, 28, 21, 0, 0);

async function folder(): Promise<string> {
  const folders = await openFolders();
  return folders.home;
}

const open = (path: string, hasBodies = false) =>
  openLogFile({ path, pid: 7, hasBodies, now: () => at });

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const body = (text: string) => ({ event: "body", of: "answer", url: "http://a/", text }) as const;

test("each event is a line of JSON with its time and process, in a file for its owner alone", async () => {
  const path = join(await folder(), "a.log");
  const file = open(path);
  log({ event: "turn", waitedMs: 20, isGranted: true });
  log({ event: "slow-key", ms: 80 });
  expect(file.close()).toBeNull();
  log({ event: "slow-key", ms: 90 });
  const head = { at: "2026-11-28T21:00:00.000Z", pid: 7 };
  expect(linesOf(path)).toEqual([
    { ...head, event: "turn", waited_ms: 20, is_granted: true },
    { ...head, event: "slow-key", ms: 80 },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("an existing log is continued", async () => {
  const path = join(await folder(), "a.log");
  for (const ms of [60, 70]) {
    const file = open(path);
    log({ event: "slow-key", ms });
    file.close();
  }
  expect(linesOf(path).map(({ ms }) => ms)).toEqual([60, 70]);
});

test("the end and a crash are on the disk when they are logged", async () => {
  const path = join(await folder(), "a.log");
  const file = open(path);
  log({ event: "slow-key", ms: 60 });
  log({ event: "crash", stack: "Error at a.ts:1:2" });
  expect(linesOf(path).map(({ event }) => event)).toEqual(["slow-key", "crash"]);
  file.close();
});

test("bodies are logged only if they are asked for", async () => {
  const home = await folder();
  for (const hasBodies of [false, true]) {
    const path = join(home, `${hasBodies}.log`);
    const file = open(path, hasBodies);
    logBody(() => body("EXT-1"));
    file.close();
    expect(readFileSync(path, "utf8").includes("EXT-1")).toBe(hasBodies);
  }
});

test("no known secret is in the log, in whatever text and however often it is escaped", async () => {
  const home = await folder();
  let runs = 0;
  fc.assert(
    fc.property(
      fc.string({ minLength: 8, maxLength: 60, unit: "binary-ascii" }),
      fc.string(),
      fc.string(),
      fc.integer({ min: 0, max: 2 }),
      (secret, before, after, level) => {
        const path = join(home, `${runs++}.log`);
        const file = open(path, true);
        hideFromLog(secret);
        let text = before + secret + after;
        for (let n = 0; n < level; n++) text = JSON.stringify(text);
        logBody(() => body(text));
        file.close();
        const [line] = linesOf(path);
        let read = String(line?.text);
        for (let n = 0; n < level && !read.includes(secret); n++) {
          try {
            read = String(JSON.parse(read));
          } catch {
            break;
          }
        }
        // A part of the secret can also be a part of the texts around it.
        if (!(before + after).includes(secret)) expect(read).not.toContain(secret);
      },
    ),
    { numRuns: 100 },
  );
});

const refused: readonly [string, RegExp, (path: string, home: string) => void][] = [
  ["a link", /symbolic link/, (path, home) => symlinkSync(join(home, "other"), path)],
  [
    "a link to an existing file",
    /symbolic link/,
    (path, home) => {
      writeFileSync(join(home, "other"), "", { mode: 0o600 });
      symlinkSync(join(home, "other"), path);
    },
  ],
  [
    "a file with a second name",
    /hard link/,
    (path, home) => {
      writeFileSync(join(home, "other"), "", { mode: 0o600 });
      linkSync(join(home, "other"), path);
    },
  ],
  [
    "a file that others can read",
    /open to other users/,
    (path) => {
      writeFileSync(path, "");
      chmodSync(path, 0o644);
    },
  ],
  ["a folder", /./, (path) => mkdirSync(path)],
  [
    "a folder where others can replace the file",
    /replace/,
    (_path, home) => chmodSync(home, 0o777),
  ],
];

test.each(refused)("%s is refused as a log and stays unchanged", async (_name, reason, make) => {
  const home = await folder();
  const path = join(home, "a.log");
  make(path, home);
  expect(() => open(path)).toThrow(reason);
  chmodSync(home, 0o700);
  for (const name of ["other", "a.log"]) {
    const stats = statSync(join(home, name), { throwIfNoEntry: false });
    if (stats?.isFile()) expect(stats.size).toBe(0);
  }
});

test("a log in a folder that does not exist is refused with the name of the folder", async () => {
  const home = await folder();
  expect(() => open(join(home, "nope", "a.log"))).toThrow(join(home, "nope"));
});
