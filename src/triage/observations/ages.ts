/** The ages of a supplier's accounts, as complete lists have shown them. */
import { runSliced, type Sliced } from "../../accounts/slices.ts";
import { numberAt } from "../account-numbers.ts";
import { type Accounts, State, stateOf } from "./accounts.ts";
import type { Ages, GoneAccount } from "./observations.ts";

const rowsPerStep = 2_048;

function* indexing({ index, rows }: Accounts): Sliced<void> {
  for (let row = index.rows; row < rows; row++) {
    index.add(row);
    if (row % rowsPerStep !== 0) continue;
    yield;
  }
}

export async function agesOf(
  accounts: Accounts,
  list: { readonly firstAt: number; readonly lastAt: number },
  newRows: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<Ages> {
  await runSliced(indexing(accounts), signal);
  const { lastAt: observedAt, firstAt: historySince } = list;
  // The ages outlive the accounts, whose service numbers they do not need.
  const { index, numbers, created, states, times, rows } = accounts;
  const is = (row: number, state: number) =>
    row >= 0 && row < rows && stateOf(states[row] as number) === state;
  const at = (time: number | undefined) => Math.min(time ?? Number.NaN, observedAt);
  const goneAt = (row: number) => (is(row, State.gone) ? at(times.leftAt[row]) : Number.NaN);
  const pendingSince = (row: number) =>
    is(row, State.pending) ? at(times.pendingSince[row]) : Number.NaN;
  return {
    observedAt,
    historySince,
    rows,
    find: (bytes, from, to) => index.find(bytes, from, to),
    rowOf: (external) => {
      const bytes = Buffer.from(external);
      return index.find(bytes, 0, bytes.length);
    },
    externalAt: (row) => numberAt(numbers, row),
    numbers,
    observedStateOf(row) {
      if (is(row, State.pending)) return { state: "pending", since: pendingSince(row) };
      if (is(row, State.imported)) return { state: "imported", since: Number.NaN };
      const since = at(times.leftAt[row]);
      if (is(row, State.gone)) return { state: "gone", since };
      return is(row, State.removed) ? { state: "removed", since } : null;
    },
    isImported: (row) => is(row, State.imported),
    pendingSince,
    firstSeen: (row) => at(times.firstSeen[row]),
    lastSeen: (row) => at(times.lastSeen[row]),
    createdAt: (row) => created[row] ?? Number.NaN,
    firstPending: (row) =>
      is(row, State.pending) || is(row, State.gone) ? at(times.pendingSince[row]) : Number.NaN,
    goneAt,
    isNew: (row) => newRows.has(row),
    *gone(): Iterable<GoneAccount> {
      for (let row = 0; row < rows; row++) {
        if (!is(row, State.gone)) continue;
        yield {
          external: numberAt(numbers, row),
          firstSeenAt: at(times.firstSeen[row]),
          pendingSince: at(times.pendingSince[row]),
          goneAt: goneAt(row),
        };
      }
    },
  };
}
