/** Saves the drafts of forms in the state file. */
import { join } from "node:path";
import { type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { removeEditorFiles } from "./editing.ts";
import type { State } from "./state.ts";

/**
 * A saved form that is being filled in. It outlasts a lost connection and the end of the program.
 */
export interface SavedDraft {
  readonly id: string;
  /**
   * The kind of payload (see `forms`): notes, transactions, statements, payment-instructions,
   * supply-points.
   */
  readonly kind: string;
  readonly profile: string;
  readonly supplier: string;
  /** The account, or null for supply points and for a form for several accounts. */
  readonly account: string | null;
  /** The typed texts as the tree of the form, in JSON. */
  readonly value: unknown;
  /** Query options of the request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, boolean>>;
  /** True if the user allows fields to be missing that the interface does not call required. */
  readonly allowMissing?: boolean | undefined;
  /**
   * The ID of the journal entry whose payload filled the form, or absent if the form began empty.
   */
  readonly fromEntry?: number;
  /** The epoch milliseconds of the save. Each version of a draft has a different time. */
  readonly updatedAt: number;
  /**
   * The refusals of the service. Each is shown at its field, or above the form if its path is
   * empty.
   */
  readonly refusals: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
  /**
   * The ID of the journal entry that the form was last sent as. A change of the form removes it.
   */
  readonly sentAs?: number | undefined;
  /** The text from an editor that does not fit the form, until the user decides about it. */
  readonly edited?: string | undefined;
  /**
   * The path of the field that `edited` belongs to. If absent, `edited` is the whole payload as
   * JSON.
   */
  readonly editedField?: readonly (string | number)[] | undefined;
}

/**
 * The drafts of this user. Reading throws a settings error `corrupt`, and changing throws
 * `unwritable`.
 */
export interface SavedDrafts {
  /** Returns the drafts of a profile, the latest first. */
  list(profile: string): readonly SavedDraft[];
  find(id: string): SavedDraft | null;
  /**
   * Saves a draft with the current time, and returns the stored draft. If another console saved the
   * draft after it was read, that version becomes a separate draft.
   */
  save(draft: SavedDraft): { readonly draft: SavedDraft; readonly isOtherSeparated: boolean };
  /**
   * Removes a draft and its editor files. If `seen` is given and another console saved a later
   * version, that version becomes a separate draft.
   */
  remove(id: string, seen?: SavedDraft): void;
  /** The folder of the editor files. It might not exist yet. */
  readonly folder: string;
}

export function newDraftId(): string {
  return crypto.randomUUID();
}

export function openDrafts(state: State, now: () => number): SavedDrafts {
  const folder = join(state.folder, "drafts");
  /**
   * Makes a version that was not seen a separate draft with a new ID. Returns true if there was
   * one.
   */
  const separate = (rows: Rows, { id, updatedAt }: SavedDraft): boolean => {
    // Drafts that are only in memory belong to this console.
    if (state.problem !== null) return false;
    const others = "id = ? AND updated_at <> ?";
    return rows.update("draft", { id: newDraftId() }, others, id, updatedAt) > 0;
  };
  return {
    folder,
    find: (id) =>
      state.read((rows) => draftsIn(rows.all("SELECT * FROM draft WHERE id = ?", id)))[0] ?? null,
    list: (profile) =>
      state.read((rows) => {
        const sql = "SELECT * FROM draft WHERE profile = ? ORDER BY updated_at DESC, rowid DESC";
        return draftsIn(rows.all(sql, profile));
      }),
    save(draft) {
      const saved = { ...draft, updatedAt: Math.max(now(), draft.updatedAt + 1) };
      const isOtherSeparated = state.commit((rows) => {
        const isSeparated = separate(rows, draft);
        insertDraft(rows, saved);
        return isSeparated;
      });
      return { draft: saved, isOtherSeparated };
    },
    remove(id, seen) {
      state.commit((rows) => {
        if (seen !== undefined) separate(rows, seen);
        rows.run("DELETE FROM draft WHERE id = ?", id);
      });
      removeEditorFiles(folder, id);
    },
  };
}

/** Stores a draft, and replaces its earlier version. */
export function insertDraft(rows: Rows, { id, profile, updatedAt, ...value }: SavedDraft): void {
  const stored = { id, profile, updated_at: updatedAt, value: JSON.stringify(value) };
  rows.replace("draft", stored);
}

/** Returns the drafts of the rows. A damaged row is skipped, and stays in the file. */
function draftsIn(rows: readonly Row[]): readonly SavedDraft[] {
  return rows.flatMap((row) => {
    try {
      const value: Omit<SavedDraft, "id" | "profile" | "updatedAt"> = JSON.parse(
        text(row, "value"),
      );
      const [id, profile] = [text(row, "id"), text(row, "profile")];
      return [{ ...value, id, profile, updatedAt: whole(row, "updated_at") }];
    } catch {
      return [];
    }
  });
}

/**
 * Discards the drafts that were sent as this settled entry, so that they are not offered as new
 * forms. A draft with a text from an editor stays. Throws a settings error `unwritable`.
 */
export function discardSent(drafts: SavedDrafts, profile: string, journalId: number): void {
  for (const draft of drafts.list(profile)) {
    const { id, sentAs, edited } = draft;
    if (sentAs === journalId && edited === undefined) drafts.remove(id, draft);
  }
}
