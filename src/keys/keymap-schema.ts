import { actionIds, bindingOf } from "./bindings.ts";

/** The JSON Schema (draft 2020-12) of a keymap file: every action with what it does and its keys. */
export function keymapSchema(): Readonly<Record<string, unknown>> {
  const key = { $ref: "#/$defs/key" };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Keys of the supplyline console",
    type: "object",
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(
        actionIds.map((id) => {
          const { help, keys } = bindingOf(id);
          return [
            id,
            {
              description: help,
              default: keys,
              anyOf: [key, { type: "array", items: key, uniqueItems: true }],
            },
          ];
        }),
      ),
    },
    additionalProperties: false,
    $defs: {
      key: {
        description: "One character, or the name of a key.",
        type: "string",
        pattern:
          "^(?:[^\\s]|space|enter|esc|tab|shift-tab|up|down|left|right|home|end|page-up|page-down|shift-up|shift-down|delete|ctrl-[a-z]|f[1-9]|f1[0-2])$",
      },
    },
  };
}
