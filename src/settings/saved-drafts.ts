import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AppError, isAppError } from "../errors/app-error.ts";
import { makePrivateFolder, readPrivateFile } from "../files/private.ts";
import { isRecord } from "../json/exact.ts";
import { diskWords, writeCodeOf } from "../text/disk-words.ts";
import { removeEditorFiles } from "./editing-folder.ts";

/** A form that is being filled in; it survives a lost connection and the end of the program. */
export interface SavedDraft {
  readonly id: string;
  /** Which payload (see `forms`): notes, transactions, statements, payment-instructions, supply-points. */
  readonly kind: string;
  readonly profile: string;
  readonly supplier: string;
  /** Null for supply points, and for what is composed for several accounts. */
  readonly account: string | null;
  /** What was typed, as the form's own tree of texts; JSON. */
  readonly value: unknown;
  /** Query options of the request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, boolean>>;
  /** Fields can be missing that the interface does not call required: the user has said so. */
  readonly allowMissing?: true;
  /** The entry of the journal that it was filled with; absent for one that began empty. */
  readonly fromEntry?: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
  /** What the service refused in it, shown at the fields: path in the body (empty: above the form), words. */
  readonly refusals: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
  /** The journal entry it was last sent as; gone as soon as something else is typed. */
  readonly sentAs?: number;
  /** What came back from the editor and could not go into the form, until it is said what becomes of it. */
  readonly edited?: string;
  /** The field that `edited` is the text of; without it, it is the whole payload as JSON. */
  readonly editedField?: readonly (string | number)[];
}

/** The drafts in the state folder, one file each, readable by the user alone. */
export interface SavedDrafts {
  /** Of one profile, the latest first. A file that cannot be read is left out and left alone. */
  list(profile: string): readonly SavedDraft[];
  find(id: string): SavedDraft | null;
  /** Written at once and whole; throws a settings error `unwritable`. */
  save(draft: SavedDraft): void;
  /** Removes a draft, with what editors left for it. Throws a settings error `unwritable`. */
  remove(id: string): void;
  /** The folder that they are in, also before it is made. */
  readonly folder: string;
}

/** Ids become file names. */
const idPattern = /^[A-Za-z0-9-]{1,64}$/;

export function newDraftId(): string {
  return crypto.randomUUID();
}

/**
 * The drafts in a state folder, one file each in `drafts/`, for their owner alone (0700 and 0600).
 * `save` stamps the time and replaces the file whole: a reader, and a power cut, see the old text or
 * the new one. The folder is made at the first save.
 */
export function openDrafts(options: {
  readonly stateDir: string;
  readonly now: () => number;
}): SavedDrafts {
  const folder = join(options.stateDir, "drafts");
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const find = (id: string): SavedDraft | null =>
    idPattern.test(id) ? readDraft(fileOf(id), id) : null;
  return {
    folder,
    find,
    list(profile) {
      return namesIn(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => find(name.slice(0, -".json".length)))
        .filter((draft) => draft !== null)
        .filter((draft) => draft.profile === profile)
        .sort((a, b) => b.updatedAt - a.updatedAt);
    },
    save(draft) {
      if (!idPattern.test(draft.id)) {
        throw new AppError("settings", "invalid", `“${draft.id}” cannot be the id of a draft`);
      }
      const kept = { ...draft, updatedAt: options.now() };
      unlessUnwritable(folder, () => {
        makePrivateFolder(options.stateDir);
        makePrivateFolder(folder);
        replaceFile(fileOf(draft.id), `${JSON.stringify(kept)}\n`);
      });
    },
    remove(id) {
      if (!idPattern.test(id)) return;
      unlessUnwritable(folder, () => {
        rmSync(fileOf(id), { force: true });
        removeEditorFiles(folder, id);
      });
    },
  };
}

/**
 * Discards what was sent as this entry, now that the entry is settled: it must not come back as if it
 * were new. A text from the editor that waits beside it keeps its draft. Throws a settings error
 * `unwritable`.
 */
export function discardSent(drafts: SavedDrafts, profile: string, journalId: number): void {
  for (const { id, sentAs, edited } of drafts.list(profile)) {
    if (sentAs === journalId && edited === undefined) drafts.remove(id);
  }
}

function readDraft(path: string, id: string): SavedDraft | null {
  try {
    const text = readPrivateFile(path);
    if (text === null) return null;
    const read: unknown = JSON.parse(text);
    return isDraft(read) && read.id === id ? read : null;
  } catch {
    // The user may still fix it; until then it counts as absent.
    return null;
  }
}

/** By hand: the first frame asks for drafts, and would have to wait for a library of schemas. */
function isDraft(value: unknown): value is SavedDraft {
  return (
    isRecord(value) &&
    ["id", "kind", "profile", "supplier"].every((name) => typeof value[name] === "string") &&
    (value.account === null || typeof value.account === "string") &&
    isRecord(value.query) &&
    Object.values(value.query).every((option) => typeof option === "boolean") &&
    Number.isFinite(value.updatedAt) &&
    (value.fromEntry === undefined || Number.isSafeInteger(value.fromEntry)) &&
    (value.allowMissing === undefined || value.allowMissing === true) &&
    (value.sentAs === undefined || Number.isSafeInteger(value.sentAs)) &&
    (value.edited === undefined || typeof value.edited === "string") &&
    (value.editedField === undefined || isPath(value.editedField)) &&
    Array.isArray(value.refusals) &&
    value.refusals.every(isRefusal)
  );
}

function isRefusal(value: unknown): boolean {
  return isRecord(value) && typeof value.message === "string" && isPath(value.path);
}

function isPath(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((part) => typeof part === "string" || Number.isFinite(part))
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function replaceFile(path: string, text: string): void {
  const next = `${path}.${crypto.randomUUID()}.next`;
  try {
    const file = openSync(next, "wx", 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function unlessUnwritable(folder: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (isAppError(error, "settings") && error.kind !== "exposed") throw error;
    const [why, fix = null] = isAppError(error, "settings")
      ? [error.message, error.facts.fix]
      : [diskWords(writeCodeOf(error, folder))];
    const words = `the draft cannot be saved in ${folder}: ${why}`;
    throw new AppError("settings", "unwritable", words, { fix });
  }
}
