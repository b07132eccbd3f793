/** Defines the columns and keys of the rows of a bulk run, and describes their accounts now. */

import { useMemo } from "react";
import { rowFields } from "../bulk/run-fields.ts";
import type { RunRow } from "../bulk/run-record.ts";
import { useSession } from "../hooks/app.tsx";
import { useServiceNow } from "../hooks/now.ts";
import type { Action } from "../keys/scopes.ts";
import type { Navigation } from "../session/navigation.ts";
import type { Session } from "../session/open-session.ts";
import type { RowValues } from "../settings/custom/values.ts";
import { atLeastAge } from "../text/ages.ts";
import { marked } from "../text/describe-status.ts";
import type { Tone } from "../theme.tsx";
import { outcomeWords } from "../writes/words/outcomes.ts";
import { type Column, column, countColumn, fieldColumn } from "./list-screen/column.ts";

/** Returns the current state of the account of a row in words, or null if it is unknown. */
export type StateNow = (row: RunRow) => { readonly text: string; readonly tone: Tone } | null;

/**
 * Returns the columns of the rows of a run. Exported files use the names of the run results.
 * `first` is the title of the first column, the number of the line or of the entry. `stateNow` is
 * null if no list is in memory.
 */
export function runRowColumns(
  first: "Line" | "Entry",
  stateNow: StateNow | null,
): readonly Column<RunRow>[] {
  const { line, supplier, account, supplyPoint, outcome, status, httpStatus, code } = rowFields;
  return [
    countColumn("line", first, first.length, line.value, { maxWidth: 9 }),
    fieldColumn(supplier, "supplier", "Supplier", 0),
    fieldColumn(account, "ext", "Account or identifier", 14, {
      text: targetOf,
      short: "For",
      minWidth: 8,
      maxWidth: 40,
      sort: targetOf,
    }),
    fieldColumn(supplyPoint, "sp", "Supply point", 0),
    fieldColumn(outcome, "outcome", "Outcome", 11, {
      text: outcomeText,
      tone: (row) => outcomeWords[row.outcome].tone,
    }),
    fieldColumn(status, "status", "Status", 0),
    fieldColumn(httpStatus, "http", "HTTP", 0),
    column("answer", "Answer", 12, responseText, {
      minWidth: 3,
      wider: 25,
      maxWidth: 40,
      picture: true,
      tone: responseTone,
    }),
    fieldColumn(code, "code", "Code", 0),
    column("now", "Now", stateNow === null ? 0 : 19, (row) => stateNow?.(row)?.text ?? "", {
      drop: 1,
      picture: true,
      tone: (row) => stateNow?.(row)?.tone ?? "plain",
    }),
    fieldColumn(rowFields.detail, "detail", "Detail", 12, { drop: 2, maxWidth: 200 }),
    fieldColumn(rowFields.entry, "entry", "Entry", 0),
  ];
}

function outcomeText({ outcome, existed }: RunRow): string {
  if (existed) return "= existed";
  const words = outcomeWords[outcome];
  return `${words.mark} ${words.label}`;
}

/**
 * Formats the response to a row: `404 not_found`, `201 NOTE_CREATION_SUCCESS`. The code of the
 * row's error comes before the code of the whole response, which is the same for most rejections.
 * Returns an empty text for a row without a response.
 */
function responseText({ httpStatus, code, status, errorCodes }: RunRow): string {
  return [httpStatus, errorCodes[0] ?? code ?? status].filter((part) => part !== null).join(" ");
}

/** Returns a muted tone for a successful row, because its response adds nothing to the outcome. */
function responseTone({ outcome }: RunRow): Tone {
  return outcomeWords[outcome].tone === "ok" ? "muted" : "plain";
}

/** Returns the account number or the supply point's identifier. */
function targetOf(row: RunRow): string {
  return row.externalAccountNumber ?? row.externalIdentifier ?? "";
}

/** Returns the values of a row for the user's commands. */
export function rowValues(row: RunRow): RowValues {
  return {
    import_supplier: row.importSupplier,
    external_account_number: row.externalAccountNumber ?? undefined,
    external_identifier: row.externalIdentifier ?? undefined,
    journal_id: String(row.journalId),
    status: row.outcome,
  };
}

/** Returns the key that opens the account or supply point of a row. */
export function openRow(navigation: Navigation, row: RunRow): Action {
  const { importSupplier: supplier, externalAccountNumber: account, externalIdentifier } = row;
  if (account !== null)
    return {
      label: "account",
      run: () => navigation.push({ kind: "account", supplier, account }),
    };
  return {
    label: "supply point",
    run: () =>
      navigation.push({ kind: "supply-point", supplier, identifier: externalIdentifier ?? "" }),
  };
}

export function openEntry(navigation: Navigation, { journalId }: RunRow): Action {
  return {
    label: "entry",
    help: "Open the journal entry of this row",
    run: () => navigation.push({ kind: "write", id: String(journalId) }),
  };
}

/**
 * Returns a function that describes the current state of the account of a row. It reads the lists
 * in memory and makes no request. Returns null if the supplier of `first` has no complete list.
 */
export function useRowsNow(first: RunRow | null): StateNow | null {
  const session = useSession();
  const now = useServiceNow(60_000);
  const supplier = first?.importSupplier ?? null;
  const loadedAt = supplier === null ? null : loadedAtOf(session, supplier);
  return useMemo(
    () => (loadedAt === null ? null : (row) => rowNow(session, row, now)),
    [session, loadedAt, now],
  );
}

function loadedAtOf(session: Session, supplier: string): number | null {
  return session.knownList(supplier, "all")?.getSnapshot().loadedAt ?? null;
}

function rowNow(
  session: Session,
  { importSupplier: supplier, externalAccountNumber: account }: RunRow,
  now: number,
): ReturnType<StateNow> {
  if (account === null) return null;
  const listed = session.listedRow(supplier, account);
  if (listed === null)
    return loadedAtOf(session, supplier) === null ? null : { text: "– on no list", tone: "plain" };
  const words = listed.pending ? marked("waiting", "pending") : marked("ok", "imported");
  const mark = words.mark;
  const age = now - listed.pendingSince;
  const since = listed.pending && age >= 60_000 ? ` ${atLeastAge(age)}` : "";
  return { text: `${mark} ${words.label}${since}`, tone: words.tone };
}
