/** The words for observations: output fields of commands, and problems of recording a list. */

import { errorLine } from "../../errors/error-words.ts";
import { asCommand } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import { fieldsOf } from "../../text/fields.ts";
import { count, plural } from "../../text/numbers.ts";
import { sharedFields } from "../../text/shared-fields.ts";
import type { Change, Recorded, StoredObservations } from "./observations.ts";

const utcText = "text, UTC";

const change = fieldsOf<Change>();
const stored = fieldsOf<StoredObservations>();

export const changeFields = {
  account: change(...sharedFields.account, ({ external }) => external),
  change: change(
    "change",
    "text",
    "`staged`, `imported`, `gone`, `returned`, `renumbered` (another service account number) or `removed` (was imported, no longer listed).",
    ({ change }) => change,
  ),
  from: change(
    "from",
    "text or null",
    "`pending`, `imported`, `gone` or `removed`, and null for a new account; for `renumbered` the service account number.",
    ({ from }) => from,
  ),
  to: change(
    "to",
    "text or null",
    "The state or service account number after the change, as in `from`.",
    ({ to }) => to,
  ),
  seenAt: change(
    "seen_at",
    utcText,
    "The time at which the list with the change was requested.",
    ({ seenAt }) => utcInstant(seenAt),
  ),
};

export const storedFields = {
  supplier: stored(...sharedFields.supplier, ({ supplier }) => supplier),
  origin: stored(
    ["origin", "Service"],
    "text",
    "The address of the service.",
    ({ origin }) => origin,
  ),
  observations: stored(
    "observations",
    "number",
    "Complete lists that were recorded.",
    ({ observations }) => observations,
  ),
  firstAt: stored(
    "first_at",
    utcText,
    "The time at which the first list was requested.",
    ({ firstAt }) => utcInstant(firstAt),
  ),
  lastAt: stored(
    "last_at",
    utcText,
    "The time at which the last list was requested.",
    ({ lastAt }) => utcInstant(lastAt),
  ),
  accounts: stored(
    "accounts",
    "number",
    "Accounts that are known, listed or not.",
    ({ accounts }) => accounts,
  ),
  bytes: stored("bytes", "number", "The approximate size on the disk.", ({ bytes }) => bytes),
};

/**
 * Returns the notice about a load of a supplier's list, or null if there is none. `short` is for
 * one line of a screen and begins with the remedy, because the end of a long line is cut off.
 * `profile` is the value for `--profile`.
 */
export function recordedWords(
  supplier: string,
  recorded: Recorded,
  profile: string | null,
): { readonly whole: string; readonly short: string } | null {
  if (recorded.kind === "off" && recorded.why !== null) {
    return {
      whole: `This list is not recorded as an observation: ${recorded.why}`,
      short: `Ages are not recorded; supplyline doctor checks it. ${recorded.why}`,
    };
  }
  if (recorded.kind !== "held-back") return null;
  const { before, now } = recorded;
  const lists = `${supplier} lists ${plural(now, "account")}`;
  const confirm = asCommand({ kind: "observations-confirm", supplier }, profile);
  return {
    whole: `${lists}, and listed ${count(before)} before. This list is not recorded as an observation. If it is right: ${confirm}`,
    short: `${lists} after ${count(before)}. If right: ${confirm}`,
  };
}

/** Returns the notice that the history of the team could not be read. Null: it was not waited for. */
export function awayWords(error: unknown): string {
  const why =
    error === null
      ? "The team's database does not answer."
      : errorLine(error, { doing: "reading the team's history" });
  return `Ages and changes are those of this machine. ${why}`;
}

/** Returns the notice about lists that were made while the team's database was away. */
export function droppedWords(supplier: string, lists: number): string {
  const left = lists === 1 ? "is left out" : "are left out";
  return `${plural(lists, "list")} of ${supplier} that this machine recorded ${left}: the team's database was away, and later lists of colleagues count.`;
}

/**
 * Returns a function that shows the notice about a recorded load, unless the last load of the
 * supplier had the same result.
 */
export function reportRecorded(notice: { set(words: string): void }, profile: string | null) {
  let isOff = false;
  const heldBack = new Set<string>();
  return (supplier: string, recorded: Recorded): void => {
    const isKnown = recorded.kind === "held-back" ? heldBack.has(supplier) : isOff;
    if (recorded.kind === "held-back") heldBack.add(supplier);
    else heldBack.delete(supplier);
    isOff = recorded.kind === "off";
    const words = recordedWords(supplier, recorded, profile)?.short ?? null;
    if (words !== null && !isKnown) notice.set(words);
  };
}
