/** The result of comparing an operator's list with the service: counts and rows. */
import type { ServiceError } from "../../api/errors.ts";
import type { RowBytes } from "../../rows/line-bytes.ts";
import { utcInstant } from "../../text/dates.ts";
import { numberAt, numberStart } from "../account-numbers.ts";
import type { Lookup } from "../lookups.ts";
import type { Ages } from "../observations/observations.ts";
import type { RowIssue, Source } from "../source/source.ts";
import { code, type RowClass, type RowCounts, rowClasses } from "./classes.ts";
import type { Matching } from "./matching.ts";

/** One row of the result. A field that does not apply is null. */
export interface ReconciledRow {
  /** The line in the source, or null for an extra row. */
  readonly line: number | null;
  /** The external account number, or null for a malformed row. */
  readonly external: string | null;
  readonly class: RowClass;
  readonly service: string | null;
  readonly created: string | null;
  /** The time, in epoch milliseconds, at which the account was first seen pending. */
  readonly pendingSince: number | null;
  /** The status from a lookup (INTERFACE 4.8). */
  readonly status: string | null;
  readonly firstLine: number | null;
  /** The only similar listed number that is not in the source. */
  readonly suggestion: string | null;
  readonly elsewhere: string | null;
  readonly error: RowError | null;
  /** The beginning of the text of a malformed row, or null if it is not stored. */
  readonly text: string | null;
}

export type RowError =
  | { readonly kind: "malformed"; readonly issue: RowIssue }
  | { readonly kind: "lookup"; readonly error: ServiceError };

/** The values of a row in {@link RowBytes}, for rows with nothing else. */
export const RowValue = {
  line: 0,
  external: 1,
  class: 2,
  service: 3,
  created: 4,
  pendingSince: 5,
} as const;

const classBytes = rowClasses.map((name) => Buffer.from(name));

interface ComparisonResult {
  readonly matching: Matching;
  readonly listedAt: number;
  readonly listed: number;
  readonly lookups: ReadonlyMap<number, Lookup>;
  /** The suggested rows of `matching.extras`, by source row. */
  readonly suggestions: ReadonlyMap<number, number>;
  readonly elsewhere: ReadonlyMap<number, string>;
  readonly ages: Ages | null;
}

const rowsAhead = 512;

export class Reconciled {
  readonly source: Source;
  readonly listedAt: number;
  readonly listed: number;
  readonly counts: RowCounts;
  readonly #result: ComparisonResult;
  readonly #rows = new Map<RowClass, Uint32Array>();
  /** The result of a search in the facts, reused for each row. */
  readonly #place = { service: 0, created: 0, end: 0 };

  constructor(result: ComparisonResult) {
    this.#result = result;
    this.source = result.matching.source;
    this.listedAt = result.listedAt;
    this.listed = result.listed;
    this.counts = result.matching.counts;
  }

  get isAllImported(): boolean {
    return this.counts.imported === this.source.rows;
  }

