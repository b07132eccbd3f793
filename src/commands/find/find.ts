/**
 * The command `find`: searches account numbers at all suppliers of a profile (INTERFACE 4.8–4.11).
 */

import type { Command } from "commander";
import { isServiceError } from "../../api/errors.ts";
import { adHocName } from "../../settings/sandbox-profile.ts";
import { plural } from "../../text/numbers.ts";
import type { FindSources } from "../../triage/find/find.ts";
import { type FindProgress, find } from "../../triage/find/find.ts";
import type { FoundAccount } from "../../triage/find/found.ts";
import { hitVerdict } from "../../triage/find/hit-verdict.ts";
import { type SearchedAccounts, storedAccounts } from "../../triage/find/searched-accounts.ts";
import { type ImportPace, readImportPace } from "../../triage/import-pace.ts";
import { maxLookups } from "../../triage/lookups.ts";
import { Matching } from "../../triage/reconcile/matching.ts";
import { takeList, type WholeListRows } from "../../triage/reconcile/take-list.ts";
import { type Source, SourceBuilder } from "../../triage/source/source.ts";
import { noListedTimes } from "../../triage/verdict.ts";
import { readWholeList } from "../../triage/whole-list.ts";
import { createBudget } from "../../watch/budget.ts";
import { isCredentialError } from "../../watch/poll.ts";
import { usageError } from "../command-error.ts";
import { addNumbers, type FromOption } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import { withObservations } from "../observing.ts";
import { identifierArguments } from "../option-values.ts";
import { progressLine } from "../progress-line.ts";
import type { Target } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { numbersGiven, numbersInText } from "./numbers-given.ts";
import { foundColumns, printFound, type Searched } from "./print-found.ts";

export const verb: Verb = {
  declare: (command: Command) =>
    addNumbers(command, "number")
      .option(
        "--supplier <supplier>",
        "search this supplier (repeatable; default: all of the profile)",
        identifierArguments,
      )
      .option("--lists-only", "search the lists only; request no single account"),
  columns: foundColumns,
  /**
   * Loads the list of each supplier, and requests the status of numbers that are not listed. Returns
   * 0 if every number is known, and 5 if a number is unknown although every supplier responded.
   */
  run: async (invocation, named: readonly string[], options: Options) =>
    searchNumbers(invocation, named, options, (searched) => printFound(invocation, searched)),
  exits: exits.read,
  examples: [
    "supplyline find EXT-0000001",
    "supplyline find EXT-0000001 NORTH-0000941 --json",
    "supplyline find 0941   # a part of a number: similar numbers are named",
    "supplyline find --from accounts.csv --lists-only --format csv",
    "supplyline find EXT-0000001 --supplier ACME --supplier NORTH",
    "supplyline find - < message.txt   # the numbers in any text",
  ],
};

export async function searchNumbers<T>(
  invocation: Invocation,
  named: readonly string[],
  options: Options,
  work: (searched: Searched) => Promise<T>,
): Promise<T> {
  const given = await numbersGiven(invocation, { named, from: options.from });
  return withObservations(invocation, async (observing, target) => {
    const suppliers = suppliersFor(target, options);
    const inText =
      given.text === null ? [] : await numbersInText(invocation, observing, suppliers, given.text);
    const wanted = [...new Set([...given.numbers.map((number) => number.trim()), ...inText])];
    const requestsStatuses = options.listsOnly !== true;
    if (requestsStatuses) checkLimit(wanted.length, suppliers.length);
    const { clock, signal } = invocation.io;
    const progress = progressLine(invocation);
    const sources = sourcesFor({
      invocation,
      target,
      observing,
      suppliers,
      requestsStatuses,
      onListing: (supplier, rows) =>
        progress?.draw(() => `Listing ${supplier}: ${plural(rows, "account")}`),
    });
    const search = await find(wanted, sources, {
      signal,
      now: () => clock.now() - target.service.wrongByMs(),
      onProgress: (_, step) => progress?.draw(() => progressWords(step)),
    }).finally(() => progress?.clear());
    const verdictOn = hitVerdicts(observing);
    return work({ target, search, by: requestsStatuses ? "status" : "lists", verdictOn });
  });
}

