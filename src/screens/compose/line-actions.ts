/** The keys that work on the line of a form under the cursor. */
import { type FormLine, lineId, type Rows } from "../../components/form/lines.ts";
import { type Form, offeredFor } from "../../forms/fields.ts";
import { isValueRows, textAt, valueAt } from "../../forms/form-values.ts";
import { fieldAtPath } from "../../forms/places.ts";
import type { Path } from "../../json/exact.ts";
import type { ActionId } from "../../keys/bindings.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Action, Actions } from "../../keys/scopes.ts";
import type { Composition } from "../../session/composition.ts";
import type { Overlays } from "../../session/overlays.ts";
import type { FormCursor } from "./form-cursor.ts";

type Leaf = Extract<FormLine, { kind: "leaf" }>;
type Row = Extract<FormLine, { kind: "row" }>;

/** Returns the actions of the keys on the line under the cursor. */
export function lineActions(options: {
  readonly form: Form;
  readonly composition: Composition;
  readonly cursor: FormCursor;
  readonly overlays: Overlays;
  readonly review: () => void;
}): Actions {
  const { form, composition, cursor, overlays } = options;
  const { line } = cursor;
  const { apply } = composition;
  const values = () => composition.state.get().typed.values;

  const next: Action = {
    run: cursor.next,
    label: "next field",
    help: "To the next field; on a header it folds and unfolds, on Review it reviews",
  };
  const toggle = (foldable: FormLine & { readonly folded: boolean }): Actions => {
    if (!("fold" in foldable)) return {};
    const { folded, fold } = foldable;
    const run = () => apply({ type: folded ? "unfold" : "fold", at: fold });
    const label = folded ? "unfold" : "fold";
    return { open: { run, label, help: "Fold or unfold this part of the form" } };
  };
  const adding = ({ path, field }: Pick<Rows, "path" | "field">, at?: number): Actions => ({
    add: {
      label: `add ${field.itemLabel.toLowerCase()}`,
      run: () => {
        const rows = valueAt(values(), path);
        const place = [...path, at ?? (isValueRows(rows) ? rows.length : 0)];
        apply({ type: "add-row", path, ...(at === undefined ? {} : { at }) });
        cursor.moveTo(firstOf(form, place));
      },
    },
  });
  const remove = (path: Path, what: string, filled: boolean): Actions => ({
    remove: () => {
      const act = () => {
        apply({ type: "remove-row", path });
        cursor.moveTo(afterRemoval(values(), path));
      };
      if (!filled) act();
      else {
        overlays.confirm({
          question: `Remove ${what}?`,
          detail: "Everything you filled in there is lost.",
          yes: `Remove ${what}`,
          onYes: act,
        });
      }
    },
  });
  const row = (header: Row): Actions => {
    const path = header.fold as Path;
    const array = path.slice(0, -1);
    const spot = fieldAtPath(form, array);
    if (spot?.kind !== "field" || spot.field.type !== "rows") return {};
    const { at, of } = header;
    const move = (to: number, why: string) => ({
      disabled: to < 0 || to >= of ? why : null,
      run: () => {
        apply({ type: "move-row", path, to });
        cursor.moveTo(lineId([...array, to]));
      },
    });
    return {
      ...toggle(header),
      ...adding({ path: array, field: spot.field }, at + 1),
      ...remove(path, header.label, header.filled),
      duplicate: () => {
        apply({ type: "duplicate-row", path });
        cursor.moveTo(lineId([...array, at + 1]));
      },
      "move-earlier": move(at - 1, "It is the first one."),
      "move-later": move(at + 1, "It is the last one."),
    };
  };
  const leaf = ({ path, choices, text }: Leaf): Actions => {
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
          const now = offeredFor(choices, textAt(values(), path));
          if (now === null) tab.run();
          else apply({ type: "set", path, text: now });
        },
      },
    };
  };

  switch (line?.kind) {
    case "section":
      // A list without rows has nothing to collapse, so Enter moves to the next field.
      return line.rows === null
        ? toggle(line)
        : { ...(line.rows.count === 0 ? { open: next } : toggle(line)), ...adding(line.rows) };
    case "object": {
      const clear = () => apply({ type: "clear", path: line.fold as Path });
      const ask = () =>
        overlays.confirm({
          question: `Empty ${line.label}?`,
          detail: "Everything you filled in there is lost.",
          yes: `Empty ${line.label}`,
          onYes: clear,
        });
      return { ...toggle(line), ...(line.filled ? { remove: { run: ask, label: "empty" } } : {}) };
    }
    case "rows":
      return { open: next, ...adding(line.rows) };
    case "row":
      return row(line);
    case "leaf":
      return leaf(line);
    case "review":
      return { open: { run: options.review, label: "review" } };
    default:
      return {};
  }
}

/** Returns the ID of the first field of a new row, or of the row itself for an entry of a list. */
function firstOf(form: Form, row: Path): string {
  const spot = fieldAtPath(form, row);
  const name = spot?.kind === "row" ? spot.shape.fields[0]?.name : undefined;
  return lineId(name === undefined ? row : [...row, name]);
}

/**
 * Returns the ID of the row that replaced the removed row, or else of the row before it, or else of
 * the header of the array.
 */
function afterRemoval(values: Parameters<typeof valueAt>[0], path: Path): string {
  const array = path.slice(0, -1);
  const rows = valueAt(values, array);
  const left = isValueRows(rows) ? rows.length : 0;
  const at = path.at(-1);
  return lineId(left === 0 || typeof at !== "number" ? array : [...array, Math.min(at, left - 1)]);
}

/** The keys on rows that are printable characters. */
export const rowKeys: readonly ActionId[] = [
  "add",
  "duplicate",
  "remove",
  "move-earlier",
  "move-later",
];

/** Returns the alert for text typed on a line that takes none: the line, and its keys. */
export function noTextWords(line: FormLine, key: KeyWords): string {
  return `The cursor is on ${line.label}, which takes no text. ${wordsOf(line, key)}`;
}

function wordsOf(line: FormLine, key: KeyWords): string {
  const moves = `${key("next-tab")} goes to the next field.`;
  switch (line.kind) {
    case "rows":
      return `${key("add")} adds one; ${moves}`;
    case "section":
      return `${line.rows === null ? "" : `${key("add")} adds one; `}${key("open")} folds; ${moves}`;
    case "row":
      return `${key("add")} adds one below, ${key("duplicate")} copies it, ${key("remove")} removes it, ${key("move-earlier")} and ${key("move-later")} move it.`;
    case "object":
      return `${key("open")} folds; ${moves}`;
    case "review":
      return `${key("open")} reviews; ${moves}`;
    case "leaf":
      return moves;
  }
}
