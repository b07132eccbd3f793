/** Edits one form: applies each change, and saves the draft soon after it. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../api/clock.ts";
import type { Form } from "../forms/fields.ts";
import type { FormState } from "../forms/form-values.ts";
import { startsWith } from "../forms/places.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import { withExactDates } from "../forms/values-json.ts";
import type { Path } from "../json/exact.ts";
import type { SavedDraft, SavedDrafts } from "../state/drafts.ts";
import { editorFiles } from "../state/editing.ts";
import { collapseNewRows, formStateOf, isPristine, savedValuesOf } from "./draft-form.ts";
import { createStore } from "./store.ts";

/** Milliseconds without a change after which the draft is saved. */
const saveAfterMs = 300;
/**
 * Maximum milliseconds between the first unsaved change and the save, for typing without a pause.
 */
const saveWithinMs = 1_000;

/** A form that is being filled in. */
interface CompositionState {
  readonly typed: FormState;
  readonly refusals: SavedDraft["refusals"];
  /** True if the review was requested, so that missing fields are reported too. */
  readonly tried: boolean;
  /** True if the user allows fields to be missing that the interface does not call required. */
  readonly allowMissing: boolean;
  /** The text of the editor that is saved beside the form, or null if there is none. */
  readonly edited: string | null;
  /** The field that `edited` belongs to, or null if it is the whole payload as JSON. */
  readonly editedField: Path | null;
  /**
   * Epoch milliseconds of the last change of the form. A typed `today` means the day of this time.
   */
  readonly typedAt: number;
  /** The reason why the draft could not be saved, or null if it was saved. */
  readonly saveError: unknown;
  /** Number of versions from other consoles that were saved as separate drafts. */
  readonly separated: number;
  /** True if the draft was sent or discarded. */
  readonly removed: boolean;
}

