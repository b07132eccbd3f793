/** Edits the form of a saved draft: applies each change, and saves the draft soon after it. */
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../api/clock.ts";
import type { Form } from "../forms/fields.ts";
import { emptyForm, type FormState, type FormValues, textAt } from "../forms/form-values.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import { startsWith } from "../forms/payload-places.ts";
import { accountPlaceholder } from "../forms/placeholders.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import { readBoolean, restoreForm, withExactDates } from "../forms/values-json.ts";
import type { Path } from "../json/exact.ts";
import type { SavedDraft, SavedDrafts } from "../state/drafts.ts";
import { editorFiles } from "../state/drafts.ts";
import { createStore } from "./store.ts";

const saveAfterMs = 300;
const saveWithinMs = 1_000;

export interface DraftState {
  /** The draft. Its value and its query are those of the last save. */
  readonly saved: SavedDraft;
  readonly typed: FormState;
  readonly reportsMissing: boolean;
  /** Epoch milliseconds of the last change of the form. A typed `today` means its day. */
  readonly typedAt: number;
  readonly saveError: unknown;
  /** The number of versions from other consoles that were saved as separate drafts. */
  readonly separated: number;
  readonly removed: boolean;
}

export function openDraft(
  form: Form,
  draft: SavedDraft,
  options: { readonly drafts: SavedDrafts; readonly clock: Clock; readonly timeZone: string },
) {
  const { drafts, clock, timeZone } = options;
  const { id } = draft;
  const before = formStateOf(form, draft);
  // A typed `today` becomes the day on which the draft was last changed.
  const values = withExactDates(form, before.values, { now: draft.updatedAt, timeZone });
  let hasUnsaved = false;
  let isClosed = false;
  let pause = new AbortController();
  let deadline: AbortController | null = null;
  const stopWaiting = () => {
    pause.abort();
    deadline?.abort();
    deadline = null;
  };
  const state = createStore<DraftState>({
    saved: draft,
    typed: { ...before, values },
    reportsMissing: false,
    typedAt: clock.now(),
    saveError: null,
    separated: 0,
    removed: false,
  });
  const change = (patch: Partial<DraftState>) => state.set({ ...state.get(), ...patch });
  const changeDraft = (patch: Partial<SavedDraft>) =>
    change({ saved: { ...state.get().saved, ...patch } });
  const current = (): SavedDraft => {
    const { saved, typed } = state.get();
    // A changed form no longer matches the entry that it was sent as.
    const sentAs = isDeepStrictEqual(typed, saved.value) ? saved.sentAs : undefined;
    const target = typedTarget(form, saved, typed);
    return { ...saved, ...target, sentAs, value: typed, query: queryOf(form, typed) };
  };
  const save = (): boolean => {
    stopWaiting();
    try {
      const { draft: saved, isOtherSeparated } = drafts.save(current());
      hasUnsaved = false;
      const separated = state.get().separated + (isOtherSeparated ? 1 : 0);
      change({ saved, separated, saveError: null });
      return true;
    } catch (error) {
      change({ saveError: error });
      return false;
    }
  };
  const saveSoon = () => {
    hasUnsaved = true;
    pause.abort();
    // An editor that is open when the screen closes can still return a text.
    if (isClosed) {
      save();
      return;
    }
    pause = new AbortController();
    clock.sleep(saveAfterMs, pause.signal).then(save, () => {});
    if (deadline !== null) return;
    deadline = new AbortController();
    clock.sleep(saveWithinMs, deadline.signal).then(save, () => {});
  };
  const isPristine = () => {
    const { saved, typed } = state.get();
    const { values: empty } = emptyForm(form, targetFields(form, saved));
    const hasMore = saved.refusals.length > 0 || saved.edited !== undefined;
    return !hasMore && isDeepStrictEqual(typed.values, empty);
  };
  return {
    form,
    state,
    current,
    isPristine,
    apply(action: FormAction) {
      const { saved, typed, removed } = state.get();
      const next = reduceForm(form, typed, action);
      if (next === typed || removed) return;
      const refusals = refusalsAfter(saved.refusals, action);
      const changed =
        next.values === typed.values ? saved : { ...saved, refusals, allowMissing: undefined };
      change({ typed: next, saved: changed, typedAt: clock.now() });
      saveSoon();
    },
    reportMissing: () => change({ reportsMissing: true }),
    allowMissing: () => changeDraft({ allowMissing: true }),
    saveEdited(text: string | null, field: Path | null = null) {
      const { saved, removed } = state.get();
      const edited = text ?? undefined;
      const editedField = field ?? undefined;
      const isSaved = edited === saved.edited && isDeepStrictEqual(editedField, saved.editedField);
      if (removed || isSaved) return;
      changeDraft({ edited, editedField });
      hasUnsaved = true;
      save();
    },
    save: () => !state.get().removed && save(),
    /** Saves the draft without its refusals for the review. Returns false if it cannot be saved. */
    saveForReview() {
      changeDraft({ refusals: [] });
      return save();
    },
    reload() {
      const { typed, removed, saveError } = state.get();
      if (removed) return;
      const stored = drafts.find(id);
      if (stored === null) {
        // A draft that could not be saved exists only in memory.
        if (!hasUnsaved && saveError === null) change({ removed: true });
        return;
      }
      if (hasUnsaved) return;
      const read = formStateOf(form, stored);
      change({ saved: stored, typed: isDeepStrictEqual(read, typed) ? typed : read });
    },
    /** Removes the draft. Throws a settings error `unwritable`, and the draft then still exists. */
    discard() {
      drafts.remove(id, state.get().saved);
      stopWaiting();
      hasUnsaved = false;
      change({ removed: true });
    },
    /** Saves the latest changes and removes an empty draft. Returns true if it is still saved. */
    close(): boolean {
      stopWaiting();
      isClosed = true;
      const { saved, removed } = state.get();
      if (removed) return false;
      try {
        const stored = drafts.find(id);
        const isUnchangedElsewhere = stored === null || stored.updatedAt === saved.updatedAt;
        if (isUnchangedElsewhere && isPristine() && editorFiles(drafts.folder, id).length === 0) {
          drafts.remove(id, saved);
          return false;
        }
        return hasUnsaved ? save() : stored !== null;
      } catch {
        // The screen is closed, so no one can read a message. The draft stays.
        return false;
      }
    },
  };
}

