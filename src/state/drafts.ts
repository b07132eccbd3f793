/**
 * Saves the drafts of forms in the state file, and their texts for the user's editor in private
 * files beside the state file. An edited text that no form can use remains in its file, so that the
 * user can fix the text.
 */

import { lstatSync, mkdtempSync, readdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serviceKey } from "../api/url.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { adHocName } from "../settings/sandbox-profile.ts";
import type { Profile } from "../settings/schemas.ts";
import { maybeText, type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { codeOf } from "../text/disk-words.ts";
import type { State } from "./state.ts";

/** A form that the user is filling in. It survives a lost connection and the program's end. */
export interface SavedDraft {
  readonly id: string;
  /** The kind of payload: notes, transactions, statements, payment-instructions, supply-points. */
  readonly kind: string;
  readonly profile: string;
  /**
   * The service that the form is for ({@link draftService}). Null if it is not known, because
   * version 0.3.0 saved the draft.
   */
  readonly service: string | null;
  readonly supplier: string;
  /** The account, or null for supply points and for a form for several accounts. */
  readonly account: string | null;
  readonly value: unknown;
  /** Query options of the request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, boolean>>;
  /** True if the user allows missing fields that the interface does not call required. */
  readonly allowMissing?: boolean | undefined;
  /** The ID of the journal entry whose payload filled the form, absent if it began empty. */
  readonly fromEntry?: number;
  /** The epoch milliseconds of the save. Each version of a draft has a different time. */
  readonly updatedAt: number;
  /**
   * The issues of the service with the sent form. Each is shown at its field, or above the form if
   * its path is empty.
   */
  readonly refusals: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
  /** The ID of the journal entry as which the form was last sent. A change removes it. */
  readonly sentAs?: number | undefined;
  /** The text from an editor that does not fit the form, until the user decides about it. */
  readonly edited?: string | undefined;
  /** The path of the field that `edited` belongs to. Absent for the whole payload as JSON. */
  readonly editedField?: readonly (string | number)[] | undefined;
}

/** This user's drafts. Reading throws a settings error `corrupt`, changing `unwritable`. */
export interface SavedDrafts {
  /**
   * Returns the drafts of a profile at a service, the latest first. A draft without a known service
   * is included for a stored profile, which has one service, but not for the profile of the
   * environment, which has any.
   */
  list(owner: Pick<Profile, "name" | "baseUrl">): readonly SavedDraft[];
  ofProfile(profile: string): readonly SavedDraft[];
  find(id: string): SavedDraft | null;
  /**
   * Saves a draft with the current time, and returns the stored draft. If another console saved the
   * draft after it was read, that version becomes a separate draft.
   */
  save(draft: SavedDraft): { readonly draft: SavedDraft; readonly isOtherSeparated: boolean };
  /**
   * Removes a draft and its editor files. If another console saved a later version than
   * `lastRead`, that version becomes a separate draft.
   */
  remove(id: string, lastRead?: SavedDraft): void;
  /** The folder of the editor files. It might not exist yet. */
  readonly folder: string;
}

/** Returns the service of the drafts of a profile. All embedded sandboxes are one service. */
export function draftService({ baseUrl }: Pick<Profile, "baseUrl">): string {
  return baseUrl === null ? "embedded" : serviceKey(baseUrl);
}

export function newDraftId(): string {
  return crypto.randomUUID();
}

export function openDrafts(state: State, now: () => number): SavedDrafts {
  const folder = join(state.folder, "drafts");
  /** Gives another console's version of a draft a new ID. Returns true if there was one. */
  const separateOthers = (rows: Rows, { id, updatedAt }: SavedDraft): boolean => {
    // Drafts that are only in memory belong to this console.
    if (state.problem !== null) return false;
    const others = "id = ? AND updated_at <> ?";
    return rows.update("draft", { id: newDraftId() }, others, id, updatedAt) > 0;
  };
  const ofProfile = (profile: string) =>
    state.read((rows) => {
      const sql = "SELECT * FROM draft WHERE profile = ? ORDER BY updated_at DESC, rowid DESC";
      return draftsIn(rows.all(sql, profile));
    });
  return {
    folder,
    find: (id) =>
      state.read((rows) => draftsIn(rows.all("SELECT * FROM draft WHERE id = ?", id)))[0] ?? null,
    list: (owner) =>
      ofProfile(owner.name).filter(({ service }) =>
        service === null ? owner.name !== adHocName : service === draftService(owner),
      ),
    ofProfile,
    save(draft) {
      const saved = { ...draft, updatedAt: Math.max(now(), draft.updatedAt + 1) };
      const isOtherSeparated = state.commit((rows) => {
        const isSeparated = separateOthers(rows, draft);
        insertDraft(rows, saved);
        return isSeparated;
      });
      return { draft: saved, isOtherSeparated };
    },
    remove(id, lastRead) {
      state.commit((rows) => {
        if (lastRead !== undefined) separateOthers(rows, lastRead);
        rows.run("DELETE FROM draft WHERE id = ?", id);
      });
      removeEditorFiles(folder, id);
    },
  };
}

function insertDraft(rows: Rows, { id, profile, service, updatedAt, ...value }: SavedDraft): void {
  const stored = { id, profile, service, updated_at: updatedAt, value: JSON.stringify(value) };
  rows.replace("draft", stored);
}

/** Returns the drafts of the rows. A damaged row is skipped, but not deleted. */
function draftsIn(rows: readonly Row[]): readonly SavedDraft[] {
  return rows.flatMap((row) => {
    try {
      const value: Omit<SavedDraft, "id" | "profile" | "service" | "updatedAt"> = JSON.parse(
        text(row, "value"),
      );
      const [id, profile] = [text(row, "id"), text(row, "profile")];
      const service = maybeText(row, "service");
      return [{ ...value, id, profile, service, updatedAt: whole(row, "updated_at") }];
    } catch {
      return [];
    }
  });
}

/**
 * Discards the drafts that were sent as this settled entry, so that they are not offered as new
 * forms. A draft with a text from an editor is not discarded. Throws a settings error `unwritable`.
 */
export function discardSent(drafts: SavedDrafts, profile: string, journalId: number): void {
  for (const draft of drafts.ofProfile(profile)) {
    const { id, sentAs, edited } = draft;
    if (sentAs === journalId && edited === undefined) drafts.remove(id, draft);
  }
}

type EditedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "undecodable" }
  | { readonly kind: "missing" }
  /** The path is not a regular file, or the file cannot be read. `description` is for users. */
  | { readonly kind: "unusable"; readonly description: string };

