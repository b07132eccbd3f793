/**
 * Searches account numbers in the lists and observations of several suppliers, and collects the
 * hits.
 */
import type { Sliced } from "../../accounts/slices.ts";
import { NumberList } from "../account-numbers.ts";
import type { Lookup } from "../lookups.ts";
import { suggestionsFor } from "../suggestions.ts";
import { noListedTimes } from "../verdict.ts";
import {
  type Answer,
  type FoundAccount,
  type FoundNumber,
  type Hit,
  type HitSource,
  isListed,
  type PlaceFound,
  type Searched,
} from "./found.ts";
import type { SearchedAccounts, SearchedRows } from "./searched-accounts.ts";

/** Maximum number of listed matches of a part of a number. Others are only counted. */
const maxContaining = 200;
const numbersPerStep = 1024;

interface SourceFound {
  readonly searched: Searched;
  readonly lists: readonly SearchedAccounts[];
  /** The hits, by the index of their number in `wanted`. */
  readonly exact: ReadonlyMap<number, Hit>;
}

const notSearched: SourceFound = {
  searched: { kind: "waiting" },
  lists: [],
  exact: new Map(),
};

/** The first matches of a text, and a lower bound of their number. */
interface Containing {
  readonly hits: readonly Hit[];
  readonly count: number;
}

interface PlaceState {
  readonly supplier: string;
  /** The answers, by the index of their number in `wanted`. The other maps have the same keys. */
  readonly answers: Map<number, Answer>;
  readonly near: Map<number, Hit>;
  containing: Containing;
  list: SourceFound;
  observed: SourceFound;
}

/**
 * The findings so far about some numbers at several suppliers. A source is added after it is read.
 */
export class Search {
  readonly wanted: readonly string[];
  readonly #isWanted: ReadonlySet<string>;
  readonly #places: readonly PlaceState[];

