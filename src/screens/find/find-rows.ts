import { type Column, column } from "../../components/list-screen/column.ts";
import { detailBlock } from "../../components/list-screen/list-screen.tsx";
import type { RowBlock } from "../../components/list-screen/list-spec.ts";
import type { ProblemLine } from "../../components/problem.tsx";
import { type ErrorContext, listingContext, lookupContext } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import { agoWords } from "../../text/ages.ts";
import { shortInstant, utcInstantOrNull } from "../../text/dates.ts";
import { type Field, type Fields, within } from "../../text/fields.ts";
import { count, plural } from "../../text/numbers.ts";
import type { FindProgress } from "../../triage/find/find.ts";
import {
  conclusionOf,
  errorsOf,
  type FoundNumber,
  type Hit,
  isUnsearched,
  type PlaceFound,
  similarWords,
  sourceWords,
  wasNotAsked,
} from "../../triage/find/found.ts";
import { absentRow, type FoundRow, foundFields, hitRow } from "../../triage/find/found-fields.ts";
import { checkedOrSourceWords } from "../../triage/find/hit-verdict.ts";
import type { Verdict } from "../../triage/verdict.ts";
import { type VerdictCells, verdictCells, verdictWords } from "../../triage/verdict-words.ts";

/**
 * - `hit`: a found account
 * - `none`: a supplier without the number
 * - `nowhere`: one of several numbers that no supplier is known to have
 */
export type FindRow =
  | { readonly kind: "hit"; readonly hit: Hit; readonly isNear: boolean }
  | { readonly kind: "none"; readonly place: PlaceFound }
  | { readonly kind: "nowhere"; readonly found: FoundNumber };

export function idOf(row: FindRow): string {
  switch (row.kind) {
    case "hit":
      return JSON.stringify([row.hit.supplier, row.hit.number]);
    case "none":
      return row.place.supplier;
    case "nowhere":
      return JSON.stringify([row.found.wanted]);
  }
}

export function hitsOf(rows: readonly FindRow[]): readonly Hit[] {
  return rows.flatMap((row) => (row.kind === "hit" ? row.hit : []));
}

export function numberOf(row: FindRow): string | null {
  switch (row.kind) {
    case "hit":
      return row.hit.number;
    case "none":
      return null;
    case "nowhere":
      return row.found.wanted;
  }
}

/**
 * Returns the rows of a search: accounts with exactly this number, then numbers that contain the
 * text, then similar numbers, then suppliers without a match.
 */
export function rowsOf({ places }: FoundNumber): readonly FindRow[] {
  const rows = new Map<string, FindRow>();
  const add = (hit: Hit | null, isNear = false) => {
    if (hit === null) return;
    const row = { kind: "hit", hit, isNear } as const;
    if (!rows.has(idOf(row))) rows.set(idOf(row), row);
  };
  for (const { hit } of places) add(hit);
  for (const { containing } of places) for (const hit of containing) add(hit);
  for (const { near } of places) add(near, true);
  const none = places
    .filter(({ hit, near, containing }) => hit === null && near === null && containing.length === 0)
    .map((place): FindRow => ({ kind: "none", place }));
  return [...rows.values(), ...none];
}

/** `place` is the profile that an error names. */
export function fileFields(place: Omit<ErrorContext, "doing">): Fields<FindRow> {
  const messageOf = (found: PlaceFound, wanted: string) => {
    const [error] = errorsOf(found);
    if (error === undefined) return null;
    const { supplier, answer } = found;
    const context =
      answer?.kind === "failed" ? lookupContext(supplier, wanted) : listingContext(supplier);
    return { message: errorLine(error, { ...place, ...context }) };
  };
  const foundRow = (row: FindRow): FoundRow => {
    switch (row.kind) {
      case "hit":
        return hitRow(row.hit);
      case "none":
        return {
          number: null,
          supplier: row.place.supplier,
          hit: null,
          absent: null,
          error: messageOf(row.place, ""),
        };
      case "nowhere": {
        const { wanted, places } = row.found;
        const [error = null] = places.flatMap((found) => messageOf(found, wanted) ?? []);
        return absentRow(row.found, error);
      }
    }
  };
  const fields: Fields<FoundRow> = Object.values<Field<FoundRow, string, unknown>>(foundFields);
  return fields.map((field) => within(field, foundRow));
}

