import { Buffer } from "node:buffer";
import type { JsonObject } from "./json-value.ts";

/**
 * The exact bytes of a body that passed validation, as UTF-8 JSON: numbers digit for digit as they
 * were typed. They are made once; every attempt sends these same bytes.
 */
export function bytesOf(body: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(body), "utf8");
}
