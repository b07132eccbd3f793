/** Finds the reason why a file or a folder cannot be written, and describes that reason. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

const noCode = "unknown";

/**
 * Returns the system's short code of a failed call, for example ENOSPC, or `unknown` without one.
 */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : noCode;
}

/**
 * The code for a folder that the system does not create although the disk is writable, such as one
 * below /proc.
 */
export const noFolder = "ENOFOLDER";

export function diskWords(code: string): string {
  switch (code) {
    case "ENOSPC":
      return "there is no space left on the disk";
    case "EDQUOT":
      return "the disk quota is used up";
    case "EFBIG":
      return "there is no space left for it: the limit on file sizes is reached";
    case "EROFS":
      return "the disk is read-only";
    case "EACCES":
    case "EPERM":
      return "you do not have permission to write there";
    case "ENOTDIR":
    case "EEXIST":
      return "a file is in the place of its folder";
    case "ENOENT":
      return "its folder is missing";
    case noFolder:
      return "no folder can be made there. Set HOME, or SUPPLYLINE_CONFIG_DIR and SUPPLYLINE_STATE_DIR, to another place";
    case noCode:
      return "the system gave no reason";
    default:
      return `the system answered ${code}`;
  }
}

/**
 * Returns the remedy for a folder that cannot be written, or null if `path` exists or cannot be
 * looked up: in another folder, the records that it might have would be missing.
 */
export function otherFolderRemedy(variable: string, path: string): string | null {
  try {
    lstatSync(path);
    return null;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(codeOf(error))
      ? `set ${variable} to a folder that you can write`
      : null;
  }
}

/**
 * Returns the error code that explains why a path could not be created. `mkdir -p` reports ENOENT
 * on a read-only disk, so this checks the nearest existing folder.
 */
export function writeCodeOf(error: unknown, path: string): string {
  const code = codeOf(error);
  return code === "ENOENT" ? (accessCode(nearestFolder(path)) ?? code) : code;
}

/**
 * Returns true if the code means that the disk is full. The remedy for a full disk differs from the
 * remedy for a missing permission.
 */
export function isFull(code: string): boolean {
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}

function accessCode(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearestFolder(parent);
}

/** Creates and removes the first missing folder of a path. Returns null or the error code. */
function probeCreating(folder: string): string | null {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) return probeCreating(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    rmdirSync(folder);
    return null;
  } catch (error) {
    const code = codeOf(error);
    // Another process created the folder, or a file in it, at the same time.
    if (code === "ENOTEMPTY" || (code === "EEXIST" && existsSync(folder))) return null;
    return code === "ENOENT" ? noFolder : code;
  }
}

const probeBytes = 65_536;

/**
 * Writes a small file in a folder and removes it. Returns null if that works, or the error code. If
 * the folder does not exist, the first missing folder is created and removed again.
 */
export function probeWriting(folder: string): string | null {
  if (!existsSync(folder)) return probeCreating(folder);
  const path = join(folder, `.writing-test-${crypto.randomUUID()}`);
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      const bytes = Buffer.alloc(probeBytes);
      let written = 0;
      while (written < bytes.length) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    rmSync(path, { force: true });
  }
}
