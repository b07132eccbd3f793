/** Examines the JSON object around an account list for signs that the list has more rows. */
import { isRecord } from "../../json/exact.ts";
import { partOfListWords } from "./part-of-list.ts";

/** Names of fields for the next page, or for the fact that there is one. */
const goesOn =
  /^(next|next_?(page|url|link|cursor|token|page_token)|has_?(more|next|next_?page))$/i;
/** Names of fields for the length of the whole list. */
const whole = /^(count|total|total_?(count|items|rows|results))$/i;
/** Names of objects that can contain such fields. */
const around = /^(links?|_links|meta|paging|pagination|page_?info)$/i;

/** Maximum size of the object in characters. A larger object is not examined. */
const sizeLimit = 64 * 1024;

/** The object around a list, collected piece by piece without the rows. */
export class ListEnvelope {
  /** The text of the object. Only names matter in it, and it is never shown. */
  #text: string | null = "{";

  /** Adds bytes outside the rows, including the list's brackets. */
  keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.#text === null || from === to) return;
    const more = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
    this.#text = this.#text.length + more.length > sizeLimit ? null : this.#text + more;
  }

  /**
   * Returns the reason why a list of `rows` rows is not complete according to this object, or null
   * if nothing in it indicates more rows. INTERFACE 4 shows no paging, so a page must not be
   * accepted as the whole list.
   */
  lack(rows: number): string | null {
    let said: unknown;
    try {
      said = JSON.parse(this.#text ?? "");
    } catch {
      return null;
    }
    const more = isRecord(said) ? moreIn(said, rows) : null;
    if (more === null) return null;
    return partOfListWords(more);
  }
}

function moreIn(said: Readonly<Record<string, unknown>>, rows: number): string | null {
  for (const [name, value] of Object.entries(said)) {
    if (goesOn.test(name) && leadsOn(value)) return `its "${name}" is set`;
    if (whole.test(name) && typeof value === "number" && value > rows)
      return `its "${name}" is ${value}, and ${rows} came`;
    const inner = around.test(name) && isRecord(value) ? moreIn(value, rows) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function leadsOn(value: unknown): boolean {
  return value !== null && value !== false && value !== "" && value !== 0;
}
