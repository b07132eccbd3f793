/** The keys of a form: those of the line under the cursor, and those of the whole form. */
import { errorMark } from "../../components/form/form-layout.ts";
import { type FormLine, lineId, type Rows } from "../../components/form/lines.ts";
import { errorLine } from "../../errors/error-words.ts";
import { type Form, offeredFor } from "../../forms/fields.ts";
import { type FormValues, isValueRows, textAt, valueAt } from "../../forms/form-values.ts";
import { fieldAtPath, placeWords } from "../../forms/payload-places.ts";
import type { Issue } from "../../forms/rules.ts";
import { withExactDates } from "../../forms/values-json.ts";
import { useHere, useNoticeWhile } from "../../hooks/app.tsx";
import type { Path } from "../../json/exact.ts";
import type { ActionId } from "../../keys/bindings.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Action, Actions } from "../../keys/scopes.ts";
import type { OpenDraft } from "../../session/draft.ts";
import type { Overlays } from "../../session/overlays.ts";
import type { Place } from "../../session/places.ts";
import { planOf } from "../../session/plan.ts";
import { showWriteAsCommand } from "../../session/show-as-command.ts";
import type { InputTime } from "../../text/loose-dates.ts";
import { plural } from "../../text/numbers.ts";
import type { FormCursor } from "./form-cursor.ts";

export function useFormKeys(options: {
  readonly draft: OpenDraft;
  readonly cursor: FormCursor;
  readonly typedAt: InputTime;
  readonly issues: readonly Issue[];
  readonly problemPaths: readonly Path[];
  readonly hasEditorFiles: boolean;
  readonly reviewPlace: Place;
  readonly isForSeveral: boolean;
  readonly goTo: (path: Path) => void;
}): Actions {
  const { draft, cursor, typedAt, issues, goTo } = options;
  const { form } = draft;
  const here = useHere();
  const { overlays, notices, key, navigation } = here.app;
  const showProblems = useNoticeWhile(issues.length > 0);
  const problemsWords = `${plural(issues.length, "problem")} to correct first, marked ${errorMark}`;

  const openReview = () => {
    const { typed, saved } = draft.state.get();
    // Relative dates become exact here, so that a draft sent later has the reviewed dates.
    draft.apply({ type: "replace", values: withExactDates(form, typed.values, typedAt) });
    if (saved.allowMissing) draft.allowMissing();
    if (draft.saveForReview()) navigation.push(options.reviewPlace);
  };
  const askToAllowMissing = () =>
    overlays.confirm({
      question: `Review it without ${plural(issues.length, "field")} that supplyline expects?`,
      detail: `${issues.map(({ path }) => placeWords(form, path)).join(", ")}. The interface does not say whether ${issues.length === 1 ? "it" : "they"} can be left out.`,
      yes: "Review it without",
      onYes: () => {
        draft.allowMissing();
        openReview();
      },
    });
  const review = () => {
    draft.reportMissing();
    const [first] = issues;
    if (first === undefined) {
      openReview();
      return;
    }
    goTo(first.path);
    if (issues.every(({ about }) => about === "missing")) askToAllowMissing();
    else showProblems(problemsWords, "bad");
  };
  const discard = () => {
    try {
      draft.discard();
    } catch (error) {
      notices.show(errorLine(error, { doing: "discarding the draft" }), "bad");
      return;
    }
    notices.show("The draft is discarded.");
    navigation.back();
  };
  return {
    ...cursor.actions,
    ...lineActions({ draft, cursor, overlays, review }),
    review,
    "next-problem"() {
      draft.reportMissing();
      const path = cursor.nextOf(options.problemPaths);
      if (path === null) notices.show("No problem and no warning in this form.", "ok");
      else goTo(path);
    },
    "as-command"() {
      if (options.isForSeveral) {
        notices.explain("Review it first: the command has one row for each account.");
        return;
      }
      const planned = planOf(draft.current(), typedAt);
      if (planned.kind === "plan") {
        showWriteAsCommand(here, planned.plan);
        return;
      }
      draft.reportMissing();
      showProblems(problemsWords, "bad");
    },
    discard: () =>
      overlays.confirm({
        question: "Discard this draft?",
        detail: `Everything you filled in is lost${options.hasEditorFiles ? ", with the file of the editor" : ""}. ${key("back")} alone leaves the form and saves the draft.`,
        yes: "Discard it",
        onYes: discard,
      }),
  };
}

type Leaf = Extract<FormLine, { kind: "leaf" }>;
type Row = Extract<FormLine, { kind: "row" }>;
type Foldable = Extract<FormLine, { folded: boolean }>;

