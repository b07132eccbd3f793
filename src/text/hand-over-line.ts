/** Formats one line about an account or supply point for a chat or a ticket. */
import { utcInstant } from "./dates.ts";
import { safe } from "./sanitize.ts";

/** The start of a state, as far as known. Times are epoch milliseconds. */
export interface StateSince {
  readonly at: number;
  /** True if the state might be older, because the first check already found it. */
  readonly orEarlier: boolean;
}

/** A note that was sent from this machine. */
export interface LastNote {
  /** The text of the note, or null if it is no longer stored. */
  readonly body: string | null;
  /** The outcome of the note, in the journal's words. */
  readonly outcome: string;
  readonly at: number;
}

interface HandOver {
  readonly supplier: string;
  readonly number: string;
  /** The state in words, or null before the first check. */
  readonly state: string | null;
  readonly serviceNumber: string;
  readonly since: StateSince | null;
  readonly note: LastNote | null;
  /** The command that opens the item, or null if no shell can represent it. */
  readonly command: string | null;
}

const longestNote = 200;

/**
 * Returns one line for a chat or a ticket: the item, its state, the start of the state (UTC), the
 * last note, and the command that opens it.
 */
export function handOverLine(about: HandOver): string {
  const { supplier, number, state, serviceNumber, since, note, command } = about;
  const head = [
    `${supplier} ${number}: ${state ?? "not checked yet"}`,
    ...(serviceNumber === "" ? [] : [`(${serviceNumber})`]),
    ...(since === null ? [] : [sinceWords(since)]),
  ].join(" ");
  const parts = [head, ...(note === null ? [] : [noteWords(note)]), ...(command ? [command] : [])];
  return parts.map((part) => safe(part.replace(/\s+/g, " ").trim())).join("; ");
}

function sinceWords({ at, orEarlier }: StateSince): string {
  return `since ${utcInstant(at)}${orEarlier ? " or earlier" : ""}`;
}

function noteWords({ body, outcome, at }: LastNote): string {
  const doubt = outcome === "confirmed" ? "" : `, ${outcome}`;
  const words = Array.from((body ?? "").replace(/\s+/g, " ").trim());
  const cut = words.length > longestNote ? "…" : "";
  const text =
    body === null ? "no longer stored" : `"${words.slice(0, longestNote).join("")}${cut}"`;
  return `last note ${utcInstant(at)}${doubt}: ${text}`;
}
