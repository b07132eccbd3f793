import { isTyped } from "../../components/form/drawn-line.ts";
import type { FormLine } from "../../components/form/lines.ts";
import { choicesOf } from "../../forms/choices.ts";
import { textAt } from "../../forms/form-values.ts";
import type { Notices } from "../../hooks/notices.tsx";
import type { Overlays } from "../../hooks/overlay.tsx";
import type { ActionId } from "../../keys/bindings.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Printable } from "../../keys/scopes.ts";
import type { Composition } from "../../session/composition.ts";

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
    notices.show(wordsOf(line, key), "waiting");
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
