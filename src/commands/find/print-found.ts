/** Prints the results of `find` for people and scripts, and determines the exit code. */

import { utcInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import {
  type AnsweredBy,
  absentWords,
  type Conclusion,
  conclusionOf,
  errorsOf,
  type FoundNumber,
  type Hit,
  maxSuggestions,
  type PlaceFound,
  similarOf,
  similarWords,
  sourceWords,
} from "../../triage/find/found.ts";
import { hitVerdict } from "../../triage/find/hit-verdict.ts";
import type { Search } from "../../triage/find/search.ts";
import { verdictCells } from "../../triage/verdict-words.ts";
import type { Transition } from "../../watch/timeline.ts";
import { exitCode, mostSevere } from "../exit-codes.ts";
import { type Failure, failureJson, failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import { accountColumn, type Column, column, utcText } from "../rows/columns.ts";
import { isForPeople, printRows } from "../rows/print.ts";
import type { Target } from "../target.ts";

/** A row of the output: a number at a supplier that knows it, or a number without a supplier. */
interface FoundRow {
  readonly external_account_number: string;
  readonly import_supplier: string | null;
  readonly status?: string;
  readonly service_account_number?: string | null;
  readonly source?: Hit["source"];
  readonly listed_at?: string | null;
  readonly suggestions?: readonly Suggestion[];
  readonly error?: Record<string, unknown>;
  /** The texts for people. */
  readonly words: {
    readonly state: string;
    readonly since?: string | null;
    readonly from?: string;
  };
}

/** A similar number. */
interface Suggestion {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

/** The columns of the results. */
export const foundColumns: readonly Column<FoundRow>[] = [
  accountColumn,
  column(
    "import_supplier",
    "Supplier",
    "text or null",
    "The supplier that has the number; null for a number that was not found.",
  ),
  {
    ...column(
      "status",
      "Status",
      "text",
      "The status as the service sent it if `source` is `status`; otherwise `pending`, `imported`, `gone` or `removed`. Absent without a supplier, as are the next three.",
    ),
    shown: ({ words }) => words.state,
  },
  column(
    "service_account_number",
    "Service account number",
    "text or null",
    "The number on the platform; null if there is none, or it is unknown.",
  ),
  column(
    "source",
    "Source",
    "text",
    "`list`: the supplier's list as it is now. `status`: the response for this account. `observed`: the stored observations.",
  ),
  column(
    "listed_at",
    "Listed at",
    `${utcText}, or null`,
    "The time at which the list was requested; null for `status`.",
  ),
  {
    ...column(
      "suggestions",
      "Suggestions",
      "array of objects",
      "At most five similar numbers, each with `import_supplier` and `external_account_number`. Only without a supplier.",
    ),
    text: ({ suggestions = [] }) =>
      suggestions.map(
        (suggestion) => `${suggestion.import_supplier}/${suggestion.external_account_number}`,
      ),
  },
  {
    ...column(
      "error",
      "Error",
      "object",
      "The error of a supplier: see [Errors](#errors). Only without a supplier.",
    ),
    text: ({ error }) => error?.message,
  },
];

const [numberColumn, foundSupplierColumn, stateColumn, serviceColumn] = foundColumns as readonly [
  Column<FoundRow>,
  Column<FoundRow>,
  Column<FoundRow>,
  Column<FoundRow>,
];

/** The columns for people. Lines below the table explain the numbers that were not found. */
const brief: readonly Column<FoundRow>[] = [
  numberColumn,
  foundSupplierColumn,
  stateColumn,
  { ...column("words", "Since", "", ""), shown: ({ words }) => words.since ?? "" },
  serviceColumn,
  { ...column("words", "Where from", "", ""), shown: ({ words }) => words.from ?? "" },
];

/** The results of a search, and the kind of answer that proves a number absent. */
export interface Searched {
  readonly target: Target;
  readonly search: Search;
  readonly by: AnsweredBy;
  /** Returns the states that this machine has seen in the checks of an account. */
  readonly timelineOf: (hit: Hit) => Promise<readonly Transition[]>;
}

/** Prints the found numbers and the others, in the order of the numbers. Returns the exit code. */
export async function printFound(
  invocation: Invocation,
  { target, search, by, timelineOf }: Searched,
): Promise<number> {
  const now = invocation.io.clock.now() - target.service.wrongByMs();
  const codes = new Set<number>();
  const rows: FoundRow[] = [];
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
        // Only the table shows them.
        const timeline = isForPeople(invocation.globals) ? await timelineOf(hit) : [];
        rows.push(hitRow(hit, now, timeline));
      }
      continue;
    }
    const failure =
      conclusion.kind === "not-found" ? null : failures.worstOf(found.wanted, conclusion);
    codes.add(failure?.exitCode ?? exitCode.notFound);
    const state =
      conclusion.kind === "not-known" ? "not known" : by === "status" ? "not found" : "on no list";
    rows.push(absentRow(found, state, failure));
    absent.push([absentWords(found, by), similarWords(found)].filter(Boolean).join(" "));
  }
  await printRows(invocation, foundColumns, rows, { brief, json: ({ words: _, ...row }) => row });
  if (isForPeople(invocation.globals)) for (const words of absent) invocation.problem(words);
  failures.report(invocation);
  return mostSevere(codes);
}

/** Returns the row of a number at a supplier that has it. */
function hitRow(hit: Hit, now: number, timeline: readonly Transition[]): FoundRow {
  const { number, supplier, state, serviceNumber, source, at } = hit;
  const cells = verdictCells(hitVerdict(hit, now, timeline), now, utcInstant);
  return {
    external_account_number: number,
    import_supplier: supplier,
    status: state,
    service_account_number: serviceNumber,
    source,
    listed_at: source === "status" ? null : utcInstant(at),
    words: {
      state: cells.state,
      since: cells.since,
      from: sourceWords(hit, now, utcInstant),
    },
  };
}

/** Returns the row of a number that was not found. */
function absentRow(found: FoundNumber, state: string, failure: Failure | null): FoundRow {
  const suggestions = similarOf(found)
    .slice(0, maxSuggestions)
    .map(({ supplier, number }) => ({
      import_supplier: supplier,
      external_account_number: number,
    }));
  return {
    external_account_number: found.wanted,
    import_supplier: null,
    suggestions,
    ...(failure === null ? {} : { error: failureJson(failure) }),
    words: { state },
  };
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
    const doing = `listing the accounts of ${supplier}`;
    return failureOf(error, this.#target.context(doing, { kind: "supplier", supplier }));
  }

  #lookupFailure(supplier: string, wanted: string, error: unknown): Failure {
    const doing = `reading the status of ${wanted} at ${supplier}`;
    const subject = { kind: "account", supplier, id: wanted } as const;
    return failureOf(error, this.#target.context(doing, subject));
  }
}
