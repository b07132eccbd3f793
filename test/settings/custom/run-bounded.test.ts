import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runBounded } from "../../../src/settings/custom/run-bounded.ts";
import {
  killStoppingPrograms,
  stoppingPrograms,
} from "../../../src/settings/custom/stopping-programs.ts";
import { eventually } from "../../helpers/eventually.ts";
import { killGroup } from "../../helpers/kill-group.ts";
import { freshFolder } from "../settings-folder.ts";
import { standIn } from "./programs.ts";

const never = new AbortController().signal;

function run(path: string, args: readonly string[] = [], more: object = {}) {
  return runBounded(path, args, {
    env: { PATH: process.env.PATH },
    input: "",
    signal: never,
    end: never,
    timeoutMs: 60_000,
    maxBytes: 1_000,
    killGroup,
    ...more,
  });
}

/** Returns true if the process exists whose number is in a file. */
function lives(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}

describe("a program of the user's", () => {
  test("gets its arguments as they are, its input, and its outputs are stored", async () => {
    const program = standIn("program", "printf out; printf err >&2; exit 3");
    const words = ["$(id)", "a b", "", "*"];
    const ran = await run(program.path, words, { input: '{"a":1}\n' });
    expect(ran).toEqual({
      kind: "ended",
      code: 3,
      signal: null,
      stdout: "out",
      stderr: "err",
      isCut: false,
    });
    expect(program.calls()).toMatchObject([{ args: words, stdin: '{"a":1}' }]);
  });

  test("that floods its output is ended by the closed pipe, and its beginning is stored", async () => {
    const ran = await run("/usr/bin/env", ["yes"]);
    expect(ran).toMatchObject({ kind: "ended", isCut: true });
    expect(ran.kind === "ended" && ran.stdout).toBe("y\n".repeat(500));
  });

  test("that does not read its input, however long that is, ends well", async () => {
    const ran = await run("/usr/bin/env", ["true"], { input: "x".repeat(1_000_000) });
    expect(ran).toMatchObject({ kind: "ended", code: 0 });
  });

  test("that leaves something running behind it is not waited for", async () => {
    const { root } = freshFolder();
    const pid = join(root, "pid");
    const program = standIn("program", `printf done; sleep 600 & printf %s $! >'${pid}'`);
    expect(await run(program.path)).toMatchObject({ kind: "ended", code: 0, stdout: "done" });
    process.kill(Number(readFileSync(pid, "utf8")));
  });

  test("that takes too long is stopped with all that it started", async () => {
    const { root } = freshFolder();
    const pid = join(root, "pid");
    const program = standIn("program", `sleep 600 & printf %s $! >'${pid}'; wait`);
    // The limit is long enough for the program to have begun; only then it counts.
    const ran = await run(program.path, [], { timeoutMs: 300 });
    expect(ran).toEqual({ kind: "stopped", reason: "late" });
    await eventually(() => !existsSync(pid) || !lives(pid));
  });

  test("that hears no SIGTERM is killed, and at once when the console ends", async () => {
    const { root } = freshFolder();
    const pid = join(root, "pid");
    const body = `trap '' TERM; printf %s $$ >'${pid}'; while :; do sleep 1; done`;
    const program = standIn("program", body);
    const end = new AbortController();
    const running = run(program.path, [], { end: end.signal });
    await eventually(() => existsSync(pid) && lives(pid));
    end.abort();
    expect(await running).toEqual({ kind: "stopped", reason: "canceled" });
    await eventually(() => !lives(pid));
  });

  test("that hears no SIGTERM is killed when this process ends before its time is over", async () => {
    const { root } = freshFolder();
    const pid = join(root, "pid");
    const body = `trap '' TERM; printf %s $$ >'${pid}'; while :; do sleep 1; done`;
    const program = standIn("program", body);
    const stop = new AbortController();
    const running = run(program.path, [], { signal: stop.signal });
    await eventually(() => existsSync(pid) && lives(pid));
    stop.abort();
    expect(await running).toEqual({ kind: "stopped", reason: "canceled" });
    expect(lives(pid)).toBe(true);
    expect(stoppingPrograms.size).toBe(1);
    killStoppingPrograms();
    await eventually(() => !lives(pid));
    await eventually(() => stoppingPrograms.size === 0);
  });

  test("that is not there, or not executable, is named", async () => {
    expect(await run("/nowhere/ticket")).toEqual({
      kind: "failed",
      words: "/nowhere/ticket was not found",
    });
    expect(await run("/etc/passwd")).toMatchObject({
      words: "/etc/passwd cannot be run: it is not executable (EACCES)",
    });
  });
});
