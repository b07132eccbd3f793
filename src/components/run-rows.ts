/** The list of the rows of a bulk run: columns, keys, and what is known of their accounts now. */

import { useMemo } from "react";
import { rowFields } from "../bulk/run-fields.ts";
import type { RunRow } from "../bulk/run-record.ts";
import { useHere, useSession, useSuppliers } from "../hooks/app.tsx";
import { useKeysWaitForJournal } from "../hooks/in-flight.tsx";
import { useJournalRead } from "../hooks/journal.ts";
import { useServiceNow } from "../hooks/now.ts";
import { useActive } from "../hooks/window.tsx";
import type { Action } from "../keys/scopes.ts";
import type { Here } from "../session/app.ts";
import { editAsNew } from "../session/edit-as-new.ts";
import type { Navigation } from "../session/navigation.ts";
import type { Session } from "../session/open-session.ts";
import type { RowValues } from "../settings/custom/values.ts";
import { padOrTruncate } from "../text/width.ts";
import type { Tone } from "../theme.tsx";
import { isImported, verdictOf } from "../triage/verdict.ts";
import { stateCell, verdictCells } from "../triage/verdict-words.ts";
import type { Writes } from "../writes/open-writes.ts";
import { outcomeWords } from "../writes/words/outcomes.ts";
import { type Column, column, countColumn, fieldColumn } from "./list-screen/column.ts";
import { arraySource, type RowSource } from "./list-screen/row-source.ts";
import { useSourceList } from "./list-screen/use-list.ts";
import type { Piece } from "./text.tsx";

export type StateNow = (row: RunRow) => {
  readonly text: string;
  readonly tone: Tone;
  readonly isImported: boolean;
} | null;

/**
 * Returns true if a row was rejected because the service did not find its account, which is imported
 * now. Sent again unchanged, the row can take effect.
 */
export function isImportedNow(row: RunRow, stateNow: StateNow | null): boolean {
  return (
    row.outcome === "rejected" && row.httpStatus === 404 && stateNow?.(row)?.isImported === true
  );
}

/**
 * Returns the columns of the rows of a run. Exported files use the names of the run results.
 * `first` is the title of the first column, the number of the line or of the entry. `stateNow` is
 * null if no list is in memory.
 */
function runRowColumns(
  first: "Line" | "Entry",
  stateNow: StateNow | null,
): readonly Column<RunRow>[] {
  const { line, supplier, account, supplyPoint, outcome, status, httpStatus, code } = rowFields;
  return [
    countColumn("line", first, first.length, line.value, { maxWidth: 9 }),
    fieldColumn(supplier, "supplier", "Supplier", 8, { drop: 1, minWidth: 4, maxWidth: 16 }),
    fieldColumn(account, "ext", "Account or identifier", 14, {
      text: targetOf,
      short: "For",
      minWidth: 8,
      maxWidth: 40,
      sort: targetOf,
      names: true,
    }),
    fieldColumn(supplyPoint, "sp", "Supply point", 0),
    fieldColumn(outcome, "outcome", "Outcome", 0),
    fieldColumn(status, "status", "Status", 0),
    fieldColumn(httpStatus, "http", "HTTP", 0),
    column("answer", "Answer", 15, answerText, {
      minWidth: 7,
      wider: 26,
      maxWidth: 40,
      picture: true,
      pieces: answerPieces,
    }),
    fieldColumn(code, "code", "Code", 0),
    column("now", "Now", stateNow === null ? 0 : 19, (row) => stateNow?.(row)?.text ?? "", {
      drop: 2,
      picture: true,
      tone: (row) => stateNow?.(row)?.tone ?? "plain",
    }),
    fieldColumn(rowFields.detail, "detail", "Why", 12, { drop: 3, maxWidth: 200 }),
    fieldColumn(rowFields.entry, "entry", "Entry", 0),
  ];
}

/** The outcomes that the response to a row makes clear, so that their label is left out. */
const clearOutcomes: ReadonlySet<RunRow["outcome"]> = new Set(["confirmed", "rejected"]);

/**
 * Formats the outcome of a row with its response: `✗ 404 not_found`, `✓ 201 NOTE_CREATION_SUCCESS`,
 * `? unknown 500`, `○ unsent`.
 */
function answerText(row: RunRow): string {
  const { mark, label } = outcomeWords[row.outcome];
  const response = responseText(row);
  if (row.existed) return `= existed ${response}`.trimEnd();
  const isClear = clearOutcomes.has(row.outcome) && response !== "";
  return isClear ? `${mark} ${response}` : `${mark} ${label} ${response}`.trimEnd();
}

function answerPieces(row: RunRow, width: number): readonly Piece[] {
  const text = padOrTruncate(answerText(row), width);
  const { tone } = outcomeWords[row.outcome];
  const [mark = ""] = text;
  return [
    { text: mark, tone },
    { text: text.slice(mark.length), tone: tone === "ok" ? "muted" : tone },
  ];
}

