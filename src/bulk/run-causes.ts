/** Groups the failed rows of a run by cause. */

import type { FormKind } from "../forms/forms.ts";
import { type Cause, causeCounter, type Failure, failedOutcomes } from "../writes/causes.ts";
import { failedEntryOf, sentTexts } from "../writes/failed-entries.ts";
import type { Journal } from "../writes/journal/open-journal.ts";
import { operationOf } from "../writes/kinds/kinds.ts";
import { type RowsWanted, rowPages } from "./rows.ts";
import type { RunRecord, RunRow } from "./run-record.ts";

/**
 * Returns the causes of a run's failures, largest first. The samples are line numbers. Rejects
 * with a journal error, or with the reason of the signal.
 */
export async function causesOfRun(
  journal: Journal,
  run: Pick<RunRecord, "id" | "kind">,
  wanted: RowsWanted & { readonly maxSamples?: number },
): Promise<readonly Cause[]> {
  const { states = failedOutcomes, signal, maxSamples } = wanted;
  const counter = causeCounter(maxSamples);
  for await (const rows of rowPages(journal, run.id, { signal, states }))
    for (const row of rows) counter.add(failureOf(journal, run.kind, row));
  return counter.causes();
}

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

/** Returns entries in the shape of rows, with their ID as the line. Throws a journal error. */
export function rowsOfEntries(journal: Journal, ids: readonly number[]): readonly RunRow[] {
  return ids.flatMap((id): RunRow[] => {
    const failedEntry = failedEntryOf(journal, id);
    if (failedEntry === null) return [];
    const { row, failure } = failedEntry;
    return [
      {
        line: id,
        importSupplier: row.import_supplier,
        externalAccountNumber: row.external_account_number ?? null,
        externalIdentifier: row.external_identifier ?? null,
        outcome: row.outcome,
        isLeft: false,
        existed: false,
        isUnapproved: false,
        status: null,
        httpStatus: row.http_status,
        code: row.code,
        detail: failure.message,
        errorCodes: failure.errorCodes,
        journalId: id,
        position: null,
      },
    ];
  });
}
