import type { Command } from "commander";
import { localZone } from "../../text/dates.ts";
import { spanEnd, spanStart, type TimeBound } from "../../text/time-bounds.ts";
import type { ActivityFilter, ActivityOutcome } from "../../writes/activity.ts";
import { entryFields, teamEntryFields } from "../../writes/entry-fields.ts";
import type { TeamActivityRow } from "../../writes/team/colleagues.ts";
import { usageError } from "../command-error.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { choiceOption, wholeNumberOption } from "../option-values.ts";
import type { Column } from "../rows/columns.ts";

export const activityColumns = Object.values(entryFields);

export const teamActivityColumns: readonly Column<TeamActivityRow>[] = teamEntryFields;

const outcomes: readonly ActivityOutcome[] = [
  "unsent",
  "sending",
  "confirmed",
  "rejected",
  "retryable",
  "unknown",
  "closed",
];

export interface ActivityOptions {
  readonly outcome?: readonly ActivityOutcome[];
  readonly account?: string;
  readonly supplyPoint?: string;
  readonly supplier?: string;
  readonly run?: string;
  /** As typed: a day, a time, or a duration before now. */
  readonly since?: string;
  /** As typed. A day without a time means the end of the day. */
  readonly until?: string;
  readonly limit?: number;
  readonly ofProfile?: string;
}

/** The filter options that `activity summary` has, too. */
export const filterOptions = {
  supplier: ["--supplier <code>", "only of this import supplier"],
  run: ["--run <id>", "only of this bulk run"],
  ofProfile: ["--of-profile <name>", "only those that this profile sent"],
  since: ["--since <time>", "only entries since this time: yesterday, 2026-11-20, 24h (ago)"],
  until: ["--until <time>", "only entries until this time; a day counts to its end"],
} as const;

export function addActivityFilters(command: Command): Command {
  const outcome = choiceOption(outcomes);
  return command
    .option(
      "--outcome <outcome>",
      `only these outcomes (repeatable): ${outcomes.join(", ")}`,
      (text: string, before: readonly ActivityOutcome[] = []) => [...before, outcome(text)],
    )
    .option(...filterOptions.supplier)
    .option("--account <number>", "only of this external account number")
    .option("--supply-point <id>", "only of this external identifier")
    .option(...filterOptions.run)
    .option(...filterOptions.ofProfile)
    .option(...filterOptions.since)
    .option(...filterOptions.until)
    .option("--limit <n>", "at most N entries", wholeNumberOption(1));
}

/**
 * Returns the filter for the journal. It selects the service of the selected profile, or every
 * service without a profile. It includes entries that other profiles sent to that service.
 */
export function activityFilter(options: ActivityOptions, invocation: Invocation): ActivityFilter {
  const { outcome, account, supplyPoint, supplier, run, limit, ofProfile } = options;
  return {
    baseUrl: selectedService(invocation),
    outcomes: outcome,
    externalAccountNumber: account,
    externalIdentifier: supplyPoint,
    importSupplier: supplier,
    profile: ofProfile,
    run,
    ...timeSpan(options, invocation.io.clock.now()),
    limit,
  };
}

/** Returns undefined without a profile, and for an embedded sandbox. */
export function selectedService(invocation: Invocation): string | undefined {
  return findTarget(invocation)?.profile.baseUrl ?? undefined;
}

/**
 * Returns the notice for no matching entry. It names the service and the state folder, because the
 * entry can belong to another service or be in another folder.
 */
export function noMatchWords(invocation: Invocation, { baseUrl }: ActivityFilter): string {
  const ofService = baseUrl === undefined ? "" : ` of ${baseUrl}`;
  return `No matching entries${ofService}${folderWords(invocation)}.`;
}

export function folderWords({ globals, folders }: Invocation): string {
  return globals.sandbox ? "" : ` in ${folders.stateDir}`;
}

function timeSpan(
  { since, until }: ActivityOptions,
  now: number,
): Pick<ActivityFilter, "since" | "before"> {
  // Most lists have no time limit. They skip the slow lookup of the local time zone.
  if (since === undefined && until === undefined) return {};
  const reference = { now, timeZone: localZone() };
  const start = since === undefined ? null : msOf("--since", since, spanStart(since, reference));
  const end = until === undefined ? null : msOf("--until", until, spanEnd(until, reference));
  if (start !== null && end !== null && end <= start) {
    const words = `--since ${JSON.stringify(since)} is after --until ${JSON.stringify(until)}`;
    throw usageError(words, "Give the earlier time as --since.");
  }
  return { since: start ?? undefined, before: end ?? undefined };
}

/** Returns a time in epoch milliseconds. Throws `usage` for a text that is no time. */
function msOf(flag: string, typed: string, bound: TimeBound): number {
  if (bound.ok) return bound.ms;
  throw usageError(`${flag} ${JSON.stringify(typed)} is no time`, bound.message);
}
