import { count, plural } from "../../text/numbers.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import type { Recorded } from "./observations.ts";

/** What has to be said about a load of a supplier's list; null where nothing has. */
export function recordedWords(supplier: string, recorded: Recorded): string | null {
  switch (recorded.kind) {
    case "recorded":
    case "late":
      return null;
    case "off":
      return recorded.why === null
        ? null
        : `This list is not recorded as an observation: ${recorded.why}`;
    case "held-back": {
      const { before, now } = recorded;
      return `${supplier} lists ${plural(now, "account")}, and listed ${count(before)} before. This list is not recorded as an observation. If it is right: supplyline observations confirm ${shellQuote(supplier)}`;
    }
  }
}

/**
 * The same for one line of a screen, with what to do first: the end of a long line is cut. Null where
 * nothing has to be said.
 */
export function shortRecordedWords(supplier: string, recorded: Recorded): string | null {
  switch (recorded.kind) {
    case "recorded":
    case "late":
      return null;
    case "off":
      return recorded.why === null
        ? null
        : `Ages are not recorded; supplyline doctor checks it. ${recorded.why}`;
    case "held-back": {
      const { before, now } = recorded;
      const change = `${supplier} lists ${plural(now, "account")} after ${count(before)}`;
      return `${change}. If right: supplyline observations confirm ${shellQuote(supplier)}`;
    }
  }
}
