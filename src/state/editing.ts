/** Writes texts to private files for the user's editor, and reads the edited files. */
import { lstatSync, mkdtempSync, readdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../files/private.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { codeOf } from "../text/disk-words.ts";

/** The content of the file after the editor has ended. */
type LeftText =
  | { readonly kind: "text"; readonly text: string }
  /** The file is in another encoding than UTF-8. */
  | { readonly kind: "undecodable" }
  | { readonly kind: "missing" }
  /** The path is not a regular file, or the file cannot be read. `what` names it. */
  | { readonly kind: "unusable"; readonly what: string };

/** Maximum bytes of an edited file, far more than a form has. A larger file is not read. */
const largest = 8 * 1024 * 1024;

const payload = "payload";

/** Returns the beginning of the names of a draft's editor folders. */
const prefixOf = (draft: string) => `${draft}.from-editor-`;

/**
 * Creates a private folder among the drafts, with the text in a file of this extension, and returns
 * the file's path. Files that an editor saves beside it are private too.
 */
export function openEditing(
  drafts: string,
  { draft, text, extension }: { draft: string; text: string; extension: string },
): string {
  makePrivateFolder(drafts);
  const folder = mkdtempSync(join(drafts, prefixOf(draft)));
  const file = join(folder, `${payload}.${extension}`);
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return file;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Reads the edited file. It never waits: a pipe or a device in place of the file is not read, and a
 * link is not followed.
 */
export function readEdited(file: string): LeftText {
  const found = readRegularFile(file, largest, { isLinkFollowed: false });
  switch (found.kind) {
    case "read":
      return decoded(found.bytes);
    case "no-file":
      return { kind: "unusable", what: nameOf(found.stats) };
    case "too-large":
      return { kind: "unusable", what: "a file that is too large" };
    case "failed":
      return unread(file, found.error);
  }
}

function unread(file: string, error: unknown): LeftText {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return { kind: "missing" };
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const what =
    stats === undefined || stats.isFile()
      ? `a file that cannot be read (${codeOf(error)})`
      : nameOf(stats);
  return { kind: "unusable", what };
}

/**
 * Decodes UTF-8 strictly, because a replacement character would be sent as if the user had typed
 * it.
 */
function decoded(bytes: Uint8Array): LeftText {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8, with a zero byte beside every letter.
    return text.includes("\0") ? { kind: "undecodable" } : { kind: "text", text };
  } catch {
    return { kind: "undecodable" };
  }
}

function nameOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

/** Returns the paths of a draft's editor files: each file, or its folder if the file is missing. */
export function editorFiles(drafts: string, draft: string): readonly string[] {
  return namesIn(drafts)
    .filter((name) => name.startsWith(prefixOf(draft)))
    .map((name) => {
      const path = join(drafts, name);
      const file = namesIn(path).find((one) => one.startsWith(`${payload}.`));
      return file === undefined ? path : join(path, file);
    });
}

/** Removes the editor files of a draft. */
export function removeEditorFiles(drafts: string, draft: string): void {
  for (const name of namesIn(drafts))
    if (name.startsWith(prefixOf(draft)))
      rmSync(join(drafts, name), { recursive: true, force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
