/**
 * Stores the code that V8 has compiled of the chunks, so that the next start is faster. There is a
 * folder for each build and each Node, and in it a file for each chunk. The code is taken after the
 * run, so that it contains the functions that were called. Node's own cache is taken before the run
 * and contains none of them.
 *
 * A file is the CRC-32 of the code (4 bytes, little-endian) and the code. Without the CRC-32, V8
 * would run damaged code.
 */
import type { Script } from "node:vm";

/**
 * The compiled code of the chunks. It reads the code of earlier runs and stores the code of this
 * run.
 */
export interface CompiledCode {
  /** Returns the code of a chunk from earlier runs, or null if there is none or it is damaged. */
  readonly of: (name: string) => Buffer | null;
  /** Records a chunk's script before it is run. */
  readonly note: (name: string, script: Script) => void;
  /**
   * Stores the code of each chunk that had none. Other events run between two chunks. Never
   * rejects, because the next start without the files is only slower.
   */
  readonly save: (run?: Run) => Promise<void>;
}

/** The run whose code is to be stored. */
interface Run {
  /**
   * True if the run failed. It might then lack functions that the next run calls, so nothing is
   * stored. Default: false.
   */
  readonly failed?: boolean;
  /**
   * True if the run might have called many more functions than earlier runs. Chunks with more code
   * are then stored again. Default: false.
   */
  readonly long?: boolean;
}

/** A store that contains nothing and stores nothing. */
export const noCompiledCode: CompiledCode = {
  of: () => null,
  note: () => {},
  save: async () => {},
};

/** Code that has grown by a smaller factor is not written again. */
const worthwhile = 1.1;

/** Number of builds that are not removed: this one, and others that might still be in use. */
const buildsToKeep = 3;

const checksumBytes = 4;

/** Opens the compiled code of one build, in a folder that no other user can write to. */
export function openCompiledCode(folder: string, build: string): CompiledCode {
  const path = `${folder}/${build}`;
  /** Number of bytes of the stored code, by chunk. */
  const sizes = new Map<string, number>();
  const scripts = new Map<string, Script>();
  return {
    of(name) {
      const code = readCode(`${path}/${name}`);
      if (code !== null) sizes.set(name, code.length);
      return code;
    },
    note(name, script) {
      scripts.set(name, script);
      // V8 refuses code for other flags and for a text of another length. It accepts code for
      // another text of the same length, so each build has a separate folder.
      if (script.cachedDataRejected === true) sizes.delete(name);
    },
    async save({ failed = false, long = false } = {}) {
      const wanted = failed ? [] : [...scripts].filter(([name]) => long || !sizes.has(name));
      let isFirst = true;
      for (const [name, script] of wanted) {
        const code = script.createCachedData();
        if (code.length > (sizes.get(name) ?? 0) * worthwhile) {
          if (isFirst) removeOlderBuilds(folder, build);
          isFirst = false;
          if (!writeCode(path, name, code)) return;
          sizes.set(name, code.length);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/**
 * Returns the stored code of a chunk, or null if there is none, if it is damaged, or if another
 * user might have written it. The folder might have been replaced after its check.
 */
function readCode(path: string): Buffer | null {
  const { closeSync, constants, fstatSync, openSync, readFileSync } =
    process.getBuiltinModule("node:fs");
  try {
    const opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = fstatSync(opened);
      if (!found.isFile() || !isWrittenByUserAlone(found)) return null;
      const file = readFileSync(opened);
      const code = file.subarray(checksumBytes);
      return checksumOf(code) === file.readUInt32LE(0) ? code : null;
    } finally {
      closeSync(opened);
    }
  } catch {
    return null;
  }
}

/**
 * Writes a temporary file and renames it, so that another program reads the old file or the
 * complete new one. Returns false if that fails.
 */
function writeCode(folder: string, name: string, code: Buffer): boolean {
  // Loading Node's promises for files takes longer than this write.
  const { mkdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const next = `${folder}/${name}.${process.pid}`;
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(checksumOf(code));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(next, Buffer.concat([checksum, code]), { mode: 0o600, flag: "wx" });
      renameSync(next, `${folder}/${name}`);
    } finally {
      rmSync(next, { force: true });
    }
    return true;
  } catch {
    // The next run tries again.
    return false;
  }
}

/** Removes the other builds, except the newest ones. */
function removeOlderBuilds(folder: string, build: string): void {
  const { readdirSync, rmSync, statSync } = process.getBuiltinModule("node:fs");
  try {
    const others = readdirSync(folder).filter((name) => name !== build);
    const found = others.map((name) => {
      const path = `${folder}/${name}`;
      return { path, usedAt: statSync(path).mtimeMs };
    });
    const old = found.sort((one, other) => other.usedAt - one.usedAt).slice(buildsToKeep - 1);
    for (const { path } of old) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another program might be removing them, too.
  }
}

function checksumOf(bytes: Uint8Array): number {
  return process.getBuiltinModule("node:zlib").crc32(bytes);
}

/**
 * Returns the folder for compiled code, or null if there is no safe one. The code is executed, so
 * the user must own the folder, and no other user can have write access.
 */
export function folderOfCompiledCode(
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { HOME, XDG_CACHE_HOME } = env;
  // A relative path would name another folder in each working folder, perhaps one of another user.
  const base = [XDG_CACHE_HOME, `${HOME}/.cache`].find((path) => path?.startsWith("/"));
  if (base === undefined) return null;
  const folder = `${base}/supplyline`;
  const compiled = `${folder}/compiled`;
  if (!ensurePrivate(folder)) return null;
  return ensurePrivate(compiled) || recreateFolder(compiled) ? compiled : null;
}

/** Deletes the folder with anything that others might have put into it, and creates it again. */
function recreateFolder(folder: string): boolean {
  try {
    process.getBuiltinModule("node:fs").rmSync(folder, { recursive: true, force: true });
  } catch {
    return false;
  }
  return ensurePrivate(folder);
}

/**
 * Creates the folder if it is missing. Returns true if the user owns it and no other user can write
 * to it.
 */
function ensurePrivate(folder: string): boolean {
  const { chmodSync, existsSync, lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
  try {
    // Folders are created one by one, because Node's recursive mkdir never returns below /proc.
    for (let end = 0; end < folder.length; ) {
      const next = folder.indexOf("/", end + 1);
      end = next === -1 ? folder.length : next;
      const path = folder.slice(0, end);
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    }
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isWrittenByUserAlone(found)) return false;
    if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the user owns a file or folder and no other user can write to it. */
function isWrittenByUserAlone(found: { readonly uid: number; readonly mode: number }): boolean {
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  return isOwn && (found.mode & 0o022) === 0;
}
