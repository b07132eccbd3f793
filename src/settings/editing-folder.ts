/** A text on its way through an editor: a private folder `editing-*` of the state folder. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { extname, join } from "node:path";
import { isRecord } from "../json/exact.ts";
import { codeOf } from "../text/disk-words.ts";
import { makePrivateFolder, readPrivateFile } from "./private-file.ts";

/** Which text went to the editor; stored beside it, for a process that ends before the editor does. */
export interface EditedText {
  /** The draft it belongs to. */
  readonly draft: string;
  /** The field it is the text of; null when it is the whole payload as JSON. */
  readonly field: readonly (string | number)[] | null;
  /** What the file held before, so that a change is known. */
  readonly before: string;
  /** The process that waits for the editor, in the words of the journal. */
  readonly owner: string;
}

/** What an editor left in place of the file it was given. */
type LeftText =
  | { readonly kind: "text"; readonly text: string }
  /** Bytes that are not UTF-8: another encoding. */
  | { readonly kind: "undecodable" }
  | { readonly kind: "missing" }
  /** Something else than a regular file, or one that cannot be read; `what` names it. */
  | { readonly kind: "unusable"; readonly what: string };

/** Far more than a form holds; a larger file is left where it is. */
const largest = 8 * 1024 * 1024;

const prefix = "editing-";
const payload = "payload";
const about = "about.json";

/** Makes the folder with the text in a file of that extension, and returns the file's path. */
export function openEditing(stateDir: string, text: EditedText, extension: string): string {
  makePrivateFolder(stateDir);
  const folder = mkdtempSync(join(stateDir, prefix));
  try {
    describeEditing(folder, text);
    const file = join(folder, `${payload}.${extension}`);
    writeFileSync(file, text.before, { mode: 0o600, flag: "wx" });
    return file;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Stores which text the folder holds, replacing what was said before. */
export function describeEditing(folder: string, text: EditedText): void {
  const next = join(folder, `${about}.next`);
  rmSync(next, { force: true });
  writeFileSync(next, JSON.stringify(text), { mode: 0o600, flag: "wx" });
  renameSync(next, join(folder, about));
}

/**
 * Reads what the editor left. It never waits: a pipe or a device in place of the file is not read,
 * and a link is not followed.
 */
export function readEdited(file: string): LeftText {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return unopened(file, error);
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) return { kind: "unusable", what: nameOf(stats) };
    if (stats.size > largest) return { kind: "unusable", what: "a file that is too large" };
    return decoded(readFileSync(opened));
  } catch (error) {
    return { kind: "unusable", what: `a file that cannot be read (${codeOf(error)})` };
  } finally {
    closeSync(opened);
  }
}

function unopened(file: string, error: unknown): LeftText {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return { kind: "missing" };
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const what =
    stats === undefined || stats.isFile()
      ? `a file that cannot be read (${codeOf(error)})`
      : nameOf(stats);
  return { kind: "unusable", what };
}

/** Strictly: a replacement character in place of a letter would be sent as if it had been written. */
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

/** The folders that are there, with the path of the text and what is known of it; null: nothing. */
export function editingFolders(
  stateDir: string,
): { readonly folder: string; readonly file: string | null; readonly text: EditedText | null }[] {
  return namesIn(stateDir)
    .filter((name) => name.startsWith(prefix))
    .map((name) => {
      const folder = join(stateDir, name);
      const found = namesIn(folder).find((one) => one.startsWith(`${payload}.`));
      return {
        folder,
        file: found === undefined ? null : join(folder, found),
        text: readAbout(join(folder, about)),
      };
    });
}

function readAbout(path: string): EditedText | null {
  try {
    const value: unknown = JSON.parse(readPrivateFile(path) ?? "null");
    return isEditedText(value) ? value : null;
  } catch {
    return null;
  }
}

function isEditedText(value: unknown): value is EditedText {
  return (
    isRecord(value) &&
    [value.draft, value.before, value.owner].every((one) => typeof one === "string") &&
    (value.field === null || Array.isArray(value.field))
  );
}

/**
 * Moves a file that cannot be used beside the drafts, where it stays, and returns its new path. The
 * name begins with the draft's id. Throws the system's error; the file is then where it was.
 */
export function keepBeside(
  stateDir: string,
  file: string,
  { draft, now }: { readonly draft: string; readonly now: number },
): string {
  const folder = join(stateDir, "drafts");
  makePrivateFolder(folder);
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  const name = /^[A-Za-z0-9-]{1,64}$/.test(draft) ? draft : "unknown";
  const path = join(folder, `${name}${keptMark}${stamp}${extname(file)}`);
  renameSync(file, path);
  return path;
}

const keptMark = ".from-editor-";

/** The files of a draft, or of all of them, that came from an editor and could not be used. */
export function filesBeside(stateDir: string, draft?: string): readonly string[] {
  const folder = join(stateDir, "drafts");
  const mark = draft === undefined ? keptMark : `${draft}${keptMark}`;
  return namesIn(folder)
    .filter((name) => (draft === undefined ? name.includes(mark) : name.startsWith(mark)))
    .map((name) => join(folder, name));
}

/**
 * What editors left before an instant (epoch milliseconds), by the time it was last changed: folders
 * of processes that ended, and files that could not be used. `isInUse` keeps a folder.
 */
export function oldEditorFiles(
  stateDir: string,
  before: number,
  isInUse: (owner: string) => boolean,
): readonly string[] {
  const folders = editingFolders(stateDir)
    .filter(({ text }) => text === null || !isInUse(text.owner))
    .map(({ folder, file }) => ({ path: folder, changed: file ?? folder }));
  const files = filesBeside(stateDir).map((path) => ({ path, changed: path }));
  return [...folders, ...files]
    .filter(({ changed }) => changedAt(changed) < before)
    .map(({ path }) => path);
}

/** When a file was last changed; one that is not there counts as old. */
export function changedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
