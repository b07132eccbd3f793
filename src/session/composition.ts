import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../api/clock.ts";
import { withExactDates } from "../forms/exact-text.ts";
import type { Form } from "../forms/fields.ts";
import type { FormState } from "../forms/form-values.ts";
import { startsWith } from "../forms/paths.ts";
import { type FormAction, reduceForm } from "../forms/reduce-form.ts";
import type { Path } from "../json/value.ts";
import type { SavedDraft, SavedDrafts } from "../settings/saved-drafts.ts";
import { newDraftId } from "../settings/saved-drafts.ts";
import { isPristine, keptOf, typedOf, withFirstFolds } from "./saved-draft.ts";
import { createStore, type Store } from "./store.ts";

export { typedOf } from "./saved-draft.ts";

/** A pause this long saves the draft, in milliseconds. */
const keepAfterMs = 300;
/** Typing without a pause saves it this long after the first unsaved change, in milliseconds. */
const keepWithinMs = 1_000;

/** A form that is being filled in. */
export interface Composed {
  readonly typed: FormState;
  readonly refusals: SavedDraft["refusals"];
  /** Review was asked for, so what is missing is told as well. */
  readonly tried: boolean;
  /** The user allows fields to be missing that the interface does not call required. */
  readonly allowMissing: boolean;
  /** What came back from the editor and waits outside the form; null when nothing does. */
  readonly edited: string | null;
  /** The field it is the text of; null when it is the whole payload as JSON. */
  readonly editedField: Path | null;
  /** When the last change was made, epoch milliseconds: what `today` counts from. */
  readonly typedAt: number;
  /** Why the draft could not be kept, if it could not. */
  readonly unkept: unknown;
  /** How often another console had changed the draft, so that its version became a separate draft. */
  readonly apart: number;
  /** The draft was sent or thrown away. */
  readonly gone: boolean;
}

/** A draft under the user's hands: every change is kept soon, and at the end at once. */
export interface Composition {
  readonly state: Store<Composed>;
  apply(action: FormAction): void;
  /** Keeps it now, with nothing refused any more, for Review to take up. False when it cannot. */
  ready(): boolean;
  /** Review was asked for. */
  try(): void;
  /** Lets the form as it is now be sent without the fields that are missing; a change ends that. */
  allowMissing(): void;
  /** Saves a text from the editor beside the form at once, or, with null, no longer. */
  putBy(edited: string | null, field?: Path | null): void;
  /** Saves it now. False when it cannot be saved, or the draft is gone. */
  save(): boolean;
  /** Takes up what another screen has written into the draft, for example refusals. */
  reload(): void;
  /** Throws the draft away. Throws SettingsError `unwritable`, and then it is still there. */
  discard(): void;
  /** Keeps what is not kept yet; a draft with nothing in it is not kept at all. */
  close(): void;
}

