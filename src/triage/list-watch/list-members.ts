/** Tracks the states of the watched accounts of one supplier from list to list. */
import { fieldEnd, isPendingRow, TextColumn, utf8 } from "../../accounts/columns.ts";
import type { AccountBatch } from "../../accounts/ingest/batch.ts";
import { listedPending } from "../../watch/timeline.ts";
import type { NumberSet } from "../account-numbers.ts";

export interface MemberState {
  readonly number: string;
  /** `pending` or `COMPLETED` from a list, or a status (INTERFACE 4.8) or 404 from a lookup. */
  readonly state: string;
  readonly serviceNumber: string;
  readonly previous: string | null;
  /**
   * True if the attempt failed: the account left the list without being imported, a lookup returned
   * UNKNOWN, and an earlier lookup had returned UNKNOWN or IN_PROGRESS.
   */
  readonly hasFailed: boolean;
}

/**
 * The place of a row. `none` is a repeated row, a row without a number, or an account that is no
 * longer watched.
 */
const Place = { none: 0, waiting: 1, pending: 2, unlisted: 3, failed: 4 } as const;

/**
 * The earlier listing of an account as pending. `assumed` is an account that an earlier list might
 * have shown.
 */
const Listed = { never: 0, seen: 1, assumed: 2 } as const;

const Mark = { absent: 0, pending: 1, imported: 2 } as const;

interface LookupResult {
  /** The last status, or empty if no lookup succeeded. */
  readonly state: string;
  /** The last reported state, or null if there is none. An undecided state is not reported. */
  readonly shown: string | null;
  readonly isDecided: boolean;
  /** The number of the last round before the lookup. */
  readonly round: number;
  readonly at: number;
}

const completed = "COMPLETED";
const failedState = "UNKNOWN";
const inProgress = "IN_PROGRESS";

const lookUpAgainMs = 30_000;

/**
 * Maximum size of a list that is held back only if it becomes empty. A larger list is also held
 * back if it loses more than half of its rows.
 */
const fewRows = 100;

interface RoundMarks {
  readonly marks: Uint8Array;
  readonly services: Map<number, string>;
}

/**
 * The watched accounts of one supplier, with their states from complete lists. Sends no requests. A
 * round takes the rows of one list, which have no effect until the list is complete. An account on
 * no list is due for a lookup (INTERFACE 4.8), at most once per round.
 */
export class ListMembers {
  readonly index: NumberSet;
  readonly #places: Uint8Array;
  /** Accounts that a list has shown as pending. One that leaves the list can have failed. */
  readonly #wasListed: Uint8Array;
  readonly #lookedUp = new Map<number, LookupResult>();
  readonly #isCounted: boolean;
  #open: number;
  #failed = 0;
  #unlisted = 0;
  #round = 0;
  /** Number of rows of the last list that was not held back, or null if there is none. */
  #rows: number | null = null;
  #current: RoundMarks | null = null;

