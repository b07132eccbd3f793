import { isJsonObject, type Json, type JsonObject, memberOf } from "../json/value.ts";
import type { Form } from "./fields.ts";

/** The body as it goes on the wire (INTERFACE 4.5: supply points stand under `payload`). */
export function onTheWire(form: Form, body: JsonObject): JsonObject {
  return form.envelope === null ? body : { [form.envelope]: body };
}

/** Whether a value is a body in its outer key; what stands beside the key is another matter. */
export function isInEnvelope(form: Form, value: Json): value is JsonObject {
  return form.envelope !== null && isJsonObject(value) && Object.hasOwn(value, form.envelope);
}

/** A body off the wire, without its outer key. */
export function offTheWire(form: Form, value: Json): Json {
  return isInEnvelope(form, value) ? (memberOf(value, form.envelope ?? "") ?? value) : value;
}
