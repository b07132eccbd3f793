/**
 * The dates that a machine's own history knows earlier than the team's, when it joins. Packed, they are
 * columns: rows, first seen and pending since, each NaN where the team's is the earlier one.
 */
import type { Sliced } from "../../accounts/slices.ts";
import { Damage } from "../../sqlite/file-error.ts";
import { type Accounts, State } from "./accounts.ts";

export interface EarlierDates {
  /** Rows of the team's accounts, ascending. */
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly firstSeen: Float64Array<ArrayBuffer>;
  readonly pendingSince: Float64Array<ArrayBuffer>;
}

const rowsPerStep = 1 << 14;

/**
 * Returns the dates of `own` that are earlier than those of `team`. An account is pending for longer only
 * if it was pending ever since the team saw it first.
 */
export function* earlierDates(own: Accounts, team: Accounts): Sliced<EarlierDates> {
  const rows: number[] = [];
  const firstSeen: number[] = [];
  const pendingSince: number[] = [];
  yield* team.indexing();
  for (let at = 0; at < own.rows; at++) {
    if (at % rowsPerStep === 0) yield;
    if (own.state(at) === State.none) continue;
    const number = own.numbers.at(at);
    const row = team.find(number, 0, number.length);
    if (row < 0 || team.state(row) === State.none) continue;
    const { firstSeen: seen, pendingSince: since } = team.times;
    const isPending = team.state(row) === State.pending && own.state(at) === State.pending;
    const first = earlier(own.times.firstSeen.at(at), seen.at(row));
    const isSame = isPending && since.at(row) === seen.at(row);
    const pending = isSame ? earlier(own.times.pendingSince.at(at), since.at(row)) : Number.NaN;
    if (Number.isNaN(first) && Number.isNaN(pending)) continue;
    rows.push(row);
    firstSeen.push(first);
    pendingSince.push(pending);
  }
  const order = Uint32Array.from(rows.keys()).sort((a, b) => Number(rows[a]) - Number(rows[b]));
  const sorted = (values: readonly number[]) =>
    Float64Array.from(order, (index) => values[index] as number);
  return {
    rows: Uint32Array.from(order, (index) => rows[index] as number),
    firstSeen: sorted(firstSeen),
    pendingSince: sorted(pendingSince),
  };
}

function earlier(own: number, team: number): number {
  return own < team ? own : Number.NaN;
}

export function applyDates(accounts: Accounts, dates: EarlierDates): void {
  const { firstSeen, pendingSince } = accounts.times;
  for (const [index, row] of dates.rows.entries()) {
    const [first, pending] = [dates.firstSeen[index], dates.pendingSince[index]];
    if (Number(first) < firstSeen.at(row)) firstSeen.set(row, Number(first));
    if (Number(pending) < pendingSince.at(row)) pendingSince.set(row, Number(pending));
  }
}

/** Returns the bytes of dates: all rows, then the first column, then the second. */
export function datesAsBytes({ rows, firstSeen, pendingSince }: EarlierDates): Uint8Array {
  const parts = [rows, firstSeen, pendingSince];
  return Buffer.concat(
    parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)),
  );
}

/** Returns the dates in bytes. Throws damage if their number is not whole. */
export function datesIn(bytes: Uint8Array): EarlierDates {
  const count = bytes.length / 20;
  if (!Number.isInteger(count)) throw new Damage("stored dates are cut");
  const from = (start: number, length: number) => bytes.slice(start, start + length).buffer;
  return {
    rows: new Uint32Array(from(0, count * 4)),
    firstSeen: new Float64Array(from(count * 4, count * 8)),
    pendingSince: new Float64Array(from(count * 12, count * 8)),
  };
}
