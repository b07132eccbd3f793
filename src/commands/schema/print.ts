import type { FormKind } from "../../forms/fields.ts";
import { forms } from "../../forms/forms.ts";
import { jsonSchema } from "../../forms/json-schema.ts";
import { toJson } from "../../json/print.ts";
import { keymapSchema } from "../../keys/keymap-schema.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";

/** What there is a schema of: the payloads, and the file of the console's keys. */
export type SchemaKind = FormKind | "keymap";

/** Prints the JSON Schema (draft 2020-12) of a whole documented body, or of the keymap file. */
export async function printSchema({ out, globals }: Invocation, kind: SchemaKind): Promise<number> {
  const schema = kind === "keymap" ? keymapSchema() : jsonSchema(forms[kind]);
  await out.line(toJson(schema, globals.format === "jsonl" ? undefined : 2));
  return exitCode.done;
}
