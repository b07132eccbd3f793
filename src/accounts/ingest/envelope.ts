/** The object around a list: it can say that the list continues. */
import { isRecord } from "../../json/exact.ts";
import { partOfListWords } from "./part-of-list.ts";

/** Names under which services write where a list goes on, or that it does. */
const goesOn =
  /^(next|next_?(page|url|link|cursor|token|page_token)|has_?(more|next|next_?page))$/i;
/** Names under which they write how long the whole list is. */
const whole = /^(count|total|total_?(count|items|rows|results))$/i;
/** Objects that such fields stand in. */
const around = /^(links?|_links|meta|paging|pagination|page_?info)$/i;

/** More than this of it is not looked into. */
const sizeLimit = 64 * 1024;

/** The object that a list stands in, gathered piece by piece without the rows. */
export class ListEnvelope {
  /** Names are all that matters in it: no text of it is shown. */
  #text: string | null = "{";

  /** Takes what lies outside the rows, the list's own brackets included. */
  keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.#text === null || from === to) return;
    const more = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1");
    this.#text = this.#text.length + more.length > sizeLimit ? null : this.#text + more;
  }

  /**
   * Why a list of `rows` is not the whole one, by what this object says; null when nothing in it
   * speaks of more. INTERFACE 4 shows no paging: a page must not pass for the list.
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
