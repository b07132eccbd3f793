#!/usr/bin/env node
// The entry, and the only file that touches the process. Whatever Node is there reads it, so it is
// written without anything newer than Node 14, and imports the rest once the version is known.
import module from "node:module";
import type { EndedKind, Io } from "./commands/io.ts";

/** Of the package; the build puts it here. */
declare const programVersion: string;

const needed = "24.15.0";

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `supplyline: it needs Node ${needed} or newer, and this is Node ${process.versions.node}. The single file (supplyline-VERSION-linux-x64.tar.xz, or the .deb) needs no Node; or install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
} else {
  keepCompiledCode();
  await run();
}

function isOlder(version: string, least: string): boolean {
  const found = version.split(".").map(Number);
  const wanted = least.split(".").map(Number);
  const at = wanted.findIndex((part, index) => part !== found[index]);
  return at !== -1 && Number(found[at]) < Number(wanted[at]);
}

/**
 * Node would keep it in a folder that other users can write to, and runs what it finds there. It is
 * kept in a folder of the user's own, or not at all.
 */
function keepCompiledCode(): void {
  const { HOME, XDG_CACHE_HOME, NODE_COMPILE_CACHE } = process.env;
  if (NODE_COMPILE_CACHE) return;
  const base = XDG_CACHE_HOME || (HOME ? `${HOME}/.cache` : "");
  if (!base.startsWith("/")) return;
  const folder = `${base}/supplyline`;
  if (!isOwnAlone(folder)) return;
  // Node makes the folders below as the umask says.
  const umask = process.umask(0o077);
  const compiled = `${folder}/compiled`;
  module.enableCompileCache(compiled);
  process.umask(umask);
  closeToOthers(compiled);
}

/** Folders that an earlier version made may be open to others: this one, and one for each Node. */
function closeToOthers(folder: string): void {
  const { chmodSync, lstatSync, readdirSync } = process.getBuiltinModule("node:fs");
  try {
    for (const path of [folder, ...readdirSync(folder).map((name) => `${folder}/${name}`)]) {
      const found = lstatSync(path);
      if (found.isDirectory() && (found.mode & 0o077) !== 0) chmodSync(path, 0o700);
    }
  } catch {
    // Without a cache commands only start slower.
  }
}

/** Makes the folder where it is missing; others may never have been able to write to it. */
function isOwnAlone(folder: string): boolean {
  // An import would read every property of it, which costs more than all of this.
  const { chmodSync, lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const mine = process.getuid === undefined || found.uid === process.getuid();
    if (!found.isDirectory() || !mine || (found.mode & 0o022) !== 0) return false;
    if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

async function run(): Promise<void> {
  const ending = new AbortController();
  const {
    Ended,
    endingCodes,
    failureOf,
    main,
    places,
    systemClock,
    formatFailure,
    formatStack,
    unwritable,
    wantsJson,
  } = await import("./commands/entry.ts");

  /**
   * Ends what is under way. Writes in flight can settle for a moment, but the program ends within
   * a second: no one sees it any longer.
   */
  const end = (kind: EndedKind) => {
    if (!ending.signal.aborted) ending.abort(new Ended(kind, { settles: true }));
    setTimeout(() => process.exit(endingCodes[kind]), 950).unref();
  };
  /** Stack of Ctrl-C handlers; the newest wins. */
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
  const fault = (thrown: unknown) => {
    // The console gives the terminal back first, or no one could read this message.
    if (!ending.signal.aborted) ending.abort(new Ended("interrupted"));
    process.stderr.write(formatFailure(failureOf(thrown), wantsJson(process.argv.slice(2))));
    if (process.env.SUPPLYLINE_DEBUG === "1" && thrown instanceof Error)
      process.stderr.write(formatStack(thrown));
    process.exit(1);
  };
  process.on("SIGINT", () => (interruptHandlers.at(-1)?.handle ?? interrupt)());
  process.on("SIGTERM", () => end("interrupted"));
  process.on("SIGHUP", () => end("hang-up"));
  // A resize reaches only the foreground job: after a stop the program asks for the size itself.
  process.on("SIGCONT", () => process.kill(process.pid, "SIGWINCH"));
  process.on("uncaughtException", fault);
  process.on("unhandledRejection", fault);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") end("reader-gone");
    else if (error.code === "EIO") end("hang-up");
    else fault(unwritable(error));
  });
  // No one is left to read an error.
  process.stderr.on("error", () => {});

  const io: Io = {
    // Looking at it opens it; most commands never do.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    home: process.env.HOME || homeOfUser(),
    clock: systemClock,
    version: programVersion,
    pid: process.pid,
    nodeVersion: process.version,
    signal: ending.signal,
    onInterrupt,
    onContinued: (listener) => {
      process.on("SIGCONT", listener);
      return () => process.off("SIGCONT", listener);
    },
    killGroup: (group, signal) => {
      try {
        process.kill(-group, signal);
      } catch {
        // It has ended meanwhile.
      }
    },
    openConsole: async (request) => {
      const { runConsole } = await import("./screens/shell/console.tsx");
      let release = () => {};
      return runConsole({
        ...request,
        env: io.env,
        stdin: io.stdin,
        stdout: io.stdout,
        clock: io.clock,
        version: io.version,
        stateDir: places(io.env, io.home).stateDir,
        pid: process.pid,
        end: io.signal,
        killGroup: io.killGroup,
        suspend,
        holdInterrupts: (held) => {
          release();
          release = held ? onInterrupt(() => {}) : () => {};
        },
        openSandbox: async () => (await import("./sandbox/embedded.ts")).startEmbeddedSandbox(),
      });
    },
  };
  const code = await main(process.argv.slice(2), io);
  await Promise.all([written(process.stdout), written(process.stderr)]);
  process.exit(code);
}

/** A container often runs as a user of whom the system knows nothing: its home is then the root folder. */
function homeOfUser(): string {
  try {
    return process.getBuiltinModule("node:os").homedir();
  } catch {
    return "/";
  }
}

/**
 * Stops the whole job, npm and the like included, as Ctrl-Z does; resolves when it goes on. Where no
 * shell could wake it up again the signal has no effect, which the timer finds out.
 */
function suspend(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      clearTimeout(timer);
      process.off("SIGCONT", goOn);
      resolve();
    };
    const timer = setTimeout(goOn, 500);
    process.on("SIGCONT", goOn);
    process.kill(0, "SIGTSTP");
  });
}

/** Resolves when all that was written is out, or cannot get out any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else stream.write("", () => resolve());
  });
}
