/** The ages of a supplier's accounts, as complete lists have shown them. */
import { runSliced } from "../../accounts/slices.ts";
import { numberAt } from "../account-numbers.ts";
import { type Accounts, State, stateOf } from "./accounts.ts";
import type { Ages, GoneAccount } from "./observations.ts";

export async function agesOf(
  accounts: Accounts,
  list: { readonly firstAt: number; readonly lastAt: number },
  newRows: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Ages> {
  await runSliced(accounts.indexing(), signal);
  const { lastAt: observedAt, firstAt: historySince } = list;
  // A later list adds rows to the accounts.
  const { numbers, created, states, times, rows } = accounts;
  const is = (row: number, state: number) =>
    row >= 0 && row < rows && stateOf(states[row] as number) === state;
  const at = (time: number) => Math.min(time, observedAt);
  const goneAt = (row: number) => (is(row, State.gone) ? at(times.leftAt.at(row)) : Number.NaN);
  const pendingSince = (row: number) =>
    is(row, State.pending) ? at(times.pendingSince.at(row)) : Number.NaN;
  return {
    observedAt,
    historySince,
    rows,
    find: (bytes, from, to) => accounts.find(bytes, from, to),
    rowOf: (external) => {
      const bytes = Buffer.from(external);
      return accounts.find(bytes, 0, bytes.length);
    },
    externalAt: (row) => numberAt(numbers, row),
    numbers,
    observedStateOf(row) {
      if (is(row, State.pending)) return { state: "pending", since: pendingSince(row) };
      if (is(row, State.imported)) return { state: "imported", since: Number.NaN };
      const since = at(times.leftAt.at(row));
      if (is(row, State.gone)) return { state: "gone", since };
      return is(row, State.removed) ? { state: "removed", since } : null;
    },
    isImported: (row) => is(row, State.imported),
    pendingSince,
    firstSeen: (row) => at(times.firstSeen.at(row)),
    lastSeen: (row) => at(times.lastSeen.at(row)),
    createdAt: (row) => created[row] ?? Number.NaN,
    firstPending: (row) =>
      is(row, State.pending) || is(row, State.gone) ? at(times.pendingSince.at(row)) : Number.NaN,
    goneAt,
    isNew: (row) => newRows.has(row),
    *gone(): Iterable<GoneAccount> {
      for (let row = 0; row < rows; row++) {
        if (!is(row, State.gone)) continue;
        yield {
          external: numberAt(numbers, row),
          firstSeenAt: at(times.firstSeen.at(row)),
          pendingSince: at(times.pendingSince.at(row)),
          goneAt: goneAt(row),
        };
      }
    },
  };
}
