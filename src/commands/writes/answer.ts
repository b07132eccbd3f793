import { exactJsonOf, isRecord } from "../../json/exact.ts";
import type { WriteResult } from "../../writes/send/events.ts";

/**
 * Returns the service's response to a write: a JSON value with exact numbers, null for an empty
 * body, or text for a body that is not JSON. For a write confirmed by a lookup, returns the found
 * process. The account number has the same field name for every brand, so that scripts work with
 * every deployment.
 */
export function answerOf(result: WriteResult, brand: string): unknown {
  if (result.reason === "looked-up" && result.process !== null) return result.process;
  const { response } = result;
  if (response === null || response.trim() === "") return null;
  const value = exactJsonOf(response);
  if (value === undefined) return response;
  const own = `${brand}_account_number`;
  if (!isRecord(value) || !Object.hasOwn(value, own)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name === own ? "service_account_number" : name,
      inner,
    ]),
  );
}