  *lookupErrors(): Generator<ServiceError, void, void> {
    for (const lookup of this.#result.lookups.values())
      if (lookup.kind === "failed") yield lookup.error;
  }

  *suggested(): Generator<ReconciledRow, void, void> {
    for (const row of this.#result.suggestions.keys()) yield this.row(row);
  }

  suggestionsOf(name: RowClass): number {
    let count = 0;
    for (const row of this.#result.suggestions.keys())
      if (this.#result.matching.classOf(row) === name) count += 1;
    return count;
  }

  oldestPendingSince(): number | null {
    let oldest = Number.POSITIVE_INFINITY;
    if (this.#result.ages === null) return null;
    for (const row of this.#rowsOf("pending"))
      oldest = Math.min(oldest, this.#pendingSince(row) ?? oldest);
    return Number.isFinite(oldest) ? oldest : null;
  }

  classOf(row: number): RowClass {
    return this.#result.matching.classOf(row);
  }

  get codes(): Uint8Array {
    return this.#result.matching.codes;
  }

  row(row: number): ReconciledRow {
    const { matching, lookups, suggestions, elsewhere } = this.#result;
    const { source } = matching;
    const name = matching.classOf(row);
    const common = { ...emptyRow, line: source.lineOf(row), class: name };
    const issue = source.issueOf(row);
    if (issue !== null) {
      const text = source.textOf(row);
      return { ...common, error: { kind: "malformed", issue }, text };
    }
    const external = source.numberOf(row);
    if (name === "duplicate")
      return { ...common, external, firstLine: source.lineOf(matching.linkOf(row)) };
    const lookup = lookups.get(row);
    if (lookup === undefined && (name === "imported" || name === "pending")) {
      const { service, created } = matching.facts.of(matching.linkOf(row));
      const pendingSince = name === "pending" ? this.#pendingSince(row) : null;
      return { ...common, external, service, created, pendingSince };
    }
    const near = suggestions.get(row);
    return {
      ...common,
      external,
      suggestion: near === undefined ? null : this.#extraNumber(near),
      elsewhere: elsewhere.get(row) ?? null,
      ...(lookup === undefined ? {} : lookupParts(lookup)),
    };
  }

  /**
   * Sets `into` to a row of the source. Returns false for a row with more fields than {@link
   * RowValue}: a lookup, a suggestion, another supplier, a duplicate or an error.
   */
  readBytes(row: number, into: RowBytes): boolean {
    const { matching, lookups, suggestions, elsewhere } = this.#result;
    if (row % rowsAhead === 0) matching.readFactsAhead(row, row + rowsAhead);
    const rowCode = matching.codes[row] as number;
    if (rowCode === code.duplicate || rowCode === code.malformed) return false;
    const isListed = rowCode === code.pending || rowCode === code.imported;
    if (!isListed && (suggestions.has(row) || elsewhere.has(row))) return false;
    if (lookups.size > 0 && lookups.has(row)) return false;
    const { source, facts } = matching;
    const name = classBytes[rowCode] as Uint8Array;
    into.begin();
    into.setNumber(RowValue.line, source.lineOf(row));
    into.set(
      RowValue.external,
      source.text,
      numberStart(source.ends, row),
      source.ends[row] as number,
    );
    into.set(RowValue.class, name, 0, name.length);
    const place = this.#place;
    facts.place(rowCode === code.absent ? -1 : matching.linkOf(row), place);
    if (place.created > place.service)
      into.set(RowValue.service, facts.text, place.service, place.created);
    if (place.end > place.created) into.set(RowValue.created, facts.text, place.created, place.end);
    const since = rowCode === code.pending ? this.#pendingSince(row) : null;
    if (since !== null) {
      const text = Buffer.from(utcInstant(since));
      into.set(RowValue.pendingSince, text, 0, text.length);
    }
    return true;
  }

  /**
   * Returns the row of a class at index `at`, in the order of the source, or of the list for extra
   * rows.
   */
  rowIn(name: RowClass, at: number): ReconciledRow {
    return name === "extra" ? this.extra(at) : this.row(this.#rowsOf(name)[at] as number);
  }

  extra(at: number): ReconciledRow {
    const { matching } = this.#result;
    const { service, created } = matching.facts.of(matching.extraLinkOf(at));
    return { ...emptyRow, class: "extra", external: this.#extraNumber(at), service, created };
  }

  #rowsOf(name: RowClass): Uint32Array {
    let rows = this.#rows.get(name);
    if (rows === undefined) {
      rows = rowsWithCode(this.#result.matching.codes, code[name], this.counts[name]);
      this.#rows.set(name, rows);
    }
    return rows;
  }

  #pendingSince(row: number): number | null {
    const { ages } = this.#result;
    if (ages === null) return null;
    const { text, ends } = this.source;
    const stored = ages.find(text, numberStart(ends, row), ends[row] as number);
    const since = stored === -1 ? Number.NaN : ages.pendingSince(stored);
    return Number.isNaN(since) ? null : since;
  }

  #extraNumber(at: number): string {
    return numberAt(this.#result.matching.extras, at);
  }
}

const emptyRow = {
  line: null,
  external: null,
  service: null,
  created: null,
  pendingSince: null,
  status: null,
  firstLine: null,
  suggestion: null,
  elsewhere: null,
  error: null,
  text: null,
};

export function rowsWithCode(codes: Uint8Array, wanted: number, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < codes.length && found < count; row++)
    if (codes[row] === wanted) rows[found++] = row;
  return rows;
}

function lookupParts(lookup: Lookup): Partial<ReconciledRow> {
  switch (lookup.kind) {
    case "answered": {
      const { status, service_account_number: service } = lookup.status;
      return { status, service: service === "" ? null : service };
    }
    case "not-found":
      return {};
    case "failed":
      return { error: { kind: "lookup", error: lookup.error } };
  }
}

/** Yields the rows of some classes, or all rows of the source if `classes` is null. */
export function* rowsOfClasses(
  result: Reconciled,
  classes: readonly RowClass[] | null,
): Generator<ReconciledRow> {
  if (classes === null) for (let at = 0; at < result.source.rows; at++) yield result.row(at);
  for (const name of classes ?? [])
    for (let at = 0; at < result.counts[name]; at++) yield result.rowIn(name, at);
}

export function numbersOfClasses(
  result: Reconciled,
  classes: readonly RowClass[],
  limit: number,
): readonly string[] {
  const numbers: string[] = [];
  for (const { external } of rowsOfClasses(result, classes)) {
    if (numbers.length >= limit) break;
    if (external !== null) numbers.push(external);
  }
  return numbers;
}