/** A saved draft that is edited. Changes are saved after a short pause, or when the form closes. */
export type OpenDraft = ReturnType<typeof openDraft>;

/** Returns the fields of a draft's target. For several accounts, a placeholder is the number. */
export function targetFields(
  form: Form,
  draft: Pick<SavedDraft, "supplier" | "account">,
): FormValues {
  const account = { external_account_number: draft.account ?? accountPlaceholder };
  return { import_supplier: draft.supplier, ...(form.envelope === null ? account : {}) };
}

/**
 * Returns the fields that name the target of a draft and cannot be edited. In a form that is filled
 * from an entry the user can correct the target, so it has none.
 */
export function fixedFields(
  form: Form,
  draft: Pick<SavedDraft, "supplier" | "account" | "fromEntry">,
): FormValues {
  return draft.fromEntry === undefined ? targetFields(form, draft) : {};
}

function typedTarget(
  form: Form,
  { fromEntry }: SavedDraft,
  { values }: FormState,
): Partial<Pick<SavedDraft, "supplier" | "account">> {
  if (fromEntry === undefined) return {};
  const supplier = textAt(values, ["import_supplier"]);
  if (form.envelope !== null) return { supplier };
  return { supplier, account: textAt(values, ["external_account_number"]) };
}

export function formStateOf(form: Form, draft: SavedDraft): FormState {
  const target = fixedFields(form, draft);
  const restored = restoreForm(form, draft.value) ?? emptyForm(form, targetFields(form, draft));
  const query = form.query.flatMap(({ name }): [string, string][] => {
    const chosen = draft.query[name];
    if (chosen !== undefined) return [[name, String(chosen)]];
    // An incomplete text of an option is stored with the values of the body.
    const text = restored.values[name];
    return typeof text === "string" && readBoolean(text) === null ? [[name, text]] : [];
  });
  const names = new Set(form.query.map(({ name }) => name));
  const body = Object.entries(restored.values).filter(([name]) => !names.has(name));
  return {
    ...restored,
    values: { ...Object.fromEntries(body), ...target, ...Object.fromEntries(query) },
  };
}

function queryOf(form: Form, { values }: FormState): SavedDraft["query"] {
  const query = form.query.flatMap(({ name }): [string, boolean][] => {
    const text = values[name];
    const chosen = typeof text === "string" ? readBoolean(text) : null;
    return chosen === null ? [] : [[name, chosen]];
  });
  return Object.fromEntries(query);
}

/**
 * Removes a draft after its form was sent. If a text from the editor is saved with the draft, the
 * draft stays with that text and an empty form.
 */
export function removeSent(drafts: SavedDrafts, draft: SavedDraft): void {
  if (draft.edited === undefined || !isFormKind(draft.kind)) {
    drafts.remove(draft.id, draft);
    return;
  }
  const form = forms[draft.kind];
  const value = emptyForm(form, targetFields(form, draft));
  drafts.save({ ...draft, value, query: {}, refusals: [] });
}

/**
 * Returns the refusals without those at the changed place. A change of the rows of a list drops the
 * refusals of all its rows.
 */
function refusalsAfter(
  refusals: SavedDraft["refusals"],
  action: FormAction,
): SavedDraft["refusals"] {
  const others = (place: Path) =>
    refusals.filter(
      ({ path }) => path.length === 0 || !(startsWith(path, place) || startsWith(place, path)),
    );
  switch (action.type) {
    case "set":
    case "clear":
    case "add-row":
      return others(action.path);
    case "duplicate-row":
    case "move-row":
    case "remove-row":
      return others(action.path.slice(0, -1));
    case "replace":
      return others([]);
    case "fold":
    case "unfold":
      return refusals;
  }
}
