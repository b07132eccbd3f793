/** Reads the body of a response as text or JSON, with limits on size and nesting. */
import { isUtf8 } from "node:buffer";
import { deeperThan, nestingLimit, parseExact } from "../json/exact.ts";
import { isServiceError, ServiceError, type ServiceErrorKind } from "./errors.ts";
import type { HttpResponse } from "./http.ts";

/** Maximum size of a response other than a list, in bytes. */
export const maxBodyBytes = 1024 * 1024;

/**
 * Returns the whole body as text, with U+FFFD in place of bytes that are not UTF-8, so that it can
 * be shown. Throws `too-large` if it exceeds `maxBytes`, and `unreadable` if it is incomplete.
 */
export async function readText(response: HttpResponse, maxBytes = maxBodyBytes): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, maxBytes));
}

/**
 * Returns the whole body as text. Also throws `unreadable`, with the text, if the body is not UTF-8,
 * because two different numbers could become equal.
 */
export async function readExactText(response: HttpResponse): Promise<string> {
  const bytes = await readBytes(response, maxBodyBytes);
  const body = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return body;
  const facts = { ...response.facts, body };
  throw new ServiceError("unreadable", "The response is not UTF-8 text.", facts);
}

async function readBytes(response: HttpResponse, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.chunks) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new ServiceError(
        "too-large",
        `The response is larger than ${maxBytes} bytes.`,
        response.facts,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Returns the received part of an error response's body, at most `maxBodyBytes`. A ServiceError while
 * reading, for example for an incomplete body, is ignored, so that the caller can report the HTTP
 * status. Throws if the call is canceled, and for any other error.
 */
export async function readErrorText(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let remainingBytes = maxBodyBytes;
  try {
    for await (const chunk of response.chunks) {
      chunks.push(chunk.subarray(0, remainingBytes));
      remainingBytes -= chunk.length;
      if (remainingBytes <= 0) break;
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
export function parseJson(text: string, response: HttpResponse): unknown {
  const unreadable = (problem: string, kind: ServiceErrorKind = "unreadable") =>
    new ServiceError(kind, `The response ${problem}.`, { ...response.facts, body: text });
  if (text.trim() === "") throw unreadable("is empty");
  if (deeperThan(text, nestingLimit)) throw unreadable("is nested too deeply", "too-large");
  try {
    return parseExact(text);
  } catch {
    const type = response.header("content-type") ?? "";
    throw unreadable(/html/i.test(type) ? "is HTML, not JSON" : "is not valid JSON");
  }
}