/** `now` is the time for ages in epoch milliseconds. */
export function findColumns(
  now: number,
  verdictOn: (hit: Hit) => Verdict,
): readonly Column<FindRow>[] {
  const cells = ({ hit }: Extract<FindRow, { kind: "hit" }>): VerdictCells =>
    verdictCells(verdictOn(hit), now);
  return [
    column("supplier", "Supplier", 8, supplierOf, { maxWidth: 24 }),
    column("ext", "Account", 14, (row) => numberOf(row) ?? "–", {
      maxWidth: 40,
      names: true,
      value: numberOf,
    }),
    column(
      "state",
      "State",
      12,
      (row) => (row.kind === "hit" ? stateOf(cells(row)) : noState(row)),
      {
        maxWidth: 44,
        tone: (row) =>
          row.kind === "hit" ? cells(row).tone : row.kind === "nowhere" ? "waiting" : "plain",
        value: (row) => (row.kind === "hit" ? row.hit.state : null),
      },
    ),
    column("since", "Since", 16, (row) => (row.kind === "hit" ? cells(row).since : ""), {
      drop: 2,
      value: (row) => utcInstantOrNull(row.kind === "hit" ? cells(row).sinceAt : null),
    }),
    column(
      "svc",
      "Service account",
      15,
      (row) => (row.kind === "hit" ? (row.hit.serviceNumber ?? "") : ""),
      { drop: 3 },
    ),
    column("source", "Where from", 23, (row) => sourceText(row, now), {
      maxWidth: 60,
      tone: (row) => (isFailed(row) ? "bad" : "muted"),
      value: (row) =>
        row.kind === "hit"
          ? row.hit.source
          : row.kind === "nowhere"
            ? similarWords(row.found)
            : null,
    }),
  ];
}

function supplierOf(row: FindRow): string {
  switch (row.kind) {
    case "hit":
      return row.hit.supplier;
    case "none":
      return row.place.supplier;
    case "nowhere":
      return "–";
  }
}

function stateOf({ mark, state, verdict }: VerdictCells): string {
  return `${mark} ${state}${verdict === "" ? "" : `, ${verdict}`}`;
}

function noState(row: Exclude<FindRow, { kind: "hit" }>): string {
  if (row.kind === "none") return row.place.answer?.kind === "not-found" ? "404" : "";
  const conclusion = conclusionOf(row.found, "status");
  if (isUnsearched(row.found)) return "not known; no list searched yet";
  if (conclusion.kind !== "not-known") return `not found: 404 at ${count(row.found.places.length)}`;
  const [near] = row.found.places.flatMap((place) => place.near ?? []);
  if (near !== undefined) return `nowhere; similar ${near.number}`;
  const { open } = conclusion;
  return `nowhere; ${count(open.length)} ${open.every(wasNotAsked) ? "not asked" : "without answer"}`;
}

function sourceText(row: FindRow, now: number): string {
  if (row.kind === "none") return noneText(row.place, now);
  if (row.kind === "nowhere") return similarWords(row.found) ?? "";
  const time = (ms: number) => shortInstant(ms, now);
  return `${row.isNear ? "similar number, " : ""}${sourceWords(row.hit, now, time)}`;
}

function isFailed(row: FindRow): boolean {
  return row.kind === "none" && errorsOf(row.place).length > 0;
}

function noneText({ answer, list, stored }: PlaceFound, now: number): string {
  if (answer?.kind === "failed") return "did not answer";
  if (answer?.kind === "not-found") return `asked ${agoWords(answer.at, now)}`;
  if (list.kind === "searched")
    return list.isWhole ? `not listed ${agoWords(list.at, now)}` : "not in the loaded part";
  if (stored.kind === "searched") return `not listed ${agoWords(stored.at, now)}`;
  if (stored.kind === "failed") return "stored list unreadable";
  return list.kind === "waiting" || stored.kind === "waiting" ? "reading" : "no list yet";
}

/**
 * Returns the block below the table with the whole verdict on the account under the cursor, which
 * has more room than the cells. `now` is the time for ages in epoch milliseconds.
 */
export function verdictBlock(now: number, verdictOn: (hit: Hit) => Verdict): RowBlock<FindRow> {
  return detailBlock((row) => {
    if (row.kind !== "hit") return row.kind === "nowhere" ? similarWords(row.found) : null;
    const verdict = verdictOn(row.hit);
    const { badge, tails, others } = verdictWords(verdict, now);
    const time = (ms: number) => shortInstant(ms, now);
    const where = checkedOrSourceWords(row.hit, verdict, now, time);
    return `${badge.mark} ${badge.label}${tails[0] ?? ""} (${where}).${others === null ? "" : ` ${others}`}`;
  });
}

export interface FailedSupplier {
  readonly supplier: string;
  readonly error: unknown;
}

const maxFailures = 3;

export function failureLines(
  failed: readonly FailedSupplier[],
  place: Omit<ErrorContext, "doing" | "subject">,
): readonly ProblemLine[] {
  const others = failed.slice(maxFailures);
  const texts = failed.slice(0, maxFailures).map(({ supplier, error }) => {
    const subject = { kind: "supplier", supplier } as const;
    return errorLine(error, { doing: `searching ${supplier}`, ...place, subject });
  });
  if (others.length > 0)
    texts.push(`${plural(others.length, "other supplier")} could not be searched either.`);
  return texts.map((text) => ({ text, tone: "bad" }));
}

export function progressWords(progress: FindProgress): string {
  return progress.phase === "asking"
    ? `Asking the service, at most 8 requests per second: ${count(progress.done)} of ${count(progress.total)}`
    : "Reading the observations…";
}