  /**
   * Creates members and copies the states of those that `before` also has. Calls `wasListed` for
   * the other accounts.
   *
   * If `wasListed` is null, the accounts are only counted, like those of a cohort. Rounds then
   * yield none of them, any of them might have failed before, and a failed account is open again if
   * it is listed.
   */
  constructor(
    index: NumberSet,
    before: ListMembers | null = null,
    wasListed: ((number: string) => boolean) | null = () => false,
  ) {
    this.index = index;
    this.#isCounted = wasListed === null;
    this.#places = new Uint8Array(index.rows);
    this.#wasListed = new Uint8Array(index.rows);
    this.#open = index.size;
    for (let row = 0; row < index.rows; row++) {
      if (!index.isFirst(row)) continue;
      this.#places[row] = Place.waiting;
      const number = this.#isCounted ? "" : index.numberAt(row);
      const earlierRow = before?.index.rowOf(number) ?? -1;
      if (before === null || !this.#copyState(row, before, earlierRow))
        this.#wasListed[row] =
          wasListed === null ? Listed.assumed : wasListed(number) ? Listed.seen : Listed.never;
    }
    if (before !== null) {
      this.#round = before.#round;
      this.#rows = before.#rows;
    }
  }

  get open(): number {
    return this.#open;
  }

  /** Number of accounts whose attempt failed, or 0 unless the members are only counted. */
  get failed(): number {
    return this.#failed;
  }

  get undecided(): number {
    let undecided = this.#unlisted;
    for (const { isDecided } of this.#lookedUp.values()) if (isDecided) undecided -= 1;
    return undecided;
  }

  /** Begins a round. Discards the rows of a round that did not end. */
  begin(): void {
    this.#current = { marks: new Uint8Array(this.index.rows), services: new Map() };
  }

  /** Adds rows of the list. An account that is listed twice is imported if one of its rows is. */
  take(batch: AccountBatch): void {
    const current = this.#current;
    if (current === null) return;
    const { count, text } = batch;
    for (let row = 0, from = 0; row < count; row++) {
      const to = fieldEnd(batch, row, TextColumn.external);
      const member = this.index.find(text, from, to);
      from = fieldEnd(batch, row, TextColumn.created);
      if (member < 0 || this.#places[member] === Place.none) continue;
      if (isPendingRow(batch, row)) {
        if (current.marks[member] === Mark.absent) current.marks[member] = Mark.pending;
        continue;
      }
      current.marks[member] = Mark.imported;
      if (this.#isCounted) continue;
      current.services.set(
        member,
        utf8.decode(text.subarray(to, fieldEnd(batch, row, TextColumn.service))),
      );
    }
  }

  /**
   * Ends the round with a complete list of `rows` accounts. `trusted` is true if the stored
   * observations trust the list, or null to compare it only with the lists of this watch. Returns
   * the states of the open accounts, in their order. Reading a state applies it.
   */
  finish(
    rows: number,
    trusted: boolean | null = null,
  ): {
    /** True if the list is held back: accounts that it lacks do not count as unlisted. */
    readonly isHeldBack: boolean;
    readonly seen: Iterable<MemberState>;
  } {
    const current = this.#current;
    this.#current = null;
    if (current === null) return { isHeldBack: false, seen: [] };
    const before = this.#rows;
    const isShort =
      before !== null && before > 0 && (rows === 0 || (before > fewRows && rows * 2 < before));
    const isHeldBack = trusted === null ? isShort : !trusted;
    if (!isHeldBack) {
      this.#rows = rows;
      this.#round += 1;
    }
    return { isHeldBack, seen: this.#apply(current, isHeldBack) };
  }

  /** Returns the open account on no list to look up next, or null if none is due at `now` of the running time. */
  due(now: number): string | null {
    if (this.#unlisted === 0) return null;
    let first = -1;
    let firstRank = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.index.rows; row++) {
      if (this.#places[row] !== Place.unlisted) continue;
      const lookup = this.#lookedUp.get(row);
      if (lookup === undefined) return this.index.numberAt(row);
      if (lookup.round === this.#round) continue;
      // An account that might have failed comes before other accounts that were looked up before.
      const isUrgent = lookup.state === failedState && this.#wasListed[row] !== Listed.never;
      if (!isUrgent && now - lookup.at < lookUpAgainMs) continue;
      const rank = isUrgent ? lookup.at - Number.MAX_SAFE_INTEGER : lookup.at;
      if (rank < firstRank) [first, firstRank] = [row, rank];
    }
    return first < 0 ? null : this.index.numberAt(first);
  }

  /**
   * Records the status (or 404) of an account that was due. Returns null if the account is
   * listed again or no longer watched, or if the status does not decide yet.
   */
  lookedUp(number: string, state: string, serviceNumber: string, at: number): MemberState | null {
    const row = this.index.rowOf(number);
    if (row < 0 || this.#places[row] !== Place.unlisted) return null;
    const before = this.#lookedUp.get(row)?.state;
    const previous = this.#shown(row);
    const canHaveFailed = state === failedState && this.#wasListed[row] !== Listed.never;
    // After one UNKNOWN, the service might list the account again or have staged it again.
    const hasFailed = canHaveFailed && (before === failedState || before === inProgress);
    const isUndecided = canHaveFailed && !hasFailed;
    const shown = isUndecided ? previous : state;
    const isDecided = !isUndecided;
    this.#lookedUp.set(row, { state, shown, isDecided, round: this.#round, at });
    if (state === completed || hasFailed) this.#close(row);
    if (hasFailed && this.#isCounted) {
      this.#places[row] = Place.failed;
      this.#failed += 1;
    }
    return isUndecided ? null : { number, state, serviceNumber, previous, hasFailed };
  }

  /** Records a failed lookup, so that other accounts are looked up first. */
  lookUpFailed(number: string, at: number): void {
    const row = this.index.rowOf(number);
    if (row < 0 || this.#places[row] !== Place.unlisted) return;
    const { state = "", isDecided = false } = this.#lookedUp.get(row) ?? {};
    const shown = this.#shown(row);
    this.#lookedUp.set(row, { state, shown, isDecided, round: this.#round, at });
  }

  /** Yields the accounts without a final state. The state is null if none is known. */
  *stillOpen(): Generator<{ readonly number: string; readonly state: string | null }, void, void> {
    for (let row = 0; row < this.index.rows; row++) {
      const place = this.#places[row];
      if (place === Place.none || place === Place.failed) continue;
      yield { number: this.index.numberAt(row), state: this.#shown(row) };
    }
  }

  close(number: string): void {
    const row = this.index.rowOf(number);
    if (row >= 0 && this.#places[row] !== Place.none) this.#close(row);
  }

  *#apply(
    { marks, services }: RoundMarks,
    isHeldBack: boolean,
  ): Generator<MemberState, void, void> {
    for (let row = 0; row < this.index.rows; row++) {
      const place = this.#places[row];
      if (place === Place.none) continue;
      const mark = marks[row];
      if (mark === Mark.absent) {
        if (isHeldBack || place === Place.unlisted || place === Place.failed) continue;
        this.#places[row] = Place.unlisted;
        this.#unlisted += 1;
        continue;
      }
      if (place === Place.failed) {
        this.#failed -= 1;
        this.#open += 1;
      }
      const previous = this.#shown(row);
      if (place === Place.unlisted) {
        this.#unlisted -= 1;
        this.#lookedUp.delete(row);
      }
      this.#places[row] = Place.pending;
      const number = this.#isCounted ? "" : this.index.numberAt(row);
      if (mark === Mark.imported) {
        this.#close(row);
        if (this.#isCounted) continue;
        const serviceNumber = services.get(row) ?? "";
        yield { number, state: completed, serviceNumber, previous, hasFailed: false };
        continue;
      }
      this.#wasListed[row] = Listed.seen;
      if (this.#isCounted) continue;
      yield { number, state: listedPending, serviceNumber: "", previous, hasFailed: false };
    }
  }

  #shown(row: number): string | null {
    const lookup = this.#lookedUp.get(row);
    if (lookup !== undefined) return lookup.shown;
    return this.#wasListed[row] === Listed.seen ? listedPending : null;
  }

  #close(row: number): void {
    if (this.#places[row] === Place.unlisted) this.#unlisted -= 1;
    this.#places[row] = Place.none;
    this.#lookedUp.delete(row);
    this.#open -= 1;
  }

  /**
   * Copies the state of a member from an earlier set. Returns false if the member is no longer
   * watched there.
   */
  #copyState(row: number, before: ListMembers, earlierRow: number): boolean {
    const place = before.#places[earlierRow] ?? Place.none;
    // An account that is no longer watched there is watched from the start.
    if (place === Place.none) return false;
    this.#places[row] = place;
    this.#wasListed[row] = before.#wasListed[earlierRow] as number;
    if (place === Place.unlisted) this.#unlisted += 1;
    const lookup = before.#lookedUp.get(earlierRow);
    if (lookup !== undefined) this.#lookedUp.set(row, lookup);
    return true;
  }
}
