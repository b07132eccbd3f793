import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { editingIds, editingOf } from "../../src/keys/editing.ts";
import { keyLabel } from "../../src/keys/key-name.ts";
import { entry, paragraphs, part, section, title } from "./roff.ts";

/** Returns `supplyline-keys.7`, straight from the tables that handle the keys. */
export function keysPage(version: string): string {
  const groups = [...new Set(actionIds.map((id) => bindingOf(id).group))];
  return [
    title("supplyline-keys", 7, version),
    ...section("NAME", paragraphs("supplyline-keys - the keys of the supplyline console")),
    ...section(
      "DESCRIPTION",
      paragraphs(
        "The footer of a screen and `?` (`F1` in a form) show the keys that work there. An action without a key is run by its name in the palette (`:`).",
        "The word in parentheses is the name of the action in `keymap.json`, which changes keys: see supplyline-config(5).",
      ),
    ),
    ...section(
      "KEYS",
      groups.flatMap((group) =>
        part(
          group,
          actionIds
            .filter((id) => bindingOf(id).group === group)
            .flatMap((id) => entry(keysOf(bindingOf(id)), `${bindingOf(id).help} (${id}).`)),
        ),
      ),
    ),
    ...section("EDIT TEXT", [
      ...paragraphs(
        "These keys work in every text field, filter line, prompt and in the palette, and go to the text before anything else. GNU screen takes `Ctrl-A` for itself: use `Home` there.",
      ),
      ...editingIds.map(editingOf).flatMap((one) => entry(keysOf(one), `${one.help}.`)),
    ]),
    ...section("SEE ALSO", paragraphs("supplyline(1), supplyline-config(5)")),
    "",
  ].join("\n");
}

function keysOf(binding: { readonly keys: readonly string[]; readonly label?: string }): string {
  const { keys, label = "" } = binding;
  return keys.length === 0 ? `:${label}` : keys.map(keyLabel).join("  ");
}
