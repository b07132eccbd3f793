import { type FormKind, formKinds, forms } from "../../forms/forms.ts";
import { jsonSchema } from "../../forms/json-schema.ts";
import { toJson } from "../../json/print.ts";
import { keymapSchema } from "../../keys/keymap-schema.ts";
import { exitCode } from "../exit-codes.ts";
import { choiceOption } from "../option-values.ts";
import type { Verb } from "../verb.ts";
import { openApi } from "./openapi.ts";

/** What there is a schema of: the payloads, the file of the console's keys, and the whole service. */
const kinds: readonly (FormKind | "keymap" | "openapi")[] = [...formKinds, "keymap", "openapi"];

/** `schema`: JSON Schema (draft 2020-12) for editors, and OpenAPI 3.1 of every endpoint. */
export const verb: Verb = {
  examples: [
    "supplyline schema transactions > transactions.schema.json",
    "supplyline schema openapi > openapi.json",
  ],
  exits: [0, 2],
  declare: (command) => command.argument("<kind>", kinds.join(", "), choiceOption(kinds)),
  run: async ({ out, globals, io }, kind: (typeof kinds)[number]) => {
    const schema = schemaOf(kind, io.version);
    await out.line(toJson(schema, globals.format === "jsonl" ? undefined : 2));
    return exitCode.done;
  },
};

function schemaOf(kind: (typeof kinds)[number], version: string): object {
  switch (kind) {
    case "keymap":
      return keymapSchema();
    case "openapi":
      return openApi(version);
    default:
      return jsonSchema(forms[kind]);
  }
}
