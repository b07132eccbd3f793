/** Formats one line that describes an account or supply point in a chat or a ticket. */
import { utcInstant } from "./dates.ts";
import { safe } from "./sanitize.ts";

export interface LastNote {
  /** The text of the note, or null if it is no longer stored. */
  readonly body: string | null;
  readonly outcome: string;
  /** The time of the note, epoch milliseconds. */
  readonly at: number;
}

interface HandOver {
  readonly supplier: string;
  readonly number: string;
  /** The state in words, or null before the first check. */
  readonly state: string | null;
  readonly serviceNumber: string;
  readonly times: readonly string[];
  readonly note: LastNote | null;
  readonly command: string | null;
}

const maxNoteCharacters = 200;

/**
 * Returns one line for a chat or a ticket: the item, its state, the start of the state (UTC), the
 * last note, and the command that opens the item.
 */
export function handOverLine(item: HandOver): string {
  const { supplier, number, state, serviceNumber, times, note, command } = item;
  const head = [
    `${supplier} ${number}: ${state ?? "not checked yet"}`,
    ...(serviceNumber === "" ? [] : [`(${serviceNumber})`]),
    ...(times.length === 0 ? [] : [times.join(", ")]),
  ].join(" ");
  const parts = [head, ...(note === null ? [] : [noteWords(note)]), ...(command ? [command] : [])];
  return parts.map((part) => safe(part.replace(/\s+/g, " ").trim())).join("; ");
}

function noteWords({ body, outcome, at }: LastNote): string {
  const outcomeWords = outcome === "confirmed" ? "" : `, ${outcome}`;
  const characters = Array.from((body ?? "").replace(/\s+/g, " ").trim());
  const ellipsis = characters.length > maxNoteCharacters ? "…" : "";
  const text =
    body === null
      ? "no longer stored"
      : `"${characters.slice(0, maxNoteCharacters).join("")}${ellipsis}"`;
  return `last note ${utcInstant(at)}${outcomeWords}: ${text}`;
}
