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
export function isWrittenByUserAlone(found: {
  readonly uid: number;
  readonly mode: number;
}): boolean {
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  return isOwn && (found.mode & 0o022) === 0;
}