/** Opens a saved draft for editing. */
export function compose(
  form: Form,
  draft: SavedDraft,
  options: { readonly drafts: SavedDrafts; readonly clock: Clock; readonly timeZone: string },
) {
  const { drafts, clock, timeZone } = options;
  const before = formStateOf(form, draft);
  // `today` means the day on which it was typed.
  const values = withExactDates(form, before.values, { now: draft.updatedAt, timeZone });
  let saved = draft;
  let dirty = false;
  let closed = false;
  let pause = new AbortController();
  let bound: AbortController | null = null;
  const stopWaiting = () => {
    pause.abort();
    bound?.abort();
    bound = null;
  };
  const state = createStore<CompositionState>({
    typed: { ...before, values },
    refusals: draft.refusals,
    tried: false,
    allowMissing: draft.allowMissing === true,
    edited: draft.edited ?? null,
    editedField: draft.editedField ?? null,
    typedAt: clock.now(),
    saveError: null,
    separated: 0,
    removed: false,
  });
  const change = (patch: Partial<CompositionState>) => state.set({ ...state.get(), ...patch });
  const save = (): boolean => {
    stopWaiting();
    const { typed, refusals, edited, editedField, allowMissing } = state.get();
    try {
      const { edited: _, editedField: __, allowMissing: ___, sentAs, ...rest } = saved;
      const written = savedValuesOf(form, typed);
      // A changed form no longer matches the entry that it was sent as.
      const isAsSent = sentAs !== undefined && isDeepStrictEqual(written.value, saved.value);
      const of = editedField === null ? {} : { editedField };
      const next = {
        ...rest,
        ...(edited === null ? {} : { edited, ...of }),
        ...(allowMissing ? { allowMissing } : {}),
        ...(isAsSent ? { sentAs } : {}),
        ...written,
        refusals,
      };
      const { draft: stored, isOtherSeparated } = drafts.save(next);
      saved = stored;
      dirty = false;
      if (isOtherSeparated) change({ separated: state.get().separated + 1 });
      if (state.get().saveError !== null) change({ saveError: null });
      return true;
    } catch (error) {
      change({ saveError: error });
      return false;
    }
  };
  const saveSoon = () => {
    dirty = true;
    pause.abort();
    // An editor that is open when the screen closes can still return a text.
    if (closed) {
      save();
      return;
    }
    pause = new AbortController();
    clock.sleep(saveAfterMs, pause.signal).then(save, () => {});
    if (bound !== null) return;
    bound = new AbortController();
    clock.sleep(saveWithinMs, bound.signal).then(save, () => {});
  };
  return {
    state,
    apply(action: FormAction) {
      const { typed, refusals, removed } = state.get();
      const next = collapseNewRows(form, reduceForm(form, typed, action), action);
      if (next === typed || removed) return;
      const same = next.values === typed.values;
      const settled = same ? refusals : refusalsAfter(refusals, action);
      const { allowMissing } = state.get();
      change({
        typed: next,
        refusals: settled,
        allowMissing: allowMissing && same,
        typedAt: clock.now(),
      });
      saveSoon();
    },
    /** Reports missing fields from now on. */
    try: () => change({ tried: true }),
    /** Allows the form to be sent without its missing fields, until it is changed. */
    allowMissing: () => change({ allowMissing: true }),
    /** Saves a text from the editor beside the form at once, or removes it if `edited` is null. */
    saveEdited(edited: string | null, field: Path | null = null) {
      const now = state.get();
      if (now.removed || (edited === now.edited && isDeepStrictEqual(field, now.editedField)))
        return;
      change({ edited, editedField: field });
      dirty = true;
      save();
    },
    /** Saves the draft now. Returns false if it cannot be saved or was removed. */
    save: () => !state.get().removed && save(),
    /** Saves the draft without its refusals for the review. Returns false if it cannot be saved. */
    ready() {
      change({ refusals: [] });
      return save();
    },
    /** Reads the changes that another screen saved in the draft, for example refusals. */
    reload() {
      if (state.get().removed) return;
      const found = drafts.find(draft.id);
      if (found === null) {
        // A draft that could not be saved exists only in memory.
        if (!dirty && state.get().saveError === null) change({ removed: true });
        return;
      }
      if (dirty) return;
      saved = found;
      const typed = formStateOf(form, found);
      change({
        refusals: found.refusals,
        allowMissing: found.allowMissing === true,
        edited: found.edited ?? null,
        editedField: found.editedField ?? null,
        ...(isDeepStrictEqual(typed, state.get().typed) ? {} : { typed }),
      });
    },
    /** Removes the draft. Throws a settings error `unwritable`, and the draft then still exists. */
    discard() {
      drafts.remove(draft.id, saved);
      stopWaiting();
      dirty = false;
      change({ removed: true });
    },
    /**
     * Saves the latest changes and removes an empty draft. Returns true if a saved draft still
     * exists.
     */
    close(): boolean {
      stopWaiting();
      closed = true;
      if (state.get().removed) return false;
      try {
        const there = drafts.find(draft.id);
        const isOurs = there === null || there.updatedAt === saved.updatedAt;
        const isEmpty =
          isPristine(form, draft, state.get()) && editorFiles(drafts.folder, draft.id).length === 0;
        if (isOurs && isEmpty) {
          drafts.remove(draft.id, saved);
          return false;
        }
        return dirty ? save() : there !== null;
      } catch {
        // The screen is closed, so no one can read a message. The file stays.
        return false;
      }
    },
  };
}

/**
 * A form that is being filled in. Changes are saved after a short pause, or at once when the form
 * closes.
 */
export type Composition = ReturnType<typeof compose>;

/**
 * Returns the refusals without those at the changed place. A change of the rows of a list drops the
 * refusals of all its rows.
 */
function refusalsAfter(
  refusals: SavedDraft["refusals"],
  action: FormAction,
): SavedDraft["refusals"] {
  if (refusals.length === 0) return refusals;
  switch (action.type) {
    case "set":
    case "clear":
      return refusals.filter(({ path }) => path.length === 0 || !touches(path, action.path));
    case "add-row":
    case "duplicate-row":
    case "move-row":
    case "remove-row": {
      const rows = action.type === "add-row" ? action.path : action.path.slice(0, -1);
      return refusals.filter(({ path }) => path.length === 0 || !touches(path, rows));
    }
    case "replace":
      return refusals.filter(({ path }) => path.length === 0);
    default:
      return refusals;
  }
}

function touches(one: Path, other: Path): boolean {
  return startsWith(one, other) || startsWith(other, one);
}
