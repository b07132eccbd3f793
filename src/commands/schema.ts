import { type FormKind, formKinds } from "../forms/fields.ts";
import { forms } from "../forms/forms.ts";
import { jsonSchema } from "../forms/json-schema.ts";
import { toJson } from "../json/print.ts";
import { keymapSchema } from "../keys/keymap-schema.ts";
import { exitCode } from "./exit-codes.ts";
import { choiceOption } from "./option-values.ts";
import type { Verb } from "./verb.ts";

/** What there is a schema of: the payloads, and the file of the console's keys. */
const kinds: readonly (FormKind | "keymap")[] = [...formKinds, "keymap"];

/** `schema`: the JSON Schema (draft 2020-12) of a whole body or of the keymap, for editors. */
export const verb: Verb = {
  examples: ["supplyline schema transactions > transactions.schema.json"],
  exits: [0, 2],
  formats: ["table", "json", "jsonl"],
  declare: (command) => command.argument("<kind>", kinds.join(", "), choiceOption(kinds)),
  run: async ({ out, globals }, kind: FormKind | "keymap") => {
    const schema = kind === "keymap" ? keymapSchema() : jsonSchema(forms[kind]);
    await out.line(toJson(schema, globals.format === "jsonl" ? undefined : 2));
    return exitCode.done;
  },
};
