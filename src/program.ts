/**
 * Runs the command line in the current process: connects its streams, environment and signals, and
 * sets the exit code.
 */

import {
  crashOf,
  Ended,
  endingCodes,
  exitCode,
  formatFailure,
  formatStack,
  homeFolder,
  killStoppingPrograms,
  log,
  main,
  systemClock,
  unwritable,
  wantsJson,
} from "./commands/entry.ts";
import type { EndedKind, Io } from "./commands/io.ts";
import type { CompiledCode } from "./start/compiled-code.ts";

/** The version of the package. The build inserts it. */
declare const programVersion: string;

export async function run(saveCompiled: CompiledCode["save"]): Promise<void> {
  const ended = new AbortController();
  const runMs = () => Math.round(performance.now());

  /**
   * Ends the running work. The outcomes of sent requests can still arrive for a moment, but the
   * program exits within a second.
   */
  const end = (kind: EndedKind) => {
    if (!ended.signal.aborted) ended.abort(new Ended(kind, { settles: true }));
    setTimeout(() => process.exit(endingCodes[kind]), 950).unref();
  };
  /** The handlers of Ctrl-C. Only the newest one is called. */
  const interruptHandlers: { readonly handle: () => void }[] = [];
  const onInterrupt: Io["onInterrupt"] = (handle) => {
    const handler = { handle };
    interruptHandlers.push(handler);
    return () => {
      const index = interruptHandlers.indexOf(handler);
      if (index !== -1) interruptHandlers.splice(index, 1);
    };
  };
  /** Ends the running work on Ctrl-C, or the process on the second Ctrl-C. */
  const interrupt = () => {
    if (ended.signal.aborted) process.exit(endingCodes.interrupted);
    ended.abort(new Ended("interrupted"));
  };
  const crash = (thrown: unknown): never => {
    // The console restores the terminal, so that this message is readable.
    if (!ended.signal.aborted) ended.abort(new Ended("interrupted"));
    log({ event: "crash", stack: thrown instanceof Error ? formatStack(thrown) : "" });
    process.stderr.write(formatFailure(crashOf(thrown), wantsJson(process.argv.slice(2))));
    if (process.env.SUPPLYLINE_DEBUG === "1" && thrown instanceof Error)
      process.stderr.write(formatStack(thrown));
    process.exit(1);
  };
  process.on("SIGINT", () => (interruptHandlers.at(-1)?.handle ?? interrupt)());
  process.on("SIGTERM", () => end("interrupted"));
  process.on("SIGHUP", () => end("hang-up"));
  // A stopped job misses the signal of a resize, so the program gets one when it continues.
  process.on("SIGCONT", () => process.kill(process.pid, "SIGWINCH"));
  process.on("exit", killStoppingPrograms);
  // Only an exit that does not wait for the command still has a log here.
  process.on("exit", (code) => log({ event: "end", exitCode: code, ms: runMs() }));
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") end("reader-gone");
    else if (error.code === "EIO") end("hang-up");
    else crash(unwritable(error));
  });
  // An error of stderr cannot be reported anywhere.
  process.stderr.on("error", () => {});

  let isConsole = false;
  const io: Io = {
    // Reading this property opens the stream, which most commands do not need.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    home: homeFolder(process.env),
    clock: systemClock,
    version: programVersion,
    pid: process.pid,
    nodeVersion: process.version,
    signal: ended.signal,
    onInterrupt,
    killGroup: (group, signal) => {
      try {
        process.kill(-group, signal);
      } catch {
        // The group has already ended.
      }
    },
    loadLedger: async () => (await import("./writes/team/postgres.ts")).openLedger,
    loadMemory: async () => (await import("./writes/team/postgres.ts")).openMemory,
    openConsole: async (request) => {
      const { runConsole } = await import("./screens/shell/console.tsx");
      isConsole = true;
      reportUndoneResizes(process.stdout);
      let release = () => {};
      const exitCodeOfConsole = runConsole({
        ...request,
        env: io.env,
        home: io.home,
        loadLedger: io.loadLedger,
        loadMemory: io.loadMemory,
        stdin: io.stdin,
        stdout: io.stdout,
        clock: io.clock,
        version: io.version,
        pid: process.pid,
        end: io.signal,
        killGroup: io.killGroup,
        suspend,
        holdInterrupts: (isHeld) => {
          release();
          release = isHeld ? onInterrupt(() => {}) : () => {};
        },
        onLoaded: () => void saveCompiled(),
        openSandbox: async () => (await import("./sandbox/embedded.ts")).startEmbeddedSandbox(),
      });
      return exitCodeOfConsole.catch(crash);
    },
  };
  const code = await main(process.argv.slice(2), io);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // A met condition is a result and not a failure. A check in cron might always end with this code.
  const failed = code !== exitCode.done && code !== exitCode.conditionMet;
  await saveCompiled({ failed, long: isConsole });
  process.exit(code);
}

/**
 * Emits `resize` after a change of the size that was undone before Node read the size. Node does
 * not report such a change, but a multiplexer might have moved lines, so the screen must be drawn
 * again.
 */
function reportUndoneResizes(stdout: NodeJS.WriteStream): void {
  let [columns, rows] = [stdout.columns, stdout.rows];
  process.on("SIGWINCH", () => {
    if (stdout.columns === columns && stdout.rows === rows) stdout.emit("resize");
    [columns, rows] = [stdout.columns, stdout.rows];
  });
}

/**
 * Stops the whole process group as Ctrl-Z does, including a parent such as npm. Resolves when the
 * group continues. If no shell could continue the group, the signal has no effect, and the promise
 * resolves after half a second.
 */
function suspend(): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      clearTimeout(timer);
      process.off("SIGCONT", resume);
      resolve();
    };
    const timer = setTimeout(resume, 500);
    process.on("SIGCONT", resume);
    process.kill(0, "SIGTSTP");
  });
}

/** Resolves when all output is written, or can no longer be written. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    // Even an empty write fails on a full disk, so nothing is written if the buffer is empty.
    // setImmediate lets an earlier error be emitted first.
    else if (stream.writableLength === 0) setImmediate(resolve);
    else stream.write("", () => resolve());
  });
}
