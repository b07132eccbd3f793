/** Collects the facts for `check` from the service, the observations and the journal. */

import { plural } from "../../text/numbers.ts";
import { type CheckConditions, type CheckFacts, sampled } from "../../triage/check/conditions.ts";
import { type CheckedList, gatherFacts } from "../../triage/check/gather-facts.ts";
import { createBudget } from "../../watch/budget.ts";
import { failedCall } from "../command-error.ts";
import { type ExitCode, errorCodes } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { type Observing, withObservations } from "../observing.ts";
import { openWorkIfReadable } from "../open-work.ts";
import type { Target } from "../target.ts";
import { printProgress } from "../writes/progress.ts";

/** The conditions to check, and the accounts that they are about. */
interface Question {
  readonly supplier: string;
  readonly asked: CheckConditions;
  readonly list: CheckedList | null;
}

export interface Checked {
  readonly facts: CheckFacts;
  /** The exit codes of failed lookups. The conditions are valid in spite of them. */
  readonly failures: readonly ExitCode[];
}

/**
 * Collects the facts for the conditions. Rejects with the error of the call if the list is not
 * complete.
 */
export async function checkedFacts(invocation: Invocation, question: Question): Promise<Checked> {
  return withObservations(invocation, (observing, target) => {
    return factsFrom(invocation, target, observing, question);
  });
}

async function factsFrom(
  invocation: Invocation,
  target: Target,
  observing: Observing,
  { supplier, asked, list }: Question,
): Promise<Checked> {
  const { io, globals } = invocation;
  const about = { kind: "supplier", supplier } as const;
  const entries = asked.unknownWrites ? await unknownNumbers(invocation, target, supplier) : [];
  const inScope =
    entries?.filter((number) => list === null || list.numbers.rowOf(number) >= 0) ?? null;
  try {
    const { facts, lookupErrors } = await gatherFacts({
      service: target.service,
      supplier,
      asked,
      list,
      unknownWrites: inScope && {
        count: inScope.length,
        sample: sampled([...new Set(inScope)]).sample,
      },
      observations: observing.observations,
      async ages() {
        return (await observing.read((known) => known.ages(supplier, io.signal))) ?? null;
      },
      budget: createBudget(io.clock),
      clock: io.clock,
      signal: io.signal,
      timeoutMs: globals.timeoutMs,
    });
    if (asked.gone && facts.historySince === facts.listedAt)
      printProgress(
        invocation,
        `This is the first stored list of ${supplier}: accounts can be found gone from the next one on.`,
      );
    const codes = lookupErrors.map(({ kind }) => errorCodes[kind]);
    const [first] = lookupErrors;
    if (first !== undefined) {
      const { message } = failureOf(first, target.context("looking up accounts", about));
      invocation.warn(`${plural(lookupErrors.length, "lookup")} failed. ${message}`);
    }
    return { facts, failures: codes };
  } catch (error) {
    io.signal.throwIfAborted();
    throw failedCall(error, target.context(`checking the accounts of ${supplier}`, about));
  }
}

/**
 * Returns the numbers in the unknown entries of a supplier, newest first, or null if the journal
 * cannot be read.
 */
async function unknownNumbers(
  invocation: Invocation,
  target: Target,
  supplier: string,
): Promise<readonly string[] | null> {
  const { listOpenEntries } = await import("../../writes/open-entries.ts");
  const open = await openWorkIfReadable(
    invocation,
    target,
    ({ journal }, baseUrl) => listOpenEntries(journal, baseUrl, invocation.io.signal),
    [],
  );
  if (open === null) return null;
  return open
    .filter((entry) => entry.outcome === "unknown" && entry.import_supplier === supplier)
    .map((entry) => entry.external_account_number ?? entry.external_identifier ?? "");
}
