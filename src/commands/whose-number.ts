/** Names the suppliers that list a number, for a command line that names no supplier. */
import { commandLine } from "../text/as-command.ts";
import { isListed, supplierNames } from "../triage/find/found.ts";
import { storedAccounts } from "../triage/find/searched-accounts.ts";
import { usageError } from "./command-error.ts";
import { findTarget } from "./find-target.ts";
import type { Invocation } from "./invocation.ts";
import { withObservations } from "./observing.ts";

/**
 * Returns a usage error if a word in the place of the supplier is an account number that the stored
 * lists have: it names the suppliers, with a command for each. Returns null for a supplier of the
 * profile and for an unknown number. Sends nothing. `words` are the words of the command.
 */
export async function numberWithoutSupplier(
  invocation: Invocation,
  word: string,
  words: readonly string[],
) {
  const suppliers = await suppliersListing(invocation, word);
  if (suppliers.length === 0) return null;
  const profile = invocation.globals.profile ?? null;
  const commands = suppliers.map((supplier) =>
    commandLine({ words, operands: [supplier, word] }, profile),
  );
  const names = supplierNames(suppliers.map((supplier) => ({ supplier })));
  return usageError(
    `${word} is an account of ${names}, and no supplier is named`,
    `Type: ${commands.filter((command) => command !== null).join("  or  ")}`,
  );
}

/** Returns the suppliers whose newest stored list has a number. An unreadable file has none. */
async function suppliersListing(
  invocation: Invocation,
  number: string,
): Promise<readonly string[]> {
  const resolved = findTarget(invocation);
  // An embedded sandbox has no stored list, and its start would take time.
  if (resolved === null || resolved.profile.baseUrl === null) return [];
  if (resolved.profile.suppliers.includes(number)) return [];
  return withObservations(invocation, async ({ observations }, { service }) => {
    const { signal } = invocation.io;
    const listing: string[] = [];
    try {
      for (const { origin, supplier } of await observations.stored()) {
        if (origin !== service.baseUrl) continue;
        if (supplier === number) return [];
        const ages = await observations.ages(supplier, signal);
        const account = ages === null ? null : storedAccounts(ages).find(number);
        if (account !== null && isListed(account)) listing.push(supplier);
      }
    } catch {
      signal.throwIfAborted();
    }
    return listing;
  });
}
