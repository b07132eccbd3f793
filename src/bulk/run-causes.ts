/** The causes of a run's failed rows. */

import type { FormKind } from "../forms/forms.ts";
import { type Cause, causeCounter, type Failure, failedOutcomes } from "../writes/causes.ts";
import { failedEntryOf, sentTexts } from "../writes/failed-entries.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { operationOf } from "../writes/kinds/kinds.ts";
import { type RowsWanted, rowOfLine, rowPages } from "./rows.ts";
import type { RunRecord, RunRow } from "./run-record.ts";

/**
 * The causes of the failures of a run, largest first; `sample` has lines. Rows are read a page at a
 * time. Rejects with a journal error, or the reason of the signal.
 */
export async function causesOfRun(
  journal: Journal,
  run: Pick<RunRecord, "id" | "kind">,
  wanted: RowsWanted & { readonly most?: number },
): Promise<readonly Cause[]> {
  const { outcomes = failedOutcomes, signal, most } = wanted;
  const counter = causeCounter(most);
  for await (const rows of rowPages(journal, run.id, { signal, outcomes }))
    for (const row of rows) counter.add(failureOf(journal, run.kind, row));
  return counter.causes();
}

/** A row as its cause is found. */
export function failureOf(journal: Journal, kind: FormKind, row: RunRow): Failure {
  const { journalId } = row;
  const names = [row.importSupplier, row.externalAccountNumber, row.externalIdentifier];
  return {
    operation: operationOf(kind),
    outcome: row.outcome,
    httpStatus: row.httpStatus,
    code: row.code,
    errorCodes: row.errorCodes,
    message: row.detail,
    ownValues: () => [...names.filter((name) => name !== null), ...sentTexts(journal, journalId)],
    sample: row.line,
  };
}

/** The rows of these lines; `sample` of a cause has them. Throws a journal error. */
export function rowsOfLines(
  journal: Journal,
  run: string,
  lines: readonly number[],
): readonly RunRow[] {
  return journal.read((rows) => lines.flatMap((line) => rowOfLine(rows, run, line) ?? []));
}

/** Entries in the shape of rows, each with its journal id as its line. Throws a journal error. */
export function rowsOfEntries(journal: Journal, ids: readonly number[]): readonly RunRow[] {
  return ids.flatMap((id): RunRow[] => {
    const found = failedEntryOf(journal, id);
    if (found === null) return [];
    const { row, failure } = found;
    return [
      {
        line: id,
        importSupplier: row.import_supplier,
        externalAccountNumber: row.external_account_number ?? null,
        externalIdentifier: row.external_identifier ?? null,
        outcome: row.outcome,
        existed: false,
        status: null,
        httpStatus: row.http_status,
        code: row.code,
        detail: failure.message,
        errorCodes: failure.errorCodes,
        journalId: id,
      },
    ];
  });
}
