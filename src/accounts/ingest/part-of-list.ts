/**
 * Detects responses that contain only one page of a list, by their headers and by the JSON object
 * around the list, and objects that report an error. INTERFACE 4 shows no paging, so a page must
 * not be accepted as the whole list. It shows no object around a list either, so an object is a list
 * only if nothing in it speaks against that.
 */
import { isUtf8 } from "node:buffer";
import { isRecord } from "../../json/exact.ts";
import { repeatedField } from "../../json/scan.ts";

function incompleteListSentence(more: string): string {
  return `The response contains only part of the list (${more}), and the interface defines no way to request the rest.`;
}

/**
 * Returns the reason why a response with these headers is not the whole list, or null if no header
 * indicates that. `elements` is the number of elements that arrived.
 */
export function incompleteReasonInHeaders(
  header: (name: string) => string | null,
  elements: number,
): string | null {
  const more =
    nextPageInLink(header("link")) ??
    problemOfRange(header("content-range"), elements) ??
    problemOfTotal(header("x-total-count"), elements);
  return more === null ? null : incompleteListSentence(more);
}

const parameter = /;\s*([\w*-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,]*)/g;

function nextPageInLink(link: string | null): string | null {
  const parameters = link?.replaceAll(/<[^>]*>/g, "").matchAll(parameter) ?? [];
  for (const [, name = "", value = ""] of parameters) {
    const relations = value.replaceAll('"', "").toLowerCase().split(/\s+/);
    if (name.toLowerCase() === "rel" && relations.includes("next")) {
      return "its Link header names a next page";
    }
  }
  return null;
}

/**
 * Returns the problem of a Content-Range header, or null if the range is the whole of a known
 * length and that number of elements arrived. A length in bytes is not compared with the elements.
 */
function problemOfRange(range: string | null, elements: number): string | null {
  const trimmed = range?.trim() ?? "";
  if (trimmed === "") return null;
  const parts = /^(\S+)\s+(?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/.exec(trimmed);
  if (parts === null) return "its Content-Range does not cover a known length";
  const [, unit = "", first, last, length] = parts;
  const isWhole =
    first === undefined
      ? Number(length) === 0
      : first === "0" && Number(last) + 1 === Number(length);
  if (!isWhole) return "its Content-Range does not cover the whole length";
  if (unit.toLowerCase() === "bytes" || Number(length) <= elements) return null;
  return `its Content-Range is of ${length}, and ${elements} came`;
}

function problemOfTotal(total: string | null, elements: number): string | null {
  const digits = /^\d{1,15}$/.exec(total?.trim() ?? "")?.[0];
  if (digits === undefined || Number(digits) <= elements) return null;
  return `its X-Total-Count is ${digits}, and ${elements} came`;
}

const nextPageName =
  /^(next|next_?(page|url|link|cursor|token|page_token)|has_?(more|next|next_?page))$/i;
const lengthName = /^(count|total|total_?(count|items|rows|results))$/i;
const linksName = /^(links?|_links|meta|paging|pagination|page_?info)$/i;

/**
 * Names of fields that report an error or a state of the request. The list itself can have such a
 * name.
 */
const errorName =
  /^(details?|errors?|error_?(code|details?|messages?|text)|non_field_errors|messages?|codes?|status|status_?code|title|fault|exception|reason|warnings?)$/i;
/** Names of fields that report an error if they are false. */
const successName = /^(success|successful|ok)$/i;

/** Maximum size of the object without its rows in characters. */
const sizeLimit = 64 * 1024;

const tooLargeWords = "The body is a JSON object with more than 64 KiB around its rows.";

/** Collects the text of the object around a list, without the rows. */
export class ListEnvelope {
  /** The text so far, one character per byte, or null if the object is too large. */
  #text: string | null = "{";

  /** Adds bytes outside the rows, including the list's brackets. */
  add(bytes: Uint8Array, from: number, to: number): void {
    if (this.#text === null || from === to) return;
    const more = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
    this.#text = this.#text.length + more.length > sizeLimit ? null : this.#text + more;
  }

  /**
   * Marks the open list as the one with items. Returns the reason why it is no list of accounts, or
   * null if nothing before the items reports an error.
   */
  problemAtItems(): string | null {
    if (this.#text === null) return tooLargeWords;
    // The items are not in the text. The number stands for them.
    this.#text += "0";
    return problemOfError(JSON.parse(`${this.#text}]}`));
  }

  /**
   * Returns the reason why the whole object is no complete list of `rows` rows and `unreadable`
   * other elements, or null if it is one.
   */
  problem(rows: number, unreadable: number): string | null {
    const text = this.#text;
    if (text === null) return tooLargeWords;
    if (!isUtf8(Buffer.from(text, "latin1")))
      return "The body is a JSON object that is not UTF-8 text.";
    const repeated = repeatedField(text);
    if (repeated !== null) return `The body has the field "${repeated.at(-1)}" twice.`;
    const outer: unknown = JSON.parse(text);
    const problem = problemOfError(outer);
    if (problem !== null) return problem;
    if (rows === 0) return "The body is a JSON object without a list of accounts.";
    const more = isRecord(outer) ? signOfMoreRows(outer, rows + unreadable) : null;
    return more === null ? null : incompleteListSentence(more);
  }
}

function problemOfError(outer: unknown): string | null {
  const name = isRecord(outer) ? signOfError(outer) : null;
  return name === null ? null : `The body is not a list of accounts: it has "${name}".`;
}

function signOfError(fields: Readonly<Record<string, unknown>>): string | null {
  for (const [name, value] of Object.entries(fields)) {
    if (errorName.test(name) && isSet(value)) return name;
    if (successName.test(name) && value === false) return name;
    const inner = linksName.test(name) && isRecord(value) ? signOfError(value) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function signOfMoreRows(fields: Readonly<Record<string, unknown>>, rows: number): string | null {
  for (const [name, value] of Object.entries(fields)) {
    if (nextPageName.test(name) && isSet(value)) return `its "${name}" is set`;
    if (lengthName.test(name) && typeof value === "number" && value > rows)
      return `its "${name}" is ${value}, and ${rows} came`;
    const inner = linksName.test(name) && isRecord(value) ? signOfMoreRows(value, rows) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function isSet(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "" && value !== 0;
}
