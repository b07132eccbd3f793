import { isTyped } from "../../components/form/drawn-line.ts";
import { type FormLine, lineId, type Rows } from "../../components/form/lines.ts";
import { choicesOf, type Form, spotAt } from "../../forms/fields.ts";
import { isValueRows, textAt, valueAt } from "../../forms/form-values.ts";
import type { Path } from "../../json/exact.ts";
import type { ActionId } from "../../keys/bindings.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Action, Actions, Printable } from "../../keys/scopes.ts";
import type { Composition } from "../../session/composition.ts";
import type { Notices } from "../../session/notices.ts";
import type { Overlays } from "../../session/overlays.ts";
import type { FormCursor } from "./form-cursor.ts";

type Leaf = Extract<FormLine, { kind: "leaf" }>;
type Row = Extract<FormLine, { kind: "row" }>;

/** What the keys do on the line that the cursor is on. */
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
    help: "To the next field; on a folded header it unfolds, on Review it reviews",
  };
  const toggle = (foldable: FormLine & { readonly folded: boolean }): Actions => {
    if (!("fold" in foldable)) return {};
    const { folded, fold } = foldable;
    const run = () => apply({ type: folded ? "unfold" : "fold", at: fold });
    const label = folded ? "unfold" : "fold";
    const help = "Fold or unfold this part of the form";
    // Enter leads on: pressed again and again it gets through the whole form.
    return { open: folded ? { run, label } : next, mark: { run, label, help } };
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
    const spot = spotAt(form, array);
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
  const leaf = (field: Leaf): Actions => {
    const { path } = field;
    const array = field.entry ? entries(form, path) : null;
    const entry =
      array === null || isTyped(field)
        ? {}
        : { ...adding(array), ...remove(path, field.label, field.text !== "") };
    const set = (text: string) => apply({ type: "set", path, text });
    switch (field.leaf.type) {
      case "boolean":
        return {
          open: next,
          mark: { ...change, run: () => set(turned(["true", "false"], field.text)) },
        };
      case "enumeration": {
        const sibling = (name: string) => textAt(values(), [...path.slice(0, -1), name]);
        const seen = choicesOf(field.leaf, sibling).map(({ value }) => value);
        return {
          ...entry,
          open: next,
          mark: { ...change, run: () => set(turned(seen, field.text)) },
        };
      }
      default:
        return { open: next, ...entry };
    }
  };

  switch (line?.kind) {
    case "section":
      return { ...toggle(line), ...(line.rows ? adding(line.rows) : {}) };
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

const change = {
  label: "change",
  help: "Take the next value, or not sent after the last; other characters type a value",
};

/** The next of the values, "not sent" last; a value of one's own counts as none of them. */
function turned(values: readonly string[], text: string): string {
  return values[values.indexOf(text) + 1] ?? "";
}

function entries(form: Form, path: Path): Pick<Rows, "path" | "field"> | null {
  const array = path.slice(0, -1);
  const spot = spotAt(form, array);
  return spot?.kind === "field" && spot.field.type === "list"
    ? { path: array, field: spot.field }
    : null;
}

/** The first field of a new row; the row itself where that is no plain field. */
function firstOf(form: Form, row: Path): string {
  const spot = spotAt(form, row);
  const name = spot?.kind === "row" ? spot.shape.fields[0]?.name : undefined;
  return lineId(name === undefined ? row : [...row, name]);
}

/** The row that came up, else the one before it, else the header of the array. */
function afterRemoval(values: Parameters<typeof valueAt>[0], path: Path): string {
  const array = path.slice(0, -1);
  const rows = valueAt(values, array);
  const left = isValueRows(rows) ? rows.length : 0;
  const at = path.at(-1);
  return lineId(left === 0 || typeof at !== "number" ? array : [...array, Math.min(at, left - 1)]);
}

/** What a line does with text: with characters that are no keys of it, and with a paste. */
export interface LineLetters {
  readonly printable: Printable;
  readonly paste: (text: string) => void;
}

/** The keys of rows, and of what can be folded. */
const rowKeys: readonly ActionId[] = [
  "add",
  "duplicate",
  "remove",
  "move-earlier",
  "move-later",
  "mark",
];

/**
 * What characters do on a line that is not typed into: a choice takes them as its value, any other
 * line says which keys work there. None of them leaves the form.
 */
export function lineLetters(options: {
  readonly line: FormLine | null;
  readonly composition: Composition;
  readonly overlays: Overlays;
  readonly notices: Notices;
  readonly key: KeyWords;
}): LineLetters {
  const { line, composition, overlays, notices, key } = options;
  const say = () => {
    notices.explain(wordsOf(line, key));
  };
  if (line?.kind !== "leaf") {
    const acts = line === null || line.kind === "review" ? [] : rowKeys;
    return { printable: { acts, other: say }, paste: say };
  }
  const { leaf, path, label } = line;
  const set = (text: string) => composition.apply({ type: "set", path, text });
  switch (leaf.type) {
    case "enumeration": {
      const { values } = composition.state.get().typed;
      const sibling = (name: string) => textAt(values, [...path.slice(0, -1), name]);
      const seen = choicesOf(leaf, sibling).map(({ value }) => value);
      const ask = (initial: string) =>
        overlays.prompt({
          title: label,
          label: "Value",
          hint: `Seen: ${seen.join(", ")}. Any other value is sent as typed.`,
          initial,
          onSubmit: (typed) => {
            set(typed);
            return null;
          },
        });
      return { printable: { acts: ["mark"], other: ask }, paste: (text) => ask(text.trim()) };
    }
    case "boolean": {
      const take = (text: string) => {
        const value = yesOrNo(text.trim());
        if (value === null) say();
        else set(value);
      };
      return { printable: { acts: ["mark"], other: take }, paste: take };
    }
    default:
      return { printable: { acts: [], other: say }, paste: say };
  }
}

/** What `y`, `t`, `n` and `f`, or a word that begins so, choose; null for anything else. */
function yesOrNo(text: string): "true" | "false" | null {
  if (/^(?:y(?:es)?|t(?:rue)?)$/i.test(text)) return "true";
  return /^(?:no?|f(?:alse)?)$/i.test(text) ? "false" : null;
}

/** Which keys work on a line, in words. */
function wordsOf(line: FormLine | null, key: KeyWords): string {
  const moves = `${key("next-tab")} goes to the next field.`;
  switch (line?.kind) {
    case "rows":
      return `${key("add")} adds one; ${moves}`;
    case "section":
      return `${line.rows === null ? "" : `${key("add")} adds one; `}${key("mark")} folds; ${moves}`;
    case "row":
      return `${key("add")} adds one below, ${key("duplicate")} copies it, ${key("remove")} removes it, ${key("move-earlier")} and ${key("move-later")} move it.`;
    case "object":
      return `${key("mark")} folds; ${moves}`;
    case "leaf":
      if (line.leaf.type === "boolean") {
        return `y or n, or ${key("mark")} for the next choice.`;
      }
      return isTyped(line) ? moves : `${key("editor")} opens the text in the editor.`;
    default:
      return `${key("open")} reviews; ${moves}`;
  }
}