/**
 * Formats the response to a row: `404 not_found`, `201 NOTE_CREATION_SUCCESS`. The code of the
 * row's error comes before the code of the whole response, which is the same for most rejections.
 * Returns an empty text for a row without a response.
 */
function responseText({ httpStatus, code, status, errorCodes }: RunRow): string {
  return [httpStatus, errorCodes[0] ?? code ?? status].filter((part) => part !== null).join(" ");
}

function targetOf(row: RunRow): string {
  return row.externalAccountNumber ?? row.externalIdentifier ?? "";
}

const noRows = arraySource<RunRow>([], ({ line }) => String(line));

/** Reads the rows of a run or of a cause as a list, with the parts that both screens show alike. */
export function useRunRows(options: {
  readonly name: string;
  readonly first: "Line" | "Entry";
  readonly read: (writes: Writes) => RowSource<RunRow>;
  readonly idOf: (row: RunRow) => string;
}) {
  const { name, first, read, idOf } = options;
  const here = useHere();
  const { navigation } = here.app;
  const { view, refresh } = useJournalRead(read);
  useKeysWaitForJournal(view.kind === "opening");
  const source = view.kind === "read" ? view.value : noRows;
  const nowOf = useRowsNow(source.at(0));
  const columns = useMemo(() => runRowColumns(first, nowOf), [first, nowOf]);
  const list = useSourceList({ name, source, idOf, columns });
  const { current } = list;
  return {
    view,
    refresh,
    source,
    nowOf,
    list,
    /** The keys of the row under the cursor. */
    keys:
      current === null
        ? {}
        : { account: openEntry(navigation, current), edit: editRow(here, current) },
    shown: {
      list,
      noun: ["row", "rows"],
      history: "rows",
      valuesOf: rowValues,
      enter: (row: RunRow) => openRow(navigation, row),
    } as const,
  };
}

function rowValues(row: RunRow): RowValues {
  return {
    import_supplier: row.importSupplier,
    external_account_number: row.externalAccountNumber ?? undefined,
    external_identifier: row.externalIdentifier ?? undefined,
    journal_id: String(row.journalId),
    status: row.outcome,
  };
}

function openRow(navigation: Navigation, row: RunRow): Action {
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

function openEntry(navigation: Navigation, { journalId }: RunRow): Action {
  return {
    label: "entry",
    help: "Open the journal entry of this row",
    run: () => navigation.push({ kind: "write", id: String(journalId) }),
  };
}

function editRow(here: Here, { outcome, journalId }: RunRow): Action {
  return {
    label: outcome === "rejected" ? "correct" : "edit as new",
    help: "Open the entry of this row as a new form",
    isMain: outcome === "rejected",
    run: () => editAsNew(here, journalId),
    disabled: outcome === "sending" ? "It is being sent." : null,
  };
}

/**
 * Returns a function that describes the current state of the account of a row: the verdict from the
 * lists and the checks in memory, without a request. Returns null if neither the supplier of `first`
 * nor another of the profile has a complete list.
 */
function useRowsNow(first: RunRow | null): StateNow | null {
  const session = useSession();
  const now = useServiceNow(60_000);
  const suppliers = new Set([first?.importSupplier ?? "", ...useSuppliers()]);
  const loaded = [...suppliers].flatMap((supplier) => loadedAtOf(session, supplier) ?? []).join();
  const active = useActive();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen might have checked an account
  return useMemo(
    () => (loaded === "" ? null : (row) => rowNow(session, row, now)),
    [session, loaded, now, active],
  );
}

function loadedAtOf(session: Session, supplier: string): number | null {
  return session.knownList(supplier, "all")?.getSnapshot().loadedAt ?? null;
}

function rowNow(
  session: Session,
  { importSupplier: supplier, externalAccountNumber: number }: RunRow,
  now: number,
): ReturnType<StateNow> {
  if (number === null) return null;
  const listedAt = loadedAtOf(session, supplier);
  const listed = session.listedOf(supplier, number);
  const timeline = session.checkHistory.of({ kind: "account", supplier, number });
  const checkedAt = timeline.at(-1)?.lastSeenAt ?? Number.NEGATIVE_INFINITY;
  const isChecked = listedAt === null || checkedAt > listedAt - session.service.wrongByMs();
  if (listed === null && !(timeline.length > 0 && isChecked))
    return listedAt === null ? null : { text: "– on no list", tone: "plain", isImported: false };
  const pace = session.paces.known(supplier);
  const verdict = verdictOf({ kind: "account", timeline, listed, pace, everyMs: null, now });
  const cells = verdictCells(verdict, now);
  const since = verdict.isOpen && cells.since !== "" ? ` ${cells.since}` : "";
  return {
    text: stateCell(cells) + since,
    tone: cells.tone,
    isImported: isImported(verdict.state),
  };
}
