import { toJson } from "../json/print.ts";
import type { JsonObject } from "../json/value.ts";
import { onTheWire } from "./envelope.ts";
import type { Form } from "./fields.ts";
import type { FormValues } from "./form-values.ts";
import { fromValues } from "./from-values.ts";
import type { TypedAt } from "./loose-dates.ts";

/**
 * A body as indented JSON for an editor, harmless to the terminal that the editor runs in: hidden
 * and bidi characters stand as escapes. It reads back as the same body.
 */
export function jsonText(body: JsonObject): string {
  return `${toJson(body, 2)}\n`;
}

/**
 * A draft as JSON for an editor: the whole documented body, dates made exact. What cannot be read
 * stands as the text that was typed, and is complained of when it comes back. The query parameters
 * are no part of it. Throws RangeError for an unknown time zone.
 */
export function valuesJsonText(form: Form, values: FormValues, typedAt: TypedAt): string {
  return jsonText(onTheWire(form, fromValues(form, values, typedAt).body));
}
