import { type FormKind, formKinds, forms } from "../../forms/forms.ts";
import { jsonSchema } from "../../forms/schema.ts";
import { toJson } from "../../json/exact.ts";
import { actionIds, bindingOf } from "../../keys/bindings.ts";
import { exitCode } from "../exit-codes.ts";
import { choiceOption } from "../option-values.ts";
import type { Verb } from "../verb.ts";

const kinds: readonly (FormKind | "keymap")[] = [...formKinds, "keymap"];

export const verb: Verb = {
  declare: (command) => command.argument("<kind>", kinds.join(", "), choiceOption(kinds)),
  run: async ({ out, globals }, kind: (typeof kinds)[number]) => {
    const schema = kind === "keymap" ? keymapSchema() : jsonSchema(forms[kind]);
    await out.line(toJson(schema, globals.format === "jsonl" ? undefined : 2));
    return exitCode.done;
  },
  exits: [0, 2],
  examples: ["supplyline schema transactions > transactions.schema.json"],
};

/**
 * Returns the JSON Schema (draft 2020-12) of a keymap file: every action with its effect and its
 * keys.
 */
function keymapSchema(): Readonly<Record<string, unknown>> {
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
