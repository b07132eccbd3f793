/**
 * What V8 has compiled of the chunks, in one file for each build of the program and each Node. It is
 * taken after the run, so that it holds the functions that were called; Node's own cache is taken before,
 * and holds none of them.
 *
 * The file: the length of the index and its CRC-32 (4 bytes each, little-endian), the index as JSON, and
 * the code of one chunk after another, whose CRC-32 is in the index: V8 itself would run damaged code.
 */
import type { Script } from "node:vm";

/** Compiled code of the chunks: of earlier runs, and of this run for later ones. */
export interface CompiledCode {
  /** Of a chunk from earlier runs; null where there is none, or it is damaged. */
  readonly of: (name: string) => Buffer | null;
  /** Takes note of a chunk's script, before it is run. */
  readonly note: (name: string, script: Script) => void;
  /**
   * Stores what has been compiled, chunk by chunk between other work, if a chunk was loaded for which
   * no earlier run has stored it. Never rejects: without the file the next start is only slower.
   */
  readonly save: (run?: Run) => Promise<void>;
}

/** The run that is to be stored. */
interface Run {
  /** It ended early, and did not call all that the next one will call. */
  readonly failed?: boolean;
  /** It may have called much more than earlier runs: then it is stored, too. */
  readonly long?: boolean;
}

/** Where nothing can be stored. */
export const noCompiledCode: CompiledCode = {
  of: () => null,
  note: () => {},
  save: async () => {},
};

/** The code of a chunk in the file; the offset is from the end of the index. */
interface Piece {
  readonly at: number;
  readonly size: number;
  readonly crc: number;
  /** Only of runs that failed. */
  readonly partial?: true;
}

interface Index {
  /** V8's own number for its version, its flags and the processor. */
  readonly tag: number;
  readonly pieces: Readonly<Record<string, Piece>>;
}

/** A file that is open for reading. */
interface Stored extends Index {
  readonly read: (name: string) => Buffer | null;
  readonly close: () => void;
}

/** How much more code than before is worth another write. */
const worthwhile = 1.1;

/** Files that stay: of this build, and of others that may still be in use. */
const filesToKeep = 3;

/** Bytes before the index. */
const head = 8;

/** Read at once; few indexes are longer. */
const usualIndex = 32_768;

/** Only a damaged file names a longer one, and no memory is taken for it. */
const longestIndex = 1 << 20;

/** Opens the compiled code in a file of a folder that no other user can write to. */
export function openCompiledCode(folder: string, file: string): CompiledCode {
  const path = `${folder}/${file}`;
  const stored = openStored(path);
  let tag = 0;
  const scripts = new Map<string, Script>();
  let hasNew = false;
  let hasPartial = false;
  return {
    of: (name) => stored?.read(name) ?? null,
    note(name, script) {
      const isNew = script.cachedDataRejected !== false;
      // V8 has compared it where it took the code; asking for it loads a module of Node's.
      if (scripts.size === 0) tag = isNew || stored === null ? versionTag() : stored.tag;
      scripts.set(name, script);
      if (isNew) hasNew = true;
      else if (stored?.pieces[name]?.partial) hasPartial = true;
    },
    async save({ failed = false, long = false } = {}) {
      const isNew = hasNew || (hasPartial && !failed);
      // The next start refuses code of a process that has changed V8's flags.
      if ((!isNew && !long) || versionTag() !== tag) return;
      hasNew = false;
      const next = `${path}.${process.pid}`;
      // Node's promises for files take longer to load than this to write.
      const { closeSync, openSync, renameSync, rmSync, writevSync } =
        process.getBuiltinModule("node:fs");
      try {
        // First of all, so that nothing is made where nothing can be written.
        const file = openSync(next, "wx", 0o600);
        try {
          const code = await codeOf(scripts, failed);
          // Another program may have written the file since.
          const grew = merge(code, openStored(path), tag);
          const bytes = isNew || grew ? fileOf(tag, code) : [];
          const isWhole = writevSync(file, bytes) === sizeOf(bytes);
          // Another program sees the old file or the whole new one.
          if (bytes.length > 0 && isWhole) renameSync(next, path);
        } finally {
          closeSync(file);
          rmSync(next, { force: true });
        }
        removeOlder(folder);
      } catch {
        // The next run tries again.
      }
    },
  };
}

