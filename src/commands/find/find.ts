/**
 * The command `find`: searches account numbers at all suppliers of a profile (INTERFACE 4.8–4.11).
 */

import type { Command } from "commander";
import { plural } from "../../text/numbers.ts";
import { type FindProgress, find } from "../../triage/find/find.ts";
import { maxLookups } from "../../triage/lookups.ts";
import { accountsGiven, addNumbers, type FromOption } from "../accounts/numbers-file.ts";
import { usageError } from "../command-error.ts";
import { progressLine } from "../drawn-line.ts";
import { withObservations } from "../observing.ts";
import { identifierArguments } from "../option-values.ts";
import type { Target } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { foundColumns, printFound } from "./print-found.ts";
import { sourcesFor } from "./sources.ts";

export const verb: Verb = {
  examples: [
    "supplyline find EXT-0000001",
    "supplyline find EXT-0000001 NORTH-0000941 --json",
    "supplyline find 0941   # a part of a number: similar numbers are named",
    "supplyline find --from accounts.csv --lists-only --format csv",
    "supplyline find EXT-0000001 --supplier ACME --supplier NORTH",
  ],
  exits: exits.read,
  columns: foundColumns,
  declare: (command: Command) =>
    addNumbers(command, "number")
      .option(
        "--supplier <supplier>",
        "search this supplier (repeatable; default: all of the profile)",
        identifierArguments,
      )
      .option("--lists-only", "search the lists only; request no single account"),
  /**
   * Loads the list of each supplier, and requests the status of numbers that are not listed. Ends
   * with 0 if every number is known, and with 5 if a number is unknown although every supplier
   * answered.
   */
  async run(invocation, named: readonly string[], options: Options) {
    const given = await accountsGiven(invocation, "find", named, options.from);
    const wanted = [...new Set(given.map((number) => number.trim()))];
    return withObservations(invocation, async (observing, target) => {
      const suppliers = suppliersFor(target, options);
      const isAsking = options.listsOnly !== true;
      if (isAsking) checkLimit(wanted.length, suppliers.length);
      const { clock, signal } = invocation.io;
      const progress = progressLine(invocation);
      const sources = sourcesFor({
        invocation,
        target,
        observing,
        suppliers,
        isAsking,
        onListing: (supplier, rows) =>
          progress?.draw(() => `Listing ${supplier}: ${plural(rows, "account")}`),
      });
      const search = await find(wanted, sources, {
        signal,
        now: () => clock.now() - target.service.wrongByMs(),
        onProgress: (_, step) => progress?.draw(() => progressWords(step)),
      }).finally(() => progress?.clear());
      return printFound(invocation, target, search, isAsking ? "status" : "lists");
    });
  },
};

interface Options extends FromOption {
  readonly supplier?: readonly string[];
  readonly listsOnly?: boolean;
}

/** Returns the suppliers to search. Throws `usage` if there are none. */
function suppliersFor({ profile }: Target, { supplier: named }: Options): readonly string[] {
  const suppliers = [...new Set(named ?? profile.suppliers)];
  if (suppliers.length > 0) return suppliers;
  throw usageError(
    "the profile has no supplier to search",
    "Name one with --supplier CODE, or add it: supplyline suppliers add CODE.",
  );
}

/** Throws `usage` before the first request if a search can need more requests than allowed. */
function checkLimit(numbers: number, suppliers: number): void {
  if (numbers * suppliers <= maxLookups) return;
  throw usageError(
    `${plural(numbers, "number")} at ${plural(suppliers, "supplier")} can take ${plural(numbers * suppliers, "request")}, and find makes at most ${plural(maxLookups, "request")}`,
    "Nothing was requested. Search fewer numbers at a time, name suppliers with --supplier, or use --lists-only, which takes any number of them.",
  );
}

function progressWords(step: FindProgress): string {
  switch (step.phase) {
    case "lists":
      return "Reading the observations";
    case "similar":
      return "Searching similar numbers";
    case "asking":
      return `Requesting accounts on no list, 8 per second: ${step.done} of ${step.total}`;
  }
}
