/** The keys of the account lists: export, columns, copy, watch and others. */

import type { AccountRowView } from "../../accounts/account-list-snapshot.ts";
import { exportRows, exportView, hasAges, isWhole } from "../../accounts/export.ts";
import { maxExtraCharacters, maxExtras } from "../../accounts/ingest/batch-builder.ts";
import { readPaths } from "../../api/url.ts";
import { accountColumnIds, parseColumns } from "../../components/account-columns.ts";
import { type ListProblem, loadActions } from "../../components/list-load.tsx";
import { noRowWords } from "../../components/list-screen/list-keys.ts";
import type { List } from "../../components/list-screen/use-list.ts";
import type { AccountListFeed } from "../../hooks/account-feed.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchRows } from "../../hooks/watching.ts";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { formatOf, recordFormats } from "../../rows/csv.ts";
import { composeActions, composeMarked, notListedWords } from "../../session/compose-actions.ts";
import { copyAccounts } from "../../session/copy-accounts.ts";
import { askFile, type NewFile } from "../../session/file-question.ts";
import { recordHeldBack } from "../../session/held-back-list.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import type { Session } from "../../session/open-session.ts";
import { readingKeys } from "../../session/pager.ts";
import type { AccountTab } from "../../session/places.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import {
  asCommand as asCommandLine,
  type CommandPlace,
  redirectTo,
} from "../../text/as-command.ts";
import { utcInstant } from "../../text/dates.ts";
import { bytes, count, plural } from "../../text/numbers.ts";
import { agesOfRows } from "../../triage/account-ages.ts";

const fieldsNotStoredWords = `This row has more fields than shown: of rows with further fields, a list stores the raw JSON of the first ${count(maxExtras)}, or of ${bytes(maxExtraCharacters)}.`;

const memoryCapWords =
  "Accounts beyond the memory cap are left out; `supplyline accounts list` prints all.";

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
  const write = useWriteFile();
  const { store, snapshot } = feed;
  const { marks } = snapshot;
  const composeForMarked = composeMarked(here, { supplier, list: tab, marks: feed.snapshot.marks });
  const loading = loadActions(app, feed);
  const byNumber = openByNumber(app, supplier);
  const writes = composeActions(
    here,
    supplier,
    row ? { account: row.external, notImported: notListedWords(row) } : null,
  );
  const watch = useWatchRows(list, ({ external: number }) => ({
    kind: "account",
    supplier,
    number,
  }));
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
    "record-list": () => recordHeldBack(here, supplier, feed.refresh),
    ...(row
      ? {
          ...readingKeys(app, {
            title: row.external,
            raw: row.gone ? goneAsJson(row) : (row.extras ?? rowAsJson(row, session.profile.brand)),
            ...noteOf([
              problem.note,
              row.unstoredExtras ? fieldsNotStoredWords : null,
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
      run: () => askFile(app, write, fileOf(session, feed, place, `${supplier}-${tab}`)),
    },
    ...(row || snapshot.marks > 0 ? { watch, "copy-row": copyAccounts(app, store, row) } : {}),
    "as-command": () =>
      showAsCommand(here, place, readPaths.list(tab === "gone" ? "all" : tab, supplier)),
  };
}

function rowAsJson(row: AccountRowView, brand: string): string {
  return JSON.stringify({
    external_account_number: row.external,
    [`${brand}_account_number`]: row.service,
    account_created_at: row.created,
  });
}

function goneAsJson(row: AccountRowView): string {
  return JSON.stringify({
    external_account_number: row.external,
    pending_since: utcInstant(row.pendingSince) || null,
    gone_at: utcInstant(row.goneAt) || null,
  });
}

const goneWords =
  "No list of the service has this account. This is what was observed of it from this machine.";

function noteOf(parts: readonly (string | null)[]): { readonly note?: string } {
  const note = parts.filter((part) => part !== null).join(" ");
  return note === "" ? {} : { note };
}

/**
 * Returns the export of the marked rows of a list, or of all matching rows if none is marked. If
 * the list is incomplete, the title of an export of all matching rows reports it.
 */
function fileOf(
  { observations, profile }: Session,
  { store, snapshot }: AccountListFeed,
  place: Extract<CommandPlace, { readonly kind: "accounts-list" }>,
  stem: string,
): NewFile {
  const { marks, matched, truncatedAt, loadedAt } = snapshot;
  const isComplete = isWhole(snapshot);
  const view = store.viewRows();
  const marked = marks === 0 ? null : store.marks.rows();
  // The columns do not depend on whether the ages have been shown yet.
  const isAged = place.ages === true || loadedAt !== null || hasAges(view.table);
  const readAges = async (signal: AbortSignal) => {
    if (!isAged) return null;
    const ages = await observations.ages(place.supplier, signal).catch(() => undefined);
    signal.throwIfAborted();
    return agesOfRows({ ages, listedAt: loadedAt ?? Number.NaN });
  };
  const fileOptions = {
    stem,
    endings: Object.keys(recordFormats),
    hint: truncatedAt === null ? "" : memoryCapWords,
  };
  if (marked !== null) {
    const rowsText = plural(marks, "marked account");
    return {
      ...fileOptions,
      what: rowsText,
      title: `Export ${rowsText}`,
      pieces: async function* (ending, signal) {
        yield* exportRows(marked, formatOf(ending), await readAges(signal));
      },
    };
  }
  return {
    ...fileOptions,
    what: `${plural(view.length, "row")}${isComplete ? "" : " of an incomplete list"}`,
    title: `Export ${plural(matched, "row")}${isComplete ? "" : " of an INCOMPLETE list"}, exactly as filtered and sorted`,
    pieces: async function* (ending, signal) {
      const agesOf = await readAges(signal);
      yield* exportView(view, formatOf(ending), { isComplete, agesOf });
    },
    command: (file, ending) =>
      redirectTo(
        asCommandLine(
          { ...place, ...(isAged ? agedPlace(place) : {}), format: formatOf(ending) },
          profileFlag(profile),
        ),
        file,
      ),
  };
}

/**
 * Returns the options with which the command writes the ages of the same rows: without a filter, it
 * adds the gone accounts to the list of all.
 */
function agedPlace({
  state,
  filter,
  ages,
}: Extract<CommandPlace, { readonly kind: "accounts-list" }>) {
  const isWithGone = ages === true || state !== "all";
  return { ages: true, filter: isWithGone ? filter : `!is:gone ${filter ?? ""}`.trim() };
}
