import { utcInstant } from "./dates.ts";
import { safe } from "./sanitise.ts";

/** Since when a state is known. Times are epoch milliseconds. */
export interface SinceKnown {
  readonly at: number;
  /** It was there when it was first seen: it can be older. */
  readonly orEarlier: boolean;
}

/** A note that was sent from this machine. */
export interface LeftNote {
  /** Null where its text is no longer stored. */
  readonly body: string | null;
  /** As the journal names it. */
  readonly outcome: string;
  readonly at: number;
}

interface HandOver {
  readonly supplier: string;
  readonly number: string;
  /** In words; null before the first answer. */
  readonly state: string | null;
  readonly serviceNumber: string;
  readonly since: SinceKnown | null;
  readonly note: LeftNote | null;
  /** The command that opens it; null where no shell can write one. */
  readonly command: string | null;
}

const longestNote = 200;

/**
 * One line for a chat or a ticket: what it is, how it stands, since when (UTC), the last note, and the
 * command that opens it.
 */
export function handOverLine(about: HandOver): string {
  const { supplier, number, state, serviceNumber, since, note, command } = about;
  const stands = [
    `${supplier} ${number}: ${state ?? "not checked yet"}`,
    ...(serviceNumber === "" ? [] : [`(${serviceNumber})`]),
    ...(since === null ? [] : [sinceWords(since)]),
  ].join(" ");
  const parts = [
    stands,
    ...(note === null ? [] : [noteWords(note)]),
    ...(command ? [command] : []),
  ];
  return parts.map((part) => safe(part.replace(/\s+/g, " ").trim())).join("; ");
}

function sinceWords({ at, orEarlier }: SinceKnown): string {
  return `since ${utcInstant(at)}${orEarlier ? " or earlier" : ""}`;
}

function noteWords({ body, outcome, at }: LeftNote): string {
  const doubt = outcome === "confirmed" ? "" : `, ${outcome}`;
  const words = Array.from((body ?? "").replace(/\s+/g, " ").trim());
  const cut = words.length > longestNote ? "…" : "";
  const text =
    body === null ? "no longer stored" : `"${words.slice(0, longestNote).join("")}${cut}"`;
  return `last note ${utcInstant(at)}${doubt}: ${text}`;
}
