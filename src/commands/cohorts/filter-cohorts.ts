import type { AccountFacts } from "../../accounts/filter-facts.ts";
import type { FilterQuery } from "../../accounts/filter-query.ts";
import type { NumberSet } from "../../triage/account-numbers.ts";
import type { Invocation } from "../invocation.ts";
import { cohortsOf } from "./cohort-entry.ts";

/** The lookup of a cohort by its name, for a filter of accounts. */
type FilterCohorts = AccountFacts["cohort"];

/**
 * Reads the cohorts that a filter names, for the accounts of a supplier. Rejects with a cohort
 * error.
 */
export async function filterCohorts(
  invocation: Invocation,
  supplier: string,
  { words }: FilterQuery,
): Promise<FilterCohorts> {
  const members = new Map<string, NumberSet>();
  for (const word of words) {
    if (word.kind !== "cohort" || members.has(word.name)) continue;
    const { numbers } = await cohortsOf(invocation).read(word.name, supplier);
    members.set(word.name, numbers);
  }
  return (name) => {
    const numbers = members.get(name);
    if (numbers === undefined) return { kind: "unknown", why: `There is no cohort "${name}".` };
    const has = (bytes: Uint8Array, from: number, to: number) => numbers.find(bytes, from, to) >= 0;
    return { kind: "known", value: { has } };
  };
}