function lineActions(options: {
  readonly draft: OpenDraft;
  readonly cursor: FormCursor;
  readonly overlays: Overlays;
  readonly review: () => void;
}): Actions {
  const { cursor, overlays } = options;
  const { line } = cursor;
  const { form, state, apply } = options.draft;
  const values = () => state.get().typed.values;

  const next: Action = {
    run: cursor.next,
    label: "next field",
    help: "To the next field; on a header it folds and unfolds, on Review it reviews",
  };
  const foldAction = ({ folded, fold }: Foldable): Actions => {
    const run = () => apply({ type: folded ? "unfold" : "fold", at: fold });
    const label = folded ? "unfold" : "fold";
    return { open: { run, label, help: "Fold or unfold this part of the form" } };
  };
  const addAction = ({ path, field }: Pick<Rows, "path" | "field">, below?: number): Actions => ({
    add: {
      label: `add ${field.itemLabel.toLowerCase()}`,
      run: () => {
        const at = below ?? rowCount(values(), path);
        apply({ type: "add-row", path, at });
        cursor.moveTo(firstFieldId(form, [...path, at]));
      },
    },
  });
  const confirmLoss = (action: string, onYes: () => void) =>
    overlays.confirm({
      question: `${action}?`,
      detail: "Everything you filled in there is lost.",
      yes: action,
      onYes,
    });
  const rowActions = (header: Row): Actions => {
    const path = header.fold as Path;
    const array = path.slice(0, -1);
    const part = fieldAtPath(form, array);
    if (part?.kind !== "field" || part.field.type !== "rows") return {};
    const { at, of } = header;
    const remove = () => {
      apply({ type: "remove-row", path });
      cursor.moveTo(rowIdAfterRemoval(values(), path));
    };
    const move = (to: number, outOfRange: string) => ({
      disabled: to < 0 || to >= of ? outOfRange : null,
      run: () => {
        apply({ type: "move-row", path, to });
        cursor.moveTo(lineId([...array, to]));
      },
    });
    return {
      ...foldAction(header),
      ...addAction({ path: array, field: part.field }, at + 1),
      remove: () => (header.filled ? confirmLoss(`Remove ${header.label}`, remove) : remove()),
      duplicate: () => {
        apply({ type: "duplicate-row", path });
        cursor.moveTo(lineId([...array, at + 1]));
      },
      "move-earlier": move(at - 1, "It is the first one."),
      "move-later": move(at + 1, "It is the last one."),
    };
  };
  const leafActions = ({ path, choices, text }: Leaf): Actions => {
    const tab = cursor.actions["next-tab"];
    if (choices.length === 0 || typeof tab !== "object") return { open: next };
    const offered = offeredFor(choices, text);
    return {
      open: next,
      "next-tab": {
        ...tab,
        ...(offered === null ? {} : { label: `take ${offered}` }),
        run() {
          // The user can type and press the key before the next frame, so the text is read again.
          const offeredNow = offeredFor(choices, textAt(values(), path));
          if (offeredNow === null) tab.run();
          else apply({ type: "set", path, text: offeredNow });
        },
      },
    };
  };

  switch (line?.kind) {
    case "section":
      // A list without rows has nothing to fold, so Enter moves to the next field.
      return line.rows === null
        ? foldAction(line)
        : {
            ...(line.rows.count === 0 ? { open: next } : foldAction(line)),
            ...addAction(line.rows),
          };
    case "object": {
      const clear = () => apply({ type: "clear", path: line.fold as Path });
      const ask = () => confirmLoss(`Empty ${line.label}`, clear);
      return {
        ...foldAction(line),
        ...(line.filled ? { remove: { run: ask, label: "empty" } } : {}),
      };
    }
    case "rows":
      return { open: next, ...addAction(line.rows) };
    case "row":
      return rowActions(line);
    case "leaf":
      return leafActions(line);
    case "review":
      return { open: { run: options.review, label: "review" } };
    case undefined:
      return {};
  }
}

function firstFieldId(form: Form, row: Path): string {
  const part = fieldAtPath(form, row);
  const name = part?.kind === "row" ? part.shape.fields[0]?.name : undefined;
  return lineId(name === undefined ? row : [...row, name]);
}

/** Returns the row that replaced the removed one, else the row before it, else the header. */
function rowIdAfterRemoval(values: FormValues, path: Path): string {
  const array = path.slice(0, -1);
  const count = rowCount(values, array);
  const removed = path.at(-1);
  if (count === 0 || typeof removed !== "number") return lineId(array);
  return lineId([...array, Math.min(removed, count - 1)]);
}

function rowCount(values: FormValues, path: Path): number {
  const rows = valueAt(values, path);
  return isValueRows(rows) ? rows.length : 0;
}

export const rowKeys: readonly ActionId[] = [
  "add",
  "duplicate",
  "remove",
  "move-earlier",
  "move-later",
];

export function noTextWords(line: FormLine, key: KeyWords): string {
  return `The cursor is on ${line.label}, which takes no text. ${lineKeysWords(line, key)}`;
}

function lineKeysWords(line: FormLine, key: KeyWords): string {
  const tabWords = `${key("next-tab")} goes to the next field.`;
  switch (line.kind) {
    case "rows":
      return `${key("add")} adds one; ${tabWords}`;
    case "section":
      return `${line.rows === null ? "" : `${key("add")} adds one; `}${key("open")} folds; ${tabWords}`;
    case "row":
      return `${key("add")} adds one below, ${key("duplicate")} copies it, ${key("remove")} removes it, ${key("move-earlier")} and ${key("move-later")} move it.`;
    case "object":
      return `${key("open")} folds; ${tabWords}`;
    case "review":
      return `${key("open")} reviews; ${tabWords}`;
    case "leaf":
      return tabWords;
  }
}