interface Code {
  readonly bytes: Buffer;
  readonly partial: boolean;
}

/** Takes the code of one script after another, with other work between them. */
async function codeOf(
  scripts: ReadonlyMap<string, Script>,
  partial: boolean,
): Promise<Map<string, Code>> {
  const code = new Map<string, Code>();
  for (const [name, script] of [...scripts]) {
    code.set(name, { bytes: script.createCachedData(), partial });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return code;
}

/**
 * Adds what only the file has. Of each chunk the larger code stays: code that is not called for long is
 * dropped from memory. Returns whether much more has been compiled than the file has.
 */
function merge(code: Map<string, Code>, stored: Stored | null, tag: number): boolean {
  let before = 0;
  let after = 0;
  for (const [name, { size, partial = false }] of Object.entries(stored?.pieces ?? {})) {
    const made = code.get(name);
    before += size;
    after += Math.max(size, made?.bytes.length ?? 0);
    if (stored?.tag !== tag) continue;
    const kept = size > (made?.bytes.length ?? 0) ? stored.read(name) : null;
    const bytes = kept ?? made?.bytes;
    if (bytes) code.set(name, { bytes, partial: partial && (made?.partial ?? true) });
  }
  stored?.close();
  return after > before * worthwhile;
}

/** The bytes of a file, in pieces. */
function fileOf(tag: number, code: ReadonlyMap<string, Code>): readonly Buffer[] {
  const pieces: Record<string, Piece> = {};
  let at = 0;
  for (const [name, { bytes, partial }] of code) {
    const piece = { at, size: bytes.length, crc: crcOf(bytes) };
    pieces[name] = partial ? { ...piece, partial } : piece;
    at += bytes.length;
  }
  const index = Buffer.from(JSON.stringify({ tag, pieces } satisfies Index), "latin1");
  const start = Buffer.alloc(head);
  start.writeUInt32LE(index.length, 0);
  start.writeUInt32LE(crcOf(index), 4);
  return [start, index, ...[...code.values()].map(({ bytes }) => bytes)];
}

/** Opens a file of compiled code; null where there is none, or its index is damaged. */
function openStored(path: string): Stored | null {
  const { closeSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  const readAt = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafeSlow(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
  };
  try {
    const start = readAt(0, usualIndex);
    const end = head + start.readUInt32LE(0);
    if (end > longestIndex) throw new Error("damaged");
    const index = (end <= start.length ? start : readAt(0, end)).subarray(head, end);
    if (crcOf(index) !== start.readUInt32LE(4)) throw new Error("damaged");
    const { tag, pieces } = JSON.parse(index.toString("latin1")) as Index;
    return {
      tag,
      pieces,
      read(name) {
        const piece = pieces[name];
        if (piece === undefined) return null;
        const bytes = readAt(end + piece.at, piece.size);
        return crcOf(bytes) === piece.crc ? bytes : null;
      },
      close: () => closeSync(file),
    };
  } catch {
    closeSync(file);
    return null;
  }
}

/** Removes the oldest: of builds that were replaced, and what Node's own cache left here. */
function removeOlder(folder: string): void {
  const { readdirSync, rmSync, statSync } = process.getBuiltinModule("node:fs");
  const paths = readdirSync(folder).map((name) => `${folder}/${name}`);
  const found = paths.map((path) => ({ path, age: -statSync(path).mtimeMs }));
  const old = found.sort((one, other) => one.age - other.age).slice(filesToKeep);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((size, { length }) => size + length, 0);
}

function crcOf(bytes: Uint8Array): number {
  return process.getBuiltinModule("node:zlib").crc32(bytes);
}

function versionTag(): number {
  return process.getBuiltinModule("node:v8").cachedDataVersionTag();
}
