import { type SpanEdge, spanEnd, spanStart } from "../../forms/span-edge.ts";
import { localZone } from "../../text/dates.ts";
import type { ActivityFilter } from "../../writes/activity.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { ActivityOptions } from "./filter-options.ts";

/** What to look for in the journal; `--profile` narrows it down as well. */
export function activityFilter(options: ActivityOptions, invocation: Invocation): ActivityFilter {
  const { outcome, account, supplyPoint, supplier, run, limit } = options;
  const { profile } = invocation.globals;
  return {
    outcomes: outcome,
    externalAccountNumber: account,
    externalIdentifier: supplyPoint,
    importSupplier: supplier,
    profile,
    run,
    ...span(options, invocation.io.clock.now()),
    limit,
  };
}

/** The span of time that is meant, by this machine's zone. */
function span(
  { since, until }: ActivityOptions,
  now: number,
): Pick<ActivityFilter, "since" | "before"> {
  // Asking the machine for its zone takes a while, and most lists are of any time.
  if (since === undefined && until === undefined) return {};
  const at = { now, timeZone: localZone() };
  const first = since === undefined ? null : msOf("--since", since, spanStart(since, at));
  const end = until === undefined ? null : msOf("--until", until, spanEnd(until, at));
  if (first !== null && end !== null && end <= first) {
    const words = `--since ${JSON.stringify(since)} is after --until ${JSON.stringify(until)}`;
    throw new CommandError("usage", words, "The earlier of them belongs to --since.");
  }
  return { since: first ?? undefined, before: end ?? undefined };
}

function msOf(flag: string, typed: string, edge: SpanEdge): number {
  if (edge.ok) return edge.ms;
  throw new CommandError("usage", `${flag} ${JSON.stringify(typed)} is no time`, edge.message);
}
