import type { AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { exportView, isWhole } from "../../accounts/export.ts";
import { keptExtraCharacters, keptExtras } from "../../accounts/ingest/batch-builder.ts";
import { type SortColumn, sortColumns } from "../../accounts/sort.ts";
import type { ViewRows } from "../../accounts/view.ts";
import { accountColumnIds, parseColumns } from "../../components/account-columns.ts";
import { type ListProblem, loadActions } from "../../components/list-problem.ts";
import type { AccountListFeed } from "../../hooks/account-list.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, composeMarked, notListedWords } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { readingKeys } from "../../session/pager.ts";
import type { AccountTab } from "../../session/places.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand as asCommandLine, type CommandPlace, intoFile } from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { recordFormats } from "../../text/records.ts";
import { useCopyRows } from "./copy-rows.ts";

const sortNames: Readonly<Record<SortColumn, string>> = {
  wire: "the service's order",
  external: "external account",
  pending: "how long they have been pending",
  service: "service account",
  created: "creation time",
};

/** What no row of a tab has: an order by it would change nothing. */
const emptyColumns: Readonly<Record<AccountTab, readonly SortColumn[]>> = {
  all: [],
  imported: ["pending"],
  pending: ["service", "created"],
  gone: ["service", "created"],
};

/** Of a row whose raw JSON could not be stored. */
const moreCameWords = `This row has more fields than shown: of rows with further fields, a list stores the raw JSON of the first ${count(keptExtras)}, or of ${bytes(keptExtraCharacters)}.`;

/** Before a list is exported of which not every row is stored. */
const notAllKeptWords =
  " Accounts beyond the memory cap are left out; `supplyline accounts list` prints all.";

/** The keys of a list and its rows, those that move the cursor apart. */
export function useAccountActions(options: {
  readonly supplier: string;
  readonly tab: AccountTab;
  readonly feed: AccountListFeed;
  readonly row: AccountRowView | null;
  readonly columns: readonly string[] | null;
  readonly chooseColumns: (columns: readonly string[] | null) => void;
  readonly problem: ListProblem;
  /** Moves the cursor to the next row. */
  readonly toNext: () => void;
}): Actions {
  const { supplier, tab, feed, row, columns, chooseColumns, problem } = options;
  const here = useHere();
  const { app, session } = here;
  const { notices, overlays, clipboard } = app;
  const exportTo = useExport();
  const { store, snapshot } = feed;
  const copyRow = useCopyRows({ feed, row });
  const composeForMarked = composeMarked(here, { supplier, list: tab, marks: feed.snapshot.marks });
  const loading = loadActions(app, feed);
  const byNumber = openByNumber(app, supplier);
  const writes = composeActions(
    here,
    supplier,
    row ? { account: row.external, notImported: notListedWords(row) } : null,
  );
  const subject = (number: string) => ({ kind: "account", supplier, number }) as const;
  const watch = useWatchAction(
    snapshot.marks > 0
      ? {
          kind: "many",
          find: (most) => store.markedExternals(most).map(subject),
          total: snapshot.marks,
        }
      : { kind: "one", subject: subject(row?.external ?? "") },
  );
  const { column, descending } = snapshot.sort;
  // The sort column may be hidden: then only the notice shows the order.
  const sort = (by: SortColumn, reversed: boolean) => {
    store.setSort(by, reversed);
    const turned = by === "pending" ? "longest first" : "reversed";
    notices.show(`Sorted by ${sortNames[by]}${reversed ? `, ${turned}` : ""}.`);
  };
  const sortBy = (step: number) => {
    const orders = sortColumns.filter((one) => !emptyColumns[tab].includes(one));
    const at = orders.indexOf(snapshot.sort.column);
    const next = orders[(Math.max(0, at) + step + orders.length) % orders.length];
    // Who has been pending longest is what the ages are asked for.
    if (next === "pending") sort(next, true);
    else if (next) sort(next, next !== "wire" && column !== "pending" && descending);
  };
  const place = {
    kind: "accounts-list",
    supplier,
    ...(tab === "gone"
      ? { state: "all", ages: true, filter: `is:gone ${snapshot.filter.text}`.trim() }
      : { state: tab, filter: snapshot.filter.text || undefined }),
  } as const satisfies CommandPlace;
  const allMarked = snapshot.marks > 0 && snapshot.marks >= snapshot.matched;
  return {
    ...writes,
    "compose-marked": composeForMarked,
    ...byNumber,
    "sort-previous": () => sortBy(-1),
    "sort-next": () => sortBy(1),
    reverse: () => sort(column, !descending),
    ...loading,
    "mark-all": allMarked
      ? { run: () => store.clearMarks(), label: "unmark all" }
      : {
          run: () => store.markMatching(),
          disabled:
            snapshot.filter.reading === null
              ? null
              : `Reading ${snapshot.filter.reading}: what matches is not known yet.`,
        },
    ...(row
      ? {
          mark: () => {
            store.toggleMark(row.external);
            options.toNext();
          },
          copy: () => clipboard(row.external, row.external),
          ...readingKeys(app, {
            title: row.external,
            raw: row.gone ? goneAsJson(row) : (row.extras ?? rowAsJson(row, session.profile.brand)),
            ...noteOf([
              problem.note,
              row.moreCame ? moreCameWords : null,
              row.gone ? goneWords : null,
            ]),
          }),
        }
      : problem.reading),
    columns: () =>
      overlays.prompt({
        title: "Columns of the account lists",
        label: "Columns",
        hint: `Any of ${accountColumnIds.join(", ")}, in any order.`,
        initial: (columns ?? accountColumnIds).join(", "),
        onSubmit: (typed) => {
          const parsed = parseColumns(typed);
          if ("problem" in parsed) return parsed.problem;
          chooseColumns(parsed);
          return null;
        },
      }),
    export: {
      disabled: snapshot.matched === 0 ? "There are no rows to export." : null,
      run: () =>
        overlays.prompt({
          title: `Export ${plural(snapshot.matched, "row")}${isWhole(snapshot) ? "" : " of an INCOMPLETE list"}, exactly as filtered and sorted`,
          label: "File",
          isPath: true,
          hint: `A new file; its name ends in .csv, .tsv, .json or .jsonl. ${snapshot.truncatedAt === null ? "" : notAllKeptWords}`,
          initial: `${supplier.replace(/[^\w.-]+/g, "_")}-${tab}.csv`,
          onSubmit: (path) => exportTo(store.viewRows(), path, isWhole(snapshot), place),
        }),
    },
    ...(row || snapshot.marks > 0 ? { watch, "copy-row": copyRow } : {}),
    "as-command": () =>
      showAsCommand(here, place, [
        `v1/data-import/${tab === "gone" ? "all" : tab}-account-import-processes`,
        supplier,
      ]),
  };
}

/** The JSON of a row that has only the three documented fields. */
function rowAsJson(row: AccountRowView, brand: string): string {
  return JSON.stringify({
    external_account_number: row.external,
    [`${brand}_account_number`]: row.service,
    account_created_at: row.created,
  });
}

/** What was observed of an account that is on no list. */
function goneAsJson(row: AccountRowView): string {
  return JSON.stringify({
    external_account_number: row.external,
    pending_since: utcInstant(row.pendingSince) || null,
    gone_at: utcInstant(row.goneAt) || null,
  });
}

const goneWords =
  "No list of the service has this account. This is what was observed of it from this machine.";

/** The parts that there are as one note; nothing where there are none. */
function noteOf(parts: readonly (string | null)[]): { readonly note?: string } {
  const note = parts.filter((part) => part !== null).join(" ");
  return note === "" ? {} : { note };
}

/**
 * Writes the rows of a view to a new file, in the format that its ending names; rows that are not a
 * `whole` list are announced as such. Returns what is wrong with the path, in words, or null when
 * the writing has begun.
 */
function useExport(): (
  view: ViewRows,
  path: string,
  whole: boolean,
  place: Extract<CommandPlace, { readonly kind: "accounts-list" }>,
) => string | null {
  const write = useWriteFile();
  const profile = profileFlag(useSession().profile);
  return (view, path, whole, place) =>
    write(
      {
        what: `${plural(view.length, "row")}${whole ? "" : " of an incomplete list"}`,
        endings: Object.keys(recordFormats),
        pieces: (ending) => exportView(view, recordFormats[ending] ?? "csv", whole),
        command: (file, ending) =>
          intoFile(
            asCommandLine({ ...place, format: recordFormats[ending] ?? "csv" }, profile),
            file,
          ),
      },
      path,
    );
}
