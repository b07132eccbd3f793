import { join } from "node:path";
import { type Row, type Rows, text, whole } from "../sqlite/rows.ts";
import { removeEditorFiles } from "./editing.ts";
import type { State } from "./state.ts";

/** A form that is being filled in; it survives a lost connection and the end of the program. */
export interface SavedDraft {
  readonly id: string;
  /** The kind of payload (see `forms`): notes, transactions, statements, payment-instructions, supply-points. */
  readonly kind: string;
  readonly profile: string;
  readonly supplier: string;
  /** The account, or null for supply points and for a form for several accounts. */
  readonly account: string | null;
  /** The typed texts, as the tree of the form; JSON. */
  readonly value: unknown;
  /** Query options of the request (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, boolean>>;
  /** Fields can be missing that the interface does not call required: the user has said so. */
  readonly allowMissing?: true;
  /** The entry of the journal that it was filled with; absent for one that began empty. */
  readonly fromEntry?: number;
  /** The time of the save, in epoch milliseconds: no two versions of a draft have the same. */
  readonly updatedAt: number;
  /** The refusals of the service, shown at their fields; one with an empty path is above the form. */
  readonly refusals: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
  }[];
  /** The journal entry it was last sent as; gone as soon as something else is typed. */
  readonly sentAs?: number;
  /** The text of an editor that the form did not take, until the user decides about it. */
  readonly edited?: string;
  /** The field that `edited` is the text of; without it, it is the whole payload as JSON. */
  readonly editedField?: readonly (string | number)[];
}

/** The drafts of this user. Reading throws a settings error `corrupt`, changing `unwritable`. */
export interface SavedDrafts {
  /** The drafts of a profile, the latest first. */
  list(profile: string): readonly SavedDraft[];
  find(id: string): SavedDraft | null;
  /**
   * Saves a draft with the time, and returns it as it is stored. If another console saved it since it
   * was read, that version becomes a separate draft.
   */
  save(draft: SavedDraft): { readonly draft: SavedDraft; readonly isOtherSeparated: boolean };
  /**
   * Removes a draft, with what editors left for it. If `seen` is given and another console saved it
   * since, that version becomes a separate draft.
   */
  remove(id: string, seen?: SavedDraft): void;
  /** The folder of what editors left, also before it is made. */
  readonly folder: string;
}

export function newDraftId(): string {
  return crypto.randomUUID();
}

export function openDrafts(state: State, now: () => number): SavedDrafts {
  const folder = join(state.folder, "drafts");
  /** Gives a version that was not seen another id; returns true if there was one. */
  const separate = (rows: Rows, { id, updatedAt }: SavedDraft): boolean => {
    // What is in memory alone is this console's.
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

/** Stores a draft in the place of an earlier version. */
export function insertDraft(rows: Rows, { id, profile, updatedAt, ...value }: SavedDraft): void {
  const stored = { id, profile, updated_at: updatedAt, value: JSON.stringify(value) };
  rows.replace("draft", stored);
}

/** A row that cannot be understood, because the disk damaged it, is left out and left alone. */
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
 * Discards what was sent as this entry, now that the entry is settled: it must not come back as if it
 * were new. A text from the editor that waits beside it keeps its draft. Throws a settings error
 * `unwritable`.
 */
export function discardSent(drafts: SavedDrafts, profile: string, journalId: number): void {
  for (const draft of drafts.list(profile)) {
    const { id, sentAs, edited } = draft;
    if (sentAs === journalId && edited === undefined) drafts.remove(id, draft);
  }
}