/** Starts work on a draft. */
export function compose(
  form: Form,
  draft: SavedDraft,
  options: { readonly drafts: SavedDrafts; readonly clock: Clock; readonly timeZone: string },
): Composition {
  const { drafts, clock, timeZone } = options;
  const before = typedOf(form, draft);
  // `today` was the day on which it was typed.
  const values = withExactDates(form, before.values, { now: draft.updatedAt, timeZone });
  let kept = draft;
  let dirty = false;
  let closed = false;
  let pause = new AbortController();
  let bound: AbortController | null = null;
  const stopWaiting = () => {
    pause.abort();
    bound?.abort();
    bound = null;
  };
  const state = createStore<Composed>({
    typed: { ...before, values },
    refusals: draft.refusals,
    tried: false,
    allowMissing: draft.allowMissing === true,
    edited: draft.edited ?? null,
    editedField: draft.editedField ?? null,
    typedAt: clock.now(),
    unkept: null,
    apart: 0,
    gone: false,
  });
  const change = (patch: Partial<Composed>) => state.set({ ...state.get(), ...patch });
  /** What another console wrote into this draft becomes a separate draft, and is not overwritten. */
  const keepOthersApart = () => {
    const there = drafts.find(draft.id);
    if (there === null || isSame(there, kept)) return;
    drafts.save({ ...there, id: newDraftId() });
    kept = there;
    change({ apart: state.get().apart + 1 });
  };
  const keep = (): boolean => {
    stopWaiting();
    const { typed, refusals, edited, editedField, allowMissing } = state.get();
    try {
      keepOthersApart();
      const { edited: _, editedField: __, allowMissing: ___, sentAs, ...rest } = kept;
      const written = keptOf(form, typed);
      // What is typed anew is another form than the one that was sent.
      const isAsSent = sentAs !== undefined && isDeepStrictEqual(written.value, kept.value);
      const of = editedField === null ? {} : { editedField };
      const next = {
        ...rest,
        ...(edited === null ? {} : { edited, ...of }),
        ...(allowMissing ? { allowMissing } : {}),
        ...(isAsSent ? { sentAs } : {}),
        ...written,
        refusals,
        updatedAt: clock.now(),
      };
      drafts.save(next);
      kept = next;
      dirty = false;
      if (state.get().unkept !== null) change({ unkept: null });
      return true;
    } catch (error) {
      change({ unkept: error });
      return false;
    }
  };
  const keepSoon = () => {
    dirty = true;
    pause.abort();
    // Whoever is told of the screen's end may still hand something in: an editor, for example.
    if (closed) {
      keep();
      return;
    }
    pause = new AbortController();
    clock.sleep(keepAfterMs, pause.signal).then(keep, () => {});
    if (bound !== null) return;
    bound = new AbortController();
    clock.sleep(keepWithinMs, bound.signal).then(keep, () => {});
  };
  return {
    state,
    apply(action) {
      const { typed, refusals, gone } = state.get();
      const next = withFirstFolds(form, reduceForm(form, typed, action), action);
      if (next === typed || gone) return;
      const same = next.values === typed.values;
      const settled = same ? refusals : refusalsAfter(refusals, action);
      const { allowMissing } = state.get();
      change({
        typed: next,
        refusals: settled,
        allowMissing: allowMissing && same,
        typedAt: clock.now(),
      });
      keepSoon();
    },
    try: () => change({ tried: true }),
    allowMissing: () => change({ allowMissing: true }),
    putBy(edited, field = null) {
      const now = state.get();
      if (now.gone || (edited === now.edited && isDeepStrictEqual(field, now.editedField))) return;
      change({ edited, editedField: field });
      dirty = true;
      keep();
    },
    save: () => !state.get().gone && keep(),
    ready() {
      change({ refusals: [] });
      return keep();
    },
    reload() {
      if (state.get().gone) return;
      const found = drafts.find(draft.id);
      if (found === null) {
        // One that could not be kept is not gone: it is here.
        if (!dirty && state.get().unkept === null) change({ gone: true });
        return;
      }
      if (dirty) return;
      kept = found;
      const typed = typedOf(form, found);
      change({
        refusals: found.refusals,
        allowMissing: found.allowMissing === true,
        edited: found.edited ?? null,
        editedField: found.editedField ?? null,
        ...(isDeepStrictEqual(typed, state.get().typed) ? {} : { typed }),
      });
    },
    discard() {
      keepOthersApart();
      drafts.remove(draft.id);
      stopWaiting();
      dirty = false;
      change({ gone: true });
    },
    close() {
      stopWaiting();
      closed = true;
      if (state.get().gone) return;
      try {
        const there = drafts.find(draft.id);
        const isOurs = there === null || isSame(there, kept);
        if (isOurs && isPristine(form, draft, state.get())) drafts.remove(draft.id);
        else if (dirty) keep();
      } catch {
        // Nobody is left to be told; the file stays.
      }
    },
  };
}

/** Whether two drafts say the same, whenever they were saved. */
function isSame(one: SavedDraft, other: SavedDraft): boolean {
  return isDeepStrictEqual(asSaved(one), asSaved(other));
}

function asSaved({ updatedAt: _, ...draft }: SavedDraft): unknown {
  return JSON.parse(JSON.stringify(draft));
}

/** A refusal goes when something at its place changes; rows that move take every one with them. */
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
