import type { AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { isWhole } from "../../accounts/export.ts";
import { keptExtraCharacters, keptExtras } from "../../accounts/ingest/batch-builder.ts";
import { type SortColumn, sortColumns } from "../../accounts/sort.ts";
import type { ListState } from "../../api/service.ts";
import { accountColumnIds, parseColumns } from "../../components/account-columns.ts";
import type { AccountListFeed } from "../../hooks/account-list.ts";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import {
  notListedWords,
  useComposeActions,
  useComposeMarked,
} from "../../hooks/compose-actions.ts";
import { useKeyWords } from "../../hooks/keys.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useOpenByNumber } from "../../hooks/open-by-number.ts";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useReading } from "../../hooks/pager.ts";
import { useViewAction } from "../../hooks/saved-views.ts";
import { useSession } from "../../hooks/session.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { useCopyRows } from "./copy-rows.ts";
import { useExport } from "./export-file.ts";

const sortNames: Readonly<Record<SortColumn, string>> = {
  wire: "the service's order",
  external: "external account",
  service: "service account",
  created: "creation time",
};

/** Said where a row's own JSON could not be kept. */
const moreCameWords = `More came with this row than is shown: of rows with further fields, only the first ${count(keptExtras)} or ${bytes(keptExtraCharacters)} of a list are kept as they came.`;

/** Said before a list is written of which not all is there. */
const notAllKeptWords =
  " Accounts beyond the memory cap are not among them; `supplyline accounts list` prints all.";

/** What can be done with a list and its rows besides moving in it. */
export function useAccountActions(options: {
  readonly supplier: string;
  readonly tab: ListState;
  readonly feed: AccountListFeed;
  readonly row: AccountRowView | null;
  readonly columns: readonly string[] | null;
  readonly chooseColumns: (columns: readonly string[] | null) => void;
  /** What the last load failed with, in words; null when it did not. */
  readonly failed: string | null;
  /** Moves the cursor to the next row. */
  readonly toNext: () => void;
}): Actions {
  const { supplier, tab, feed, row, columns, chooseColumns, failed } = options;
  const notices = useNotices();
  const exportTo = useExport();
  const { store, snapshot } = feed;
  const clipboard = useClipboard();
  const copyRow = useCopyRows({ feed, row });
  const session = useSession();
  const composeMarked = useComposeMarked();
  const overlays = useOverlays();
  const reading = useReading();
  const key = useKeyWords();
  const asCommand = useAsCommand();
  const openByNumber = useOpenByNumber(supplier);
  const writes = useComposeActions(
    supplier,
    row ? { account: row.external, notImported: notListedWords(row.pending) } : null,
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
  // A column that is not shown, or none, would leave no sign of it on the screen.
  const sort = (by: SortColumn, reversed: boolean) => {
    store.setSort(by, reversed);
    notices.show(`Sorted by ${sortNames[by]}${reversed ? ", reversed" : ""}.`);
  };
  const sortBy = (step: number) => {
    const at = sortColumns.indexOf(snapshot.sort.column);
    const next = sortColumns[(at + step + sortColumns.length) % sortColumns.length];
    if (next) sort(next, next !== "wire" && snapshot.sort.descending);
  };
  const { column, descending } = snapshot.sort;
  const shownSort = { column, descending };
  const views = useViewAction({
    supplier,
    shown: { list: tab, filter: snapshot.filter.text, sort: shownSort, columns },
    chooseColumns,
  });
  const allMarked = snapshot.marks > 0 && snapshot.marks >= snapshot.matched;
  return {
    ...writes,
    "compose-marked": {
      disabled:
        snapshot.marks === 0
          ? `Mark accounts first: ${key("mark")} marks one, ${key("mark-all")} all that match.`
          : null,
      run: () =>
        overlays.open({
          kind: "choose",
          title: `Compose for ${plural(snapshot.marks, "marked account")}`,
          choices: [
            {
              label: "A note",
              hint: "on each of them",
              run: () => composeMarked("notes", { supplier, list: tab }),
            },
            {
              label: "Transactions",
              hint: "the same ones on each of them",
              run: () => composeMarked("transactions", { supplier, list: tab }),
            },
          ],
        }),
    },
    account: openByNumber.account,
    "supply-point": openByNumber.supplyPoint,
    "sort-previous": { run: () => sortBy(-1) },
    "sort-next": { run: () => sortBy(1) },
    reverse: { run: () => sort(column, !descending) },
    refresh: {
      run: feed.refresh,
      disabled: snapshot.load.kind === "loading" ? `Loading; ${key("cancel")} cancels.` : null,
    },
    pause: { run: feed.togglePause, label: feed.paused ? "resume" : "pause" },
    "mark-all": allMarked
      ? { run: () => store.clearMarks(), label: "unmark all" }
      : { run: () => store.markMatching() },
    ...(row
      ? {
          mark: {
            run: () => {
              store.toggleMark(row.external);
              options.toNext();
            },
          },
          copy: { run: () => clipboard(row.external, row.external) },
          ...reading({
            title: row.external,
            raw: row.extras ?? rowAsJson(row, session.profile.brand),
            ...(row.moreCame || failed !== null
              ? { note: [failed, row.moreCame ? moreCameWords : null].filter(Boolean).join(" ") }
              : {}),
          }),
        }
      : failed === null
        ? {}
        : reading({ title: `list of ${supplier}`, raw: "", note: failed })),
    views,
    columns: {
      run: () =>
        overlays.open({
          kind: "prompt",
          title: "Columns of the account lists",
          label: "Columns",
          hint: `Any of ${accountColumnIds.join(", ")}, in the order wanted.`,
          initial: (columns ?? accountColumnIds).join(", "),
          onSubmit: (typed) => {
            const parsed = parseColumns(typed);
            if ("problem" in parsed) return parsed.problem;
            chooseColumns(parsed);
            return null;
          },
        }),
    },
    export: {
      disabled: snapshot.matched === 0 ? "There are no rows to write." : null,
      run: () =>
        overlays.open({
          kind: "prompt",
          title: `Write ${plural(snapshot.matched, "row")} ${isWhole(snapshot) ? "" : "of an INCOMPLETE list "}to a file, exactly as filtered and sorted`,
          label: "File",
          hint: `Its ending says how: .csv, .tsv, .json or .jsonl. Nothing is overwritten.${snapshot.truncatedAt === null ? "" : notAllKeptWords}`,
          initial: `${supplier.replace(/[^\w.-]+/g, "_")}-${tab}.csv`,
          onSubmit: (path) => exportTo(store.viewRows(), path, isWhole(snapshot)),
        }),
    },
    ...(row || snapshot.marks > 0 ? { watch, "copy-row": copyRow } : {}),
    "as-command": {
      run: () =>
        asCommand(
          {
            kind: "accounts-list",
            supplier,
            state: tab,
            ...(snapshot.filter.text === "" ? {} : { filter: snapshot.filter.text }),
          },
          [`v1/data-import/${tab}-account-import-processes`, supplier],
        ),
    },
  };
}

/** A row that holds nothing but its three documented fields, as the wire had it. */
function rowAsJson(row: AccountRowView, brand: string): string {
  return JSON.stringify({
    external_account_number: row.external,
    [`${brand}_account_number`]: row.service,
    account_created_at: row.created,
  });
}
