import type { AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { exportRows, exportView, isWhole } from "../../accounts/export.ts";
import { keptExtraCharacters, keptExtras } from "../../accounts/ingest/batch-builder.ts";
import { accountColumnIds, parseColumns } from "../../components/account-columns.ts";
import { type ListProblem, loadActions } from "../../components/list-problem.ts";
import { noRowWords } from "../../components/list-screen/list-keys.ts";
import type { List } from "../../components/list-screen/use-list.ts";
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

/** Of a row whose raw JSON could not be stored. */
const moreCameWords = `This row has more fields than shown: of rows with further fields, a list stores the raw JSON of the first ${count(keptExtras)}, or of ${bytes(keptExtraCharacters)}.`;

/** Before a list is exported of which not every row is stored. */
const notAllKeptWords =
  " Accounts beyond the memory cap are left out; `supplyline accounts list` prints all.";

/** The keys of a list and its rows besides those of every list. */
export function useAccountActions(options: {
  readonly supplier: string;
  readonly tab: AccountTab;
  readonly feed: AccountListFeed;
  readonly list: List<AccountRowView>;
  readonly columns: readonly string[] | null;
  readonly chooseColumns: (columns: readonly string[] | null) => void;
  readonly problem: ListProblem;
}): Actions {
  const { supplier, tab, feed, list, columns, chooseColumns, problem } = options;
  const row = list.current;
  const here = useHere();
  const { app, session } = here;
  const { overlays } = app;
  const exportTo = useExport();
  const { store, snapshot } = feed;
  const { marks } = snapshot;
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
  const place = {
    kind: "accounts-list",
    supplier,
    ...(tab === "gone"
      ? { state: "all", ages: true, filter: `is:gone ${snapshot.filter.text}`.trim() }
      : { state: tab, filter: snapshot.filter.text || undefined }),
  } as const satisfies CommandPlace;
  return {
    ...writes,
    "compose-marked": composeForMarked,
    ...byNumber,
    ...loading,
    ...(row
      ? {
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
      disabled: snapshot.matched + marks === 0 ? noRowWords : null,
      run: () =>
        overlays.prompt({
          title:
            marks > 0
              ? `Export ${plural(marks, "marked account")}`
              : `Export ${plural(snapshot.matched, "row")}${isWhole(snapshot) ? "" : " of an INCOMPLETE list"}, exactly as filtered and sorted`,
          label: "File",
          isPath: true,
          hint: `A new file; its name ends in .csv, .tsv, .json or .jsonl. ${snapshot.truncatedAt === null ? "" : notAllKeptWords}`,
          initial: `${supplier.replace(/[^\w.-]+/g, "_")}-${tab}.csv`,
          onSubmit: (path) => exportTo(path, { store, snapshot, place }),
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
 * Writes the marked rows of a list to a new file, else all that match, in the format that its ending
 * names; rows that are not a whole list are announced as such. Returns what is wrong with the path, in
 * words, or null when the writing has begun.
 */
function useExport() {
  const write = useWriteFile();
  const profile = profileFlag(useSession().profile);
  return (
    path: string,
    of: Pick<AccountListFeed, "store" | "snapshot"> & {
      readonly place: Extract<CommandPlace, { readonly kind: "accounts-list" }>;
    },
  ): string | null => {
    const { store, snapshot, place } = of;
    const whole = isWhole(snapshot);
    const view = store.viewRows();
    const marked = snapshot.marks === 0 ? null : store.markedRows();
    return write(
      {
        what:
          marked === null
            ? `${plural(view.length, "row")}${whole ? "" : " of an incomplete list"}`
            : plural(marked.length, "marked account"),
        endings: Object.keys(recordFormats),
        pieces: (ending) => {
          const format = recordFormats[ending] ?? "csv";
          return marked === null
            ? exportView(view, format, whole)
            : exportRows(marked, format, view.table);
        },
        ...(marked === null
          ? {
              command: (file, ending) =>
                intoFile(
                  asCommandLine({ ...place, format: recordFormats[ending] ?? "csv" }, profile),
                  file,
                ),
            }
          : {}),
      },
      path,
    );
  };
}
