/** Completes typed file paths, as a shell does. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

export interface Completion {
  /** The typed text with the longest start that all possible names have in common. */
  readonly text: string;
  /** The possible names, or none if there is only one. */
  readonly names: readonly string[];
  /** True if there is at least one possible name. */
  readonly isPossible: boolean;
}

export interface Candidate {
  readonly name: string;
  /** Size in bytes, or null for a folder or a file that cannot be read. */
  readonly size: number | null;
  /** Epoch milliseconds of the last change, or null if the file cannot be read. */
  readonly changedAt: number | null;
}

export function describeNames(
  typed: string,
  { names }: Pick<Completion, "names">,
  { home, most }: { readonly home: string | undefined; readonly most: number },
): Promise<readonly Candidate[]> {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  return Promise.all(
    names.slice(0, most).map(async (name) => {
      const stats = await stat(join(expandPath(folder, home), name)).catch(() => null);
      return {
        name,
        size: stats?.isFile() ? stats.size : null,
        changedAt: stats === null ? null : stats.mtimeMs,
      };
    }),
  );
}

export function expandPath(typed: string, home: string | undefined): string {
  return resolve(typed.replace(/^~(?=$|\/)/, home ?? homedir()));
}

/**
 * Completes the last part of a path with the names in its folder. As in a shell, hidden names need a
 * typed dot. A folder that cannot be read has no names.
 */
export async function completePath(typed: string, home: string | undefined): Promise<Completion> {
  if (typed === "~") return { text: "~/", names: [], isPossible: true };
  const slash = typed.lastIndexOf("/");
  const [folder, prefix] = [typed.slice(0, slash + 1), typed.slice(slash + 1)];
  const entries = await entriesOf(expandPath(folder === "" ? "." : folder, home));
  const shown = entries.filter((name) => prefix.startsWith(".") || !name.startsWith("."));
  const completed = completion(prefix, shown);
  return { ...completed, text: folder + completed.text };
}

/** Returns the longest common start of the matching names, and the names if there are several. */
export function completion(prefix: string, all: readonly string[]): Completion {
  const names = all.filter((name) => name.startsWith(prefix)).sort();
  const [first] = names;
  if (first === undefined) return { text: prefix, names: [], isPossible: false };
  const text = names.reduce(commonStart, first);
  return { text, names: names.length > 1 ? names : [], isPossible: true };
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return Promise.all(
    entries.map(async (entry) => ((await isFolder(folder, entry)) ? `${entry.name}/` : entry.name)),
  );
}

async function isFolder(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return readdir(join(folder, entry.name)).then(
    () => true,
    () => false,
  );
}

function commonStart(first: string, second: string): string {
  let end = 0;
  while (end < first.length && first[end] === second[end]) end += 1;
  // The start must not end within a surrogate pair, because half of a pair is no character.
  return first.slice(0, end).isWellFormed() ? first.slice(0, end) : first.slice(0, end - 1);
}

export function stemOf(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name || basename(dirname(path));
}
