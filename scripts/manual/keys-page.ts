import { boardWords, headerWords } from "../../src/components/overlays/board-help-words.ts";
import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { editingIds, editingOf } from "../../src/keys/editing.ts";
import { keyLabel } from "../../src/keys/key-name.ts";
import type { StatusWords } from "../../src/text/describe-status.ts";
import { type Document, heading, type Term, terms, text } from "../reference/document.ts";

/** Returns the keys and the words of the first screen, straight from the tables that use them. */
export function keysDocument(): Document {
  const groups = [...new Set(actionIds.map((id) => bindingOf(id).group))];
  const ofGroup = (group: string) => actionIds.filter((id) => bindingOf(id).group === group);
  return {
    name: "supplyline-keys",
    section: 7,
    title: "Keys, and the words of the first screen",
    summary: "the keys of the supplyline console",
    intro: [
      "The footer of a screen and `?` (`F1` in a form) show the keys that work there. An action without a key is run by its name in the palette (`:`).",
      "The word in parentheses is the name of the action in `keymap.json`, which changes keys: see supplyline-config(5).",
    ],
    sections: [
      {
        heading: "Keys",
        blocks: groups.flatMap((group) => [
          heading(group),
          terms(
            ofGroup(group).map(
              (id): Term => [keysOf(bindingOf(id)), `${bindingOf(id).help} (${id}).`],
            ),
          ),
        ]),
      },
      {
        heading: "Edit text",
        blocks: [
          text(
            "These keys work in every text field, filter line, prompt and in the palette, and go to the text before anything else. GNU screen takes `Ctrl-A` for itself: use `Home` there.",
          ),
          terms(editingIds.map(editingOf).map((one): Term => [keysOf(one), `${one.help}.`])),
        ],
      },
      { heading: "The first screen", blocks: [terms(boardWords.map(wordTerm))] },
      {
        heading: "The first line of every screen",
        blocks: [
          text("It names the open work. The numbers are examples."),
          terms(headerWords.map(wordTerm)),
        ],
      },
    ],
    seeAlso: "supplyline(1), supplyline-config(5)",
  };
}

function wordTerm({ label, meaning }: StatusWords): Term {
  return [label, meaning];
}

function keysOf(binding: { readonly keys: readonly string[]; readonly label?: string }): string {
  const { keys, label = "" } = binding;
  return keys.length === 0 ? `:${label}` : keys.map(keyLabel).join("  ");
}
