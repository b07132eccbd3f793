/** Prints the results of `find` for people and scripts, and determines the exit code. */

import { listingContext, lookupContext } from "../../errors/app-error.ts";
import { utcInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import {
  type AnsweredBy,
  absentWords,
  type Conclusion,
  conclusionOf,
  errorsOf,
  type Hit,
  type PlaceFound,
  similarWords,
  sourceWords,
} from "../../triage/find/found.ts";
import { absentRow, type FoundRow, foundFields, hitRow } from "../../triage/find/found-fields.ts";
import type { Search } from "../../triage/find/search.ts";
import type { Verdict } from "../../triage/verdict.ts";
import { stateText, verdictCells } from "../../triage/verdict-words.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureJson, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Column } from "../rows/columns.ts";
import { isForPeople, printRows } from "../rows/print.ts";
import type { Target } from "../target.ts";

interface PrintedRow extends FoundRow {
  readonly words: {
    readonly state: string;
    readonly since?: string | null;
    readonly from?: string;
  };
}

export const foundColumns: readonly Column<PrintedRow>[] = Object.values(foundFields);

const { number, supplier, status, service, source, listedAt } = foundFields;

const brief: readonly Column<PrintedRow>[] = [
  number,
  supplier,
  { ...status, shown: ({ words }) => words.state },
  { ...listedAt, title: "Since", shown: ({ words }) => words.since ?? "" },
  service,
  { ...source, title: "Where from", shown: ({ words }) => words.from ?? "" },
];

/** The results of a search, and the kind of answer that proves a number absent. */
export interface Searched {
  readonly target: Target;
  readonly search: Search;
  readonly by: AnsweredBy;
  /** Returns the verdict on a hit at `now` (service time, epoch milliseconds). */
  readonly verdictOn: (hit: Hit, now: number) => Promise<Verdict>;
}

export async function printFound(
  invocation: Invocation,
  { target, search, by, verdictOn }: Searched,
): Promise<number> {
  const now = invocation.io.clock.now() - target.service.wrongByMs();
  const codes = new Set<number>();
  const rows: PrintedRow[] = [];
  const absent: string[] = [];
  const failures = new Failures(target);
  for (const index of search.wanted.keys()) {
    const found = search.found(index);
    const conclusion = conclusionOf(found, by);
    // For scripts, the row of an unknown number has the errors of its lookups.
    const reportsLookups = isForPeople(invocation.globals) || conclusion.kind === "found";
    for (const place of found.places) failures.add(found.wanted, place, reportsLookups);
    if (conclusion.kind === "found") {
      for (const hit of conclusion.hits) {
        // Only the table has a verdict.
        const words = isForPeople(invocation.globals)
          ? hitWords(hit, await verdictOn(hit, now), now)
          : { state: hit.state };
        rows.push({ ...hitRow(hit), words });
      }
      continue;
    }
    const failure =
      conclusion.kind === "not-found" ? null : failures.worstOf(found.wanted, conclusion);
    codes.add(failure?.exitCode ?? exitCode.notFound);
    const state =
      conclusion.kind === "not-known" ? "not known" : by === "status" ? "not found" : "on no list";
    const error = failure && (failureJson(failure) as { message: string });
    rows.push({ ...absentRow(found, error), words: { state } });
    absent.push([absentWords(found, by), similarWords(found)].filter(Boolean).join(" "));
  }
  await printRows(invocation, foundColumns, rows, { brief });
  if (isForPeople(invocation.globals)) for (const words of absent) invocation.problem(words);
  failures.report(invocation);
  return mostSevere(codes);
}

function hitWords(hit: Hit, verdict: Verdict, now: number): PrintedRow["words"] {
  const cells = verdictCells(verdict, now, utcInstant);
  return { state: stateText(cells), since: cells.since, from: sourceWords(hit, now, utcInstant) };
}

/**
 * Collects the failures of a search, to report each list once and the lookups of a supplier
 * together.
 */
class Failures {
  readonly #target: Target;
  readonly #lists = new Map<string, Failure>();
  readonly #lookups = new Map<string, { readonly first: Failure; count: number }>();

  constructor(target: Target) {
    this.#target = target;
  }

  /**
   * Adds the failures of a supplier. A failed lookup is added only with `reportsLookups`, because
   * otherwise the row of the number has it.
   */
  add(wanted: string, { supplier, list, answer }: PlaceFound, reportsLookups: boolean): void {
    if (list.kind === "failed" && !this.#lists.has(supplier))
      this.#lists.set(supplier, this.#listFailure(supplier, list.error));
    if (answer?.kind !== "failed" || !reportsLookups) return;
    const lookups = this.#lookups.get(supplier);
    if (lookups) lookups.count += 1;
    else {
      const first = this.#lookupFailure(supplier, wanted, answer.error);
      this.#lookups.set(supplier, { first, count: 1 });
    }
  }

  /** Returns the most severe failure among the suppliers without a response for a number. */
  worstOf(wanted: string, conclusion: Extract<Conclusion, { kind: "not-known" }>): Failure {
    const failures = conclusion.open.flatMap((place) => {
      const [error] = errorsOf(place);
      if (error === undefined) return [];
      return place.answer?.kind === "failed"
        ? [this.#lookupFailure(place.supplier, wanted, error)]
        : [this.#listFailure(place.supplier, error)];
    });
    const worst = mostSevere(failures.map((failure) => failure.exitCode));
    const failure = failures.find(({ exitCode }) => exitCode === worst);
    if (failure === undefined)
      throw new Error(`${wanted}: a supplier without a response has no error`);
    return failure;
  }

  /** Reports every supplier that failed, even if all numbers are known without it. */
  report(invocation: Invocation): void {
    for (const [supplier, failure] of this.#lists)
      invocation.warn(`${failure.message} What ${supplier} lists now is not known.`, "lasting");
    for (const [supplier, { first, count }] of this.#lookups) {
      const countWords = count === 1 ? "" : `${plural(count, "lookup")} failed at ${supplier}. `;
      invocation.warn(`${countWords}${first.message}`, "lasting");
    }
  }

  #listFailure(supplier: string, error: unknown): Failure {
    const { doing, subject } = listingContext(supplier);
    return failureOf(error, this.#target.context(doing, subject));
  }

  #lookupFailure(supplier: string, wanted: string, error: unknown): Failure {
    const { doing, subject } = lookupContext(supplier, wanted);
    return failureOf(error, this.#target.context(doing, subject));
  }
}
