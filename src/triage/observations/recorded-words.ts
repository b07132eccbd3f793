/** Describes problems of recording a list, for screens and commands. */
import { asCommand } from "../../text/as-command.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Recorded } from "./observations.ts";

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
