/** Returns the states and ages of a supplier's accounts from flat columns. */
import { type NumberColumn, NumberIndex, numberAt } from "../account-numbers.ts";
import { State, stateIn } from "./block-parts.ts";
import type { Ages, GoneAccount } from "./observations.ts";

/**
 * The index of a time for each row. An index has two bytes while there are few distinct times, else
 * four.
 */
export type Places = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** The columns behind {@link Ages}, which are transferred between threads without a copy. */
export interface AgesColumns extends NumberColumn {
  readonly observedAt: number;
  readonly historySince: number;
  readonly rows: number;
  readonly slots: Int32Array<ArrayBuffer>;
  readonly states: Uint8Array;
  /** All distinct times in epoch milliseconds. The columns have the index of each row's time. */
  readonly times: Float64Array;
  readonly firstSeen: Places;
  readonly pendingSince: Places;
  readonly leftAt: Places;
  /** The listed rows that were not listed in the last observation before today. */
  readonly isNew: ReadonlySet<number>;
}

/** Returns the ages that the columns contain. */
export function agesIn(columns: AgesColumns): Ages {
  const { observedAt, historySince, rows, states, times } = columns;
  const { firstSeen, pendingSince, leftAt } = columns;
  const index = new NumberIndex(columns, { slots: columns.slots });
  const hasState = (row: number, state: number) => stateIn(states[row] ?? State.none) === state;
  // Stored times can be in the future if a clock was ahead.
  const observedTime = (place: number | undefined) =>
    Math.min(times[place ?? 0] as number, observedAt);

  const goneAt = (row: number) =>
    hasState(row, State.gone) ? observedTime(leftAt[row]) : Number.NaN;
  return {
    observedAt,
    historySince,
    rows,
    find: (bytes, from, to) => index.find(bytes, from, to),
    rowOf: (external) => {
      const bytes = Buffer.from(external);
      return index.find(bytes, 0, bytes.length);
    },
    externalAt: (row) => numberAt(columns, row),
    numbers: columns,
    observedStateOf(row) {
      switch (stateIn(states[row] ?? State.none)) {
        case State.pending:
          return { state: "pending", since: observedTime(pendingSince[row]) };
        case State.imported:
          return { state: "imported", since: Number.NaN };
        case State.gone:
          return { state: "gone", since: observedTime(leftAt[row]) };
        case State.removed:
          return { state: "removed", since: observedTime(leftAt[row]) };
        default:
          return null;
      }
    },
    isImported: (row) => hasState(row, State.imported),
    pendingSince: (row) =>
      hasState(row, State.pending) ? observedTime(pendingSince[row]) : Number.NaN,
    firstSeen: (row) => observedTime(firstSeen[row]),
    goneAt,
    isNew: (row) => columns.isNew.has(row),
    *gone(): Iterable<GoneAccount> {
      for (let row = 0; row < rows; row++) {
        if (!hasState(row, State.gone)) continue;
        yield {
          external: numberAt(columns, row),
          firstSeenAt: observedTime(firstSeen[row]),
          pendingSince: observedTime(pendingSince[row]),
          goneAt: goneAt(row),
        };
      }
    },
  };
}