  constructor(wanted: readonly string[], suppliers: readonly string[]) {
    this.wanted = wanted;
    this.#isWanted = new Set(wanted);
    this.#places = suppliers.map((supplier) => ({
      supplier,
      answers: new Map(),
      near: new Map(),
      containing: { hits: [], count: 0 },
      list: notSearched,
      observed: notSearched,
    }));
  }

  /**
   * Searches the lists of a source for the wanted numbers. If several lists have an account, the
   * newest list is used.
   */
  *addSource(
    supplier: string,
    source: "list" | "observed",
    lists: readonly SearchedAccounts[],
  ): Sliced<void> {
    const exact = new Map<number, Hit>();
    const newestFirst = lists.toSorted((a, b) => b.at - a.at);
    for (const { at, prepare, find } of newestFirst) {
      if (prepare) yield* prepare();
      for (const [index, number] of this.wanted.entries()) {
        const account = exact.has(index) ? null : find(number);
        if (account !== null) exact.set(index, hitOf(supplier, source, at, account));
        if (index % numbersPerStep === 0) yield;
      }
    }
    const newest = newestFirst.find(({ isWhole }) => isWhole) ?? newestFirst[0];
    const searched: Searched =
      newest === undefined
        ? { kind: "nothing" }
        : { kind: "searched", at: newest.at, isWhole: newest.isWhole };
    this.#place(supplier)[source] = { searched, lists: newestFirst, exact };
  }

  addFailure(supplier: string, source: "list" | "observed", error: unknown): void {
    this.#place(supplier)[source] = { ...notSearched, searched: { kind: "failed", error } };
  }

  addAnswer(supplier: string, index: number, lookup: Lookup, answeredAt: number): void {
    this.#place(supplier).answers.set(index, { ...lookup, at: answeredAt });
  }

  /**
   * Yields each supplier and index of a number for which the newest hit is not from a list. Only a
   * status (INTERFACE 4.8) has more information about it. With `onlyAbsent`, leaves out the numbers
   * that are on a list, also on a stored one.
   */
  *unlisted(
    onlyAbsent: boolean,
  ): Generator<{ readonly supplier: string; readonly index: number }, void, void> {
    for (const index of this.wanted.keys()) {
      const hits = this.#places.map((place) => this.#hitAt(place, index));
      if (onlyAbsent && hits.some((hit) => hit !== null && isListed(hit))) continue;
      for (const [at, { supplier }] of this.#places.entries())
        if (hits[at]?.source !== "list") yield { supplier, index };
    }
  }

  *findContaining(): Sliced<void> {
    // The user might type only a part of a single number, but pastes several numbers whole.
    if (this.wanted.length === 1)
      for (const place of this.#places)
        place.containing = yield* containingIn(place, this.wanted[0] as string);
  }

  /**
   * Suggests a near number for each number that no supplier has: the only similar listed account of
   * each supplier.
   */
  *suggest(): Sliced<void> {
    const unknown = [...this.wanted.keys()].filter((index) =>
      this.#places.every((place) => this.#hitAt(place, index) === null),
    );
    if (unknown.length === 0) return;
    const numbers = new NumberList();
    for (const index of unknown) {
      const bytes = Buffer.from(this.wanted[index] as string);
      numbers.add(bytes, 0, bytes.length);
    }
    const rows = Uint32Array.from(unknown.keys());
    for (const { supplier, list, observed, near } of this.#places) {
      const [target] = searchable({ list, observed });
      if (target === undefined) continue;
      const { source, at } = target;
      const found = yield* suggestionsFor(numbers, rows, {
        parts: target.rows.numbers,
        isCandidate: (row) => this.#isCandidate(target.rows.account(row)),
      });
      for (const [row, listed] of found.entries()) {
        const account = listed < 0 ? null : target.rows.account(listed);
        if (account !== null)
          near.set(unknown[row] as number, hitOf(supplier, source, at, account));
      }
    }
  }

  found(index: number): FoundNumber {
    const places = this.#places.map((place): PlaceFound => {
      const { containing } = place;
      return {
        supplier: place.supplier,
        hit: this.#hitAt(place, index),
        near: place.near.get(index) ?? null,
        containing: containing.hits,
        containingCount: containing.count,
        list: place.list.searched,
        stored: place.observed.searched,
        answer: place.answers.get(index) ?? null,
      };
    });
    return { wanted: this.wanted[index] as string, places };
  }

  #place(supplier: string): PlaceState {
    const place = this.#places.find((place) => place.supplier === supplier);
    if (place === undefined) throw new Error(`${supplier} is not searched`);
    return place;
  }

  #hitAt({ supplier, list, observed, answers }: PlaceState, index: number): Hit | null {
    const answer = answers.get(index);
    if (answer?.kind === "answered") {
      const { status, service_account_number } = answer.status;
      const account: FoundAccount = {
        number: this.wanted[index] as string,
        state: status,
        times: noListedTimes,
        serviceNumber: service_account_number || null,
      };
      return hitOf(supplier, "status", answer.at, account);
    }
    const listed = list.exact.get(index);
    const stored = observed.exact.get(index);
    if (!listed || !stored) return listed ?? stored ?? null;
    if (stored.at > listed.at) return stored;
    if (stored.state !== listed.state) return listed;
    // A list in memory has no ages before it is recorded.
    const { pendingSince, createdAt } = listed.times;
    const times = {
      ...listed.times,
      pendingSince: pendingSince ?? stored.times.pendingSince,
      createdAt: createdAt ?? stored.times.createdAt,
    };
    return { ...listed, times };
  }

  #isCandidate(account: FoundAccount | null): boolean {
    if (account === null || this.#isWanted.has(account.number)) return false;
    return isListed(account);
  }
}

/**
 * Finds the accounts whose number contains the text. If several sources have an account, the newest
 * source is used.
 */
function* containingIn(place: PlaceState, text: string): Sliced<Containing> {
  const hits = new Map<string, Hit>();
  let lowerBound = 0;
  for (const { source, at, rows } of searchable(place)) {
    const { rows: first, count } = yield* rows.containing(text, maxContaining);
    for (const row of first) {
      const account = rows.account(row);
      if (account === null || account.number === text) continue;
      const before = hits.get(account.number);
      if (before === undefined || at > before.at)
        hits.set(account.number, hitOf(place.supplier, source, at, account));
    }
    // A source that returned only its first accounts might have more accounts than there are hits.
    if (count > maxContaining) lowerBound = Math.max(lowerBound, count);
  }
  return { hits: [...hits.values()], count: Math.max(lowerBound, hits.size) };
}

interface Searchable {
  readonly source: "list" | "observed";
  readonly at: number;
  readonly rows: SearchedRows;
}

function searchable(place: Pick<PlaceState, "list" | "observed">): readonly Searchable[] {
  return (["list", "observed"] as const).flatMap((source) =>
    place[source].lists.flatMap(({ rows, at }) =>
      // An empty list has no similar number.
      rows === null || rows.numbers.length === 0 ? [] : [{ source, at, rows }],
    ),
  );
}

function hitOf(supplier: string, source: HitSource, at: number, account: FoundAccount): Hit {
  return { ...account, supplier, source, at };
}