/** Maximum size of an edited file in bytes. No form has so much text. */
const maxBytes = 8 * 1024 * 1024;

const payload = "payload";

const prefixOf = (draft: string) => `${draft}.from-editor-`;

/**
 * Creates a private folder in the folder of the drafts, with the text in a file of this extension.
 * Returns the path of the file. Other files that an editor saves in the folder are also private.
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

/** Reads the edited file without waiting. A pipe, device or link in its place is not read. */
export function readEdited(file: string): EditedText {
  const result = readRegularFile(file, maxBytes, { isLinkFollowed: false });
  switch (result.kind) {
    case "read":
      return decoded(result.bytes);
    case "no-file":
      return { kind: "unusable", description: nameOf(result.stats) };
    case "too-large":
      return { kind: "unusable", description: "a file that is too large" };
    case "failed":
      return readFailure(file, result.error);
  }
}

function readFailure(file: string, error: unknown): EditedText {
  if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return { kind: "missing" };
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const description =
    stats === undefined || stats.isFile()
      ? `a file that cannot be read (${codeOf(error)})`
      : nameOf(stats);
  return { kind: "unusable", description };
}

/** Decodes UTF-8 strictly, because a replacement character would be sent as if typed. */
function decoded(bytes: Uint8Array): EditedText {
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

export function editorFiles(drafts: string, draft: string): readonly string[] {
  return namesIn(drafts)
    .filter((name) => name.startsWith(prefixOf(draft)))
    .map((name) => {
      const path = join(drafts, name);
      const file = namesIn(path).find((entry) => entry.startsWith(`${payload}.`));
      return file === undefined ? path : join(path, file);
    });
}

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