/** Returns the verdicts on hits. Reads the imports of each supplier once. */
function hitVerdicts({ read }: Observing): Searched["verdictOn"] {
  const paces = new Map<string, Promise<ImportPace | null>>();
  const paceOf = async (supplier: string) =>
    (await read((observations) => readImportPace(observations, supplier))) ?? null;
  return async (hit, now) => {
    const { supplier, number } = hit;
    const pace = paces.get(supplier) ?? paceOf(supplier);
    paces.set(supplier, pace);
    const subject = { kind: "account", supplier, number } as const;
    const timeline = await read((observations) => observations.timeline(subject));
    return hitVerdict(hit, now, timeline ?? [], await pace);
  };
}

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
    profile.name === adHocName
      ? "Name one: supplyline find NUMBER --supplier CODE. A profile from the environment stores none."
      : "Name one with --supplier CODE, or add it: supplyline suppliers add CODE.",
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
      return "Searching for similar numbers";
    case "asking":
      return `Requesting accounts on no list, 8 per second: ${step.done} of ${step.total}`;
  }
}

/** Returns the sources of a search. Current lists are recorded as observations. */
function sourcesFor(options: {
  readonly invocation: Invocation;
  readonly target: Target;
  readonly observing: Observing;
  readonly suppliers: readonly string[];
  readonly requestsStatuses: boolean;
  readonly onListing: (supplier: string, rows: number) => void;
}): FindSources {
  const { invocation, target, observing, suppliers, requestsStatuses, onListing } = options;
  const { service } = target;
  const { clock } = invocation.io;
  const { timeoutMs } = invocation.request;
  let refusal: unknown = null;
  const unlessRefused = async <T>(request: () => Promise<T>): Promise<T> => {
    if (refusal !== null) throw refusal;
    try {
      return await request();
    } catch (error) {
      if (isCredentialError(error)) refusal = error;
      throw error;
    }
  };
  return {
    suppliers,
    list: (supplier, wanted, signal) =>
      unlessRefused(async () => {
        const observations = await observing.recorderOf(supplier);
        const listOptions = { clock, signal, timeoutMs, observations };
        const list = readWholeList(service, supplier, listOptions);
        const onRows = (rows: number) => onListing(supplier, rows);
        const startedAt = clock.now();
        try {
          const { accounts, end } = await readMatched(wanted, list, { signal, onRows });
          await end.recorded;
          // Corrects the time by the error of this clock, because stored lists have the service's
          // time.
          return [{ ...accounts, at: end.listedAt - service.wrongByMs() }];
        } catch (error) {
          if (!isServiceError(error, "not-found")) throw error;
          invocation.warn(`${supplier}: there is no such supplier, or nothing to list (404).`);
          return [pickedAccounts(new Map(), startedAt)];
        }
      }),
    async stored(supplier, signal) {
      const ages = await observing.read((observations) => observations.ages(supplier, signal));
      return ages ? [storedAccounts(ages)] : [];
    },
    requests: requestsStatuses
      ? {
          status: (supplier, number, signal) =>
            unlessRefused(async () => {
              const options = { signal, timeoutMs };
              const { value } = await service.accounts.status(supplier, number, options);
              observing.saw({ kind: "account", supplier, number }, value.status);
              return value;
            }),
          budget: createBudget(clock),
        }
      : null,
  };
}

/**
 * Reads a complete list and stores only the rows with a wanted number, so that similar numbers are
 * not found in the list. Rejects with the error of the list, or with the signal's reason.
 */
async function readMatched<End extends { rows: number; listedAt: number }>(
  wanted: readonly string[],
  list: WholeListRows<End>,
  options: { readonly signal: AbortSignal; readonly onRows?: (listed: number) => void },
): Promise<{ readonly accounts: SearchedAccounts; readonly end: End }> {
  const matching = new Matching(sourceOf(wanted), false);
  const end = await takeList(matching, list, options);
  const accounts = new Map<string, FoundAccount>();
  for (const [row, number] of wanted.entries()) {
    const state = matching.classOf(row);
    if (state !== "imported" && state !== "pending") continue;
    const { service, created } = matching.facts.of(matching.linkOf(row));
    const createdAt = Date.parse(created ?? "");
    const isDated = state === "imported" && !Number.isNaN(createdAt);
    const times = { ...noListedTimes, createdAt: isDated ? createdAt : null };
    accounts.set(number, { number, state, serviceNumber: service, times });
  }
  return { accounts: pickedAccounts(accounts, end.listedAt), end };
}

function pickedAccounts(
  accounts: ReadonlyMap<string, FoundAccount>,
  listedAt: number,
): SearchedAccounts {
  return {
    at: listedAt,
    isWhole: true,
    find: (number) => accounts.get(number) ?? null,
    rows: null,
  };
}

function sourceOf(numbers: readonly string[]): Source {
  const bytes = numbers.reduce((sum, number) => sum + Buffer.byteLength(number), 0);
  const builder = new SourceBuilder(bytes);
  for (const [index, number] of numbers.entries()) builder.addExact(index + 1, number);
  return builder.finish("numbers", "text");
}
