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
  main,
  systemClock,
  unwritable,
  wantsJson,
} from "./commands/entry.ts";
import type { EndedKind, Io } from "./commands/io.ts";
import type { CompiledCode } from "./start/compiled-code.ts";

/** The version of the package, which the build inserts. */
declare const programVersion: string;

/** Executes the command line of the process and ends it. */
export async function run(saveCompiled: CompiledCode["save"]): Promise<void> {
  const ending = new AbortController();

  /**
   * Ends the running work. Writes in flight have a moment to settle, but the program exits within a
   * second.
   */
  const end = (kind: EndedKind) => {
    if (!ending.signal.aborted) ending.abort(new Ended(kind, { settles: true }));
    setTimeout(() => process.exit(endingCodes[kind]), 950).unref();
  };
  /** Handlers of Ctrl-C. Only the newest one is called. */
  const interruptHandlers: { readonly handle: () => void }[] = [];
  const onInterrupt: Io["onInterrupt"] = (handle) => {
    const one = { handle };
    interruptHandlers.push(one);
    return () => {
      const at = interruptHandlers.indexOf(one);
      if (at !== -1) interruptHandlers.splice(at, 1);
    };
  };
  const interrupt = () => {
    if (ending.signal.aborted) process.exit(endingCodes.interrupted);
    ending.abort(new Ended("interrupted"));
  };
  const fault = (thrown: unknown): never => {
    // The console releases the terminal first. Otherwise this message would not be readable.
    if (!ending.signal.aborted) ending.abort(new Ended("interrupted"));
    process.stderr.write(formatFailure(crashOf(thrown), wantsJson(process.argv.slice(2))));
    if (process.env.SUPPLYLINE_DEBUG === "1" && thrown instanceof Error)
      process.stderr.write(formatStack(thrown));
    process.exit(1);
  };
  process.on("SIGINT", () => (interruptHandlers.at(-1)?.handle ?? interrupt)());
  process.on("SIGTERM", () => end("interrupted"));
  process.on("SIGHUP", () => end("hang-up"));
  // A stopped job gets no signal of a resize, so the program reads the size when it continues.
  process.on("SIGCONT", () => process.kill(process.pid, "SIGWINCH"));
  process.on("uncaughtException", fault);
  process.on("unhandledRejection", fault);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") end("reader-gone");
    else if (error.code === "EIO") end("hang-up");
    else fault(unwritable(error));
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
    signal: ending.signal,
    onInterrupt,
    killGroup: (group, signal) => {
      try {
        process.kill(-group, signal);
      } catch {
        // The group has already ended.
      }
    },
    openConsole: async (request) => {
      const { runConsole } = await import("./screens/shell/console.tsx");
      isConsole = true;
      reportUndoneResizes(process.stdout);
      let release = () => {};
      const left = runConsole({
        ...request,
        env: io.env,
        stdin: io.stdin,
        stdout: io.stdout,
        clock: io.clock,
        version: io.version,
        pid: process.pid,
        end: io.signal,
        killGroup: io.killGroup,
        suspend,
        holdInterrupts: (held) => {
          release();
          release = held ? onInterrupt(() => {}) : () => {};
        },
        onLoaded: () => void saveCompiled(),
        openSandbox: async () => (await import("./sandbox/embedded.ts")).startEmbeddedSandbox(),
      });
      return left.catch(fault);
    },
  };
  const code = await main(process.argv.slice(2), io);
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // A met condition is a result, not a failure: a check in cron might always end with it.
  const failed = code !== exitCode.done && code !== exitCode.conditionMet;
  await saveCompiled({ failed, long: isConsole });
  process.exit(code);
}

/**
 * Emits `resize` for a change of the size that was undone before Node read the size. Node does not
 * report it, but a multiplexer might have moved lines, so the screen must be drawn again.
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
 * group continues. If no shell could continue it, the signal has no effect, and the timer resolves
 * instead.
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
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    // A full disk refuses even an empty write, so there is none if the buffer is empty. An earlier
    // error is emitted in this turn of the event loop.
    else if (stream.writableLength === 0) setImmediate(resolve);
    else stream.write("", () => resolve());
  });
}
