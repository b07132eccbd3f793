/**
 * Stores the compiled code of the chunks, so that the next start is faster. There is a folder for
 * each build and each version of Node, with a file for each chunk. The code is stored after a run,
 * so that it includes the functions that were called. Node's compile cache lacks these functions.
 *
 * A file contains the CRC-32 of the code (4 bytes, little-endian) and the code, because V8 does not
 * detect damaged code.
 */
import type { Script } from "node:vm";

/**
 * The compiled code of the chunks: the code of earlier runs is read, and that of this run stored.
 */
export interface CompiledCode {
  /** Returns the code of a chunk from earlier runs, or null if there is none or it is damaged. */
  readonly codeOf: (name: string) => Buffer | null;
  readonly addScript: (name: string, script: Script) => void;
  /**
   * Stores the code of each chunk that had none, and yields to other events after each. Never
   * rejects, because a start without the files is only slower.
   */
  readonly save: (run?: Run) => Promise<void>;
}

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

export const noCompiledCode: CompiledCode = {
  codeOf: () => null,
  addScript: () => {},
  save: async () => {},
};

const minGrowth = 1.1;

const maxBuilds = 3;

const checksumBytes = 4;

/** Opens the compiled code of one build, in a folder that no other user can write to. */
export function openCompiledCode(folder: string, build: string): CompiledCode {
  const path = `${folder}/${build}`;
  const sizes = new Map<string, number>();
  const scripts = new Map<string, Script>();
  return {
    codeOf(name) {
      const code = readCode(`${path}/${name}`);
      if (code !== null) sizes.set(name, code.length);
      return code;
    },
    addScript(name, script) {
      scripts.set(name, script);
      // V8 rejects code for other flags and for a text of another length.
      if (script.cachedDataRejected === true) sizes.delete(name);
    },
    async save({ failed = false, long = false } = {}) {
      const unsaved = failed ? [] : [...scripts].filter(([name]) => long || !sizes.has(name));
      let isFirst = true;
      for (const [name, script] of unsaved) {
        const code = script.createCachedData();
        if (code.length > (sizes.get(name) ?? 0) * minGrowth) {
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
 * Returns the stored code of a chunk. Returns null if there is none, if the code is damaged, or if
 * another user might have written the file.
 */
function readCode(path: string): Buffer | null {
  const { closeSync, constants, fstatSync, openSync, readFileSync } =
    process.getBuiltinModule("node:fs");
  try {
    const descriptor = openSync(
      path,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || !isWritableByUserOnly(stats)) return null;
      const file = readFileSync(descriptor);
      const code = file.subarray(checksumBytes);
      return checksumOf(code) === file.readUInt32LE(0) ? code : null;
    } finally {
      closeSync(descriptor);
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
  // Synchronous functions, because loading node:fs/promises takes longer than this write.
  const { mkdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const temporary = `${folder}/${name}.${process.pid}`;
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(checksumOf(code));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(temporary, Buffer.concat([checksum, code]), { mode: 0o600, flag: "wx" });
      renameSync(temporary, `${folder}/${name}`);
    } finally {
      rmSync(temporary, { force: true });
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
    const builds = others.map((name) => {
      const path = `${folder}/${name}`;
      return { path, usedAt: statSync(path).mtimeMs };
    });
    const old = builds.sort((a, b) => b.usedAt - a.usedAt).slice(maxBuilds - 1);
    for (const { path } of old) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another supplyline might remove them at the same time.
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
  // A relative path is ignored, because it might name a folder of another user.
  const base = [XDG_CACHE_HOME, `${HOME}/.cache`].find((path) => path?.startsWith("/"));
  if (base === undefined) return null;
  const folder = `${base}/supplyline`;
  const compiled = `${folder}/compiled`;
  if (!ensurePrivate(folder)) return null;
  return ensurePrivate(compiled) || recreateFolder(compiled) ? compiled : null;
}

/** Deletes a folder with all files, which other users might have written, and creates it again. */
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
    // Each folder is created separately, because Node's recursive mkdir never returns below /proc.
    for (let end = 0; end < folder.length; ) {
      const next = folder.indexOf("/", end + 1);
      end = next === -1 ? folder.length : next;
      const path = folder.slice(0, end);
      if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    }
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || !isWritableByUserOnly(stats)) return false;
    if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the user owns a file or folder and no other user can write to it. */
function isWritableByUserOnly(stats: { readonly uid: number; readonly mode: number }): boolean {
  const isOwn = process.getuid === undefined || stats.uid === process.getuid();
  return isOwn && (stats.mode & 0o022) === 0;
}
