/** Reads the body of a response as text or JSON, with limits on size and nesting. */
import { deeperThan, nestingLimit, parseExact } from "../json/exact.ts";
import { isServiceError, ServiceError, type ServiceErrorKind } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";

/** Maximum size of a response other than a list, in bytes. */
export const bodyLimit = 1024 * 1024;

/**
 * Returns the whole body as text. Throws `too-large` if it exceeds `limit`, and `unreadable` if it
 * is incomplete.
 */
export async function readText(answer: HttpAnswer, limit = bodyLimit): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.chunks) {
    length += chunk.length;
    if (length > limit) {
      throw new ServiceError(
        "too-large",
        `The response is larger than ${limit} bytes.`,
        answer.facts,
      );
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Returns the received part of an error response's body, because an incomplete or large body must
 * not hide the status. Throws only if the call is canceled.
 */
export async function readErrorText(answer: HttpAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let room = bodyLimit;
  try {
    for await (const chunk of answer.chunks) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      if (room <= 0) break;
    }
  } catch (error) {
    if (!isServiceError(error) || error.kind === "cancelled") throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * Parses the body as JSON with exact numbers. Throws `too-large` for too deep nesting and
 * `unreadable` for text that is not JSON. Both errors contain the raw text.
 */
export function parseJson(text: string, answer: HttpAnswer): unknown {
  const unreadable = (why: string, kind: ServiceErrorKind = "unreadable") =>
    new ServiceError(kind, `The response ${why}.`, { ...answer.facts, body: text });
  if (text.trim() === "") throw unreadable("is empty");
  if (deeperThan(text, nestingLimit)) throw unreadable("is nested too deeply", "too-large");
  try {
    return parseExact(text);
  } catch {
    const type = answer.header("content-type") ?? "";
    throw unreadable(/html/i.test(type) ? "is HTML, not JSON" : "is not complete JSON");
  }
}
