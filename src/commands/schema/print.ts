import type { FormKind } from "../../forms/fields.ts";
import { forms } from "../../forms/forms.ts";
import { jsonSchema } from "../../forms/json-schema.ts";
import { toJson } from "../../text/json.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";

/** Prints the JSON Schema (draft 2020-12) of a whole documented body. */
export async function printSchema({ out, globals }: Invocation, kind: FormKind): Promise<number> {
  await out.line(toJson(jsonSchema(forms[kind]), globals.format === "jsonl" ? undefined : 2));
  return exitCode.done;
}
