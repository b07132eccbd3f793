import { useCallback, useMemo } from "react";
import { CauseList } from "../../components/cause-list.tsx";
import { recordLines } from "../../components/entry-lines.ts";
import { journalState } from "../../components/journal-problem.tsx";
import { type FootPart, footPart } from "../../components/list-screen/list-foot.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListTabs } from "../../components/list-screen/list-spec.ts";
import { useListSettings, useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Line, Lines, StatusBadge, Text } from "../../components/text.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { entriesScope } from "../../hooks/causes.ts";
import { type Colleagues, useColleagues } from "../../hooks/colleagues.ts";
import { useStore } from "../../hooks/context.ts";
import { useEntryKeys } from "../../hooks/entry-keys.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import {
  type ActivityList,
  type ListedEntry,
  useActivity,
  useDoneSince,
  useEntry,
} from "../../hooks/journal.ts";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { useJournalOpen } from "../../hooks/open-work.ts";
import { useTeamEntryKeys } from "../../hooks/team-entry-keys.ts";
import { useRoom } from "../../hooks/window.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Here } from "../../session/app.ts";
import { fixEntries } from "../../session/fix-rows.ts";
import { verifyEntries } from "../../session/many-entries.ts";
import { journalCommand } from "../../session/overlays.ts";
import type { ActivityTab } from "../../session/places.ts";
import { verifyingIds } from "../../session/tasks.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { formatInstant, startOfDay } from "../../text/dates.ts";
import { count } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import { type OpenPart, openOf, openParts, openTones } from "../../triage/open/open.ts";
import { meaningWords, outcomeWords } from "../../writes/words/outcomes.ts";
import { activityColumns, lineFields, teamLineFields } from "./activity-columns.ts";
import {
  type ActivityLine,
  colleagueRow,
  colleagueWords,
  countsOf,
  entryLine,
  linesOf,
  outcomeCounts,
  outcomesText,
  rowsOf,
  withColleagues,
} from "./activity-lines.ts";
import {
  activityCommand,
  activityTabs,
  emptyWords,
  journalIsHere,
  outcomeOf,
  runTab,
} from "./activity-tabs.ts";

const idOf = ({ id }: ActivityLine) => id;
const partsOf = (line: ActivityLine) =>
  line.kind === "colleague" ? [line] : rowsOf(line).map(entryLine);

const noRows: readonly ListedEntry[] = [];

interface ActivityProps {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly tab?: ActivityTab;
}

export function ActivityScreen({ supplier, account, tab = "all" }: ActivityProps) {
  const { navigation } = useApp();
  const hasTeam = useSession().profile.team !== undefined;
  const place = { supplier, account };
  const listTabs: ListTabs = {
    tabs: activityTabs(hasTeam),
    current: tab,
    to: (id) => navigation.replace({ kind: "activity", ...place, tab: id as ActivityTab }),
  };
  return tab === "causes" ? (
    <Causes {...place} tabs={listTabs} />
  ) : (
    <Entries {...place} tab={tab} tabs={listTabs} />
  );
}

ActivityScreen.help = {
  name: "Activity",
  about: [
    "Everything sent from this machine. Each entry is recorded before it is sent, so nothing is lost when the program or the link fails.",
    "Entries with an unknown outcome come first (this is not the account status UNKNOWN): verify them, resend them unchanged, or close them with a reason. Marked entries are verified together.",
    "The entries of a bulk run are one line; opening it shows the run. Any entry can be edited as a new draft.",
  ],
  words: ["outcome"],
} as const;

function Causes(props: Omit<ActivityProps, "tab"> & { readonly tabs: ListTabs }) {
  const { supplier, account } = props;
  const here = useHere();
  const { baseUrl } = here.session;
  const scope = useMemo(
    () => entriesScope(supplier, account, baseUrl),
    [supplier, account, baseUrl],
  );
  const place = { supplier, account };
  return (
    <CauseList
      scope={scope}
      place={place}
      actions={{
        "as-command": () => showCommand(here, { supplier, account, tab: "causes", rows: noRows }),
      }}
      tabs={props.tabs}
      doing="reading the journal"
    />
  );
}

function showCommand(
  { app, session: { profile } }: Here,
  of: Omit<Parameters<typeof activityCommand>[0], "profile">,
): void {
  const command = activityCommand({ ...of, profile });
  app.overlays.command(journalCommand(profile, { command, note: journalIsHere }));
}

/**
 * Lists the entries: unknown outcomes first, then the newest. The entries of a run are one line.
 */
function Entries(props: ActivityProps & { readonly tab: ActivityTab; readonly tabs: ListTabs }) {
  const { supplier, account, tab } = props;
  const here = useHere();
  const { navigation, clipboard } = here.app;
  const { view, refresh } = useActivity({ supplier, account, ownProfileOnly: tab === "own" });
  useKeysWaitForJournal(view.kind === "opening");
  const read = view.kind === "read" ? view.value : null;
  const name = `activity ${JSON.stringify([supplier, account])}`;
  const { filter } = useStore(useListSettings<ActivityLine>(name));
  // With a filter, each entry of a run is a separate line.
  const isFolded = filter.trim() === "";
  const colleagues = useColleagues(supplier, account, isFolded);
  const hasTeam = here.session.profile.team !== undefined;
  const rows = useMemo(() => {
    const ofTab = (read?.rows ?? noRows).filter(
      (row) => (outcomeOf(tab) ?? row.outcome) === row.outcome,
    );
    const own = isFolded ? linesOf(ofTab) : ofTab.map(entryLine);
    if (tab === "own" || tab === "mine") return own;
    const wanted = outcomeOf(tab);
    const theirs = {
      rows: colleagues.rows.filter(({ outcome }) => (wanted ?? outcome) === outcome),
      runs: colleagues.runs.filter(({ counts }) => wanted === null || counts[wanted] !== undefined),
    };
    return withColleagues(own, theirs, isFolded);
  }, [read, tab, isFolded, colleagues]);
  const profile = here.session.profile.name;
  const now = useNow();
  const today = formatInstant(now).slice(0, 10);
  const done = useDoneSince({ supplier, account }, startOfDay(now));
  // The IDs are joined to one text, so that the columns change only if the IDs do.
  const verifying = verifyingIds(useStore(here.session.tasks.entries.all)).join(" ");
  const columns = useMemo(
    () =>
      activityColumns(rows, {
        today,
        profile,
        hasTeam,
        verifying: new Set(verifying.split(" ").map(Number)),
      }),
    [rows, today, profile, verifying, hasTeam],
  );
  const list = useRowList({ name, rows, idOf, columns, partsOf });
  const { current } = list;
  const entry = current?.kind === "entry" ? current.row : null;
  const show = useCallback(
    (id: number) => navigation.push({ kind: "write", id: String(id) }),
    [navigation],
  );
  const rowActions = useEntryKeys(entry, show);
  const teamActions = useTeamEntryKeys(current === null ? null : colleagueRow(current));
  const selected =
    list.marks.count > 0 || current?.kind === "run" ? list.chosen().flatMap(rowsOf) : [];
  const unknown = selected.filter(({ outcome }) => outcome === "unknown");
  const writeFile = useWriteFile();
  // The list has the entries of the team, whose ledger has no sums.
  const doneToday = `${hasTeam ? "Today from this machine" : "Today"}. ${done}`;
  const doneRows = Math.min(2, wrap(doneToday, Math.max(8, useRoom().columns)).length);
  const run = current?.kind === "run" && list.marks.count === 0 ? current.run : null;
  return (
    <ListScreen
      list={list}
      state={journalState(view, "reading the journal")}
      empty={[emptyWords(read, tab, supplier, account)]}
      noun={["entry", "entries"]}
      file={{ stem: "activity", fields: hasTeam ? teamLineFields : lineFields }}
      tabs={props.tabs}
      {...(done === ""
        ? {}
        : {
            above: {
              rows: doneRows,
              shown: <Paragraph most={doneRows}>{doneToday}</Paragraph>,
            },
          })}
      below={{
        rows: 1,
        shown: (line) => (
          <Text>
            {line.kind === "run"
              ? `Run ${line.run}: ${outcomesText(countsOf(line))}`
              : (colleagueWords(line) ??
                colleagues.missing ??
                (line.kind === "entry"
                  ? (line.row.closing_reason ?? outcomeWords[line.row.outcome].meaning)
                  : ""))}
          </Text>
        ),
      }}
      {...(entry === null ? {} : { preview: entryPreview })}
      status={useEntryParts(counted(read, colleagues), {
        supplier,
        account,
        lines: rows.length,
      })}
      valuesOf={valuesOf}
      enter={(line) => () => {
        switch (line.kind) {
          case "entry":
            return show(line.row.journal_id);
          case "run":
            return navigation.push({ kind: "run", id: line.run, ...runTab(tab) });
          case "colleague": {
            const id = colleagueRow(line)?.team_id ?? null;
            if (id !== null) return navigation.push({ kind: "write", id });
            return here.app.notices.show(
              `Its rows, bodies and attempts are on ${line.rows[0].machine ?? "that machine"} only.`,
            );
          }
        }
      }}
      actions={{
        ...rowActions,
        ...teamActions,
        ...(selected.length === 0
          ? {}
          : {
              verify: {
                ...(unknown.length === 0 ? {} : { label: `verify ${count(unknown.length)}` }),
                run: () =>
                  verifyEntries(
                    here,
                    unknown.map(({ journal_id: id }) => id),
                  ),
                disabled: unknown.length === 0 ? "None of these entries is unknown." : null,
              },
            }),
        ...(current
          ? {
              copy: () => clipboard(...copied(current)),
            }
          : {}),
        "rejected-rows": fixEntries(here, writeFile, run, list.chosen().flatMap(rowsOf)),
        refresh,
        "as-command": () =>
          showCommand(here, { supplier, account, tab, rows: read?.rows ?? noRows }),
      }}
    />
  );
}

function counted(
  list: ActivityList | null,
  { rows, runs, hasMore }: Colleagues,
): EntryCounts | null {
  if (list === null) return null;
  const all = [outcomeCounts(rows), ...runs.map(({ counts }) => counts)];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  const theirs = sum(all.flatMap((counts) => Object.values(counts)));
  return {
    total: list.total + theirs,
    unknown: list.unknown + sum(all.map(({ unknown = 0 }) => unknown)),
    listed: list.rows.length + theirs,
    isAtLeast: hasMore,
  };
}

interface EntryCounts extends Pick<ActivityList, "total" | "unknown"> {
  readonly listed: number;
  readonly isAtLeast: boolean;
}

function useEntryParts(
  list: EntryCounts | null,
  of: { readonly supplier: string | null; readonly account: string | null; readonly lines: number },
): readonly FootPart[] {
  const open = useOpenEntries(of.supplier, of.account);
  if (list === null) return [];
  const { total, unknown, listed, isAtLeast } = list;
  return [
    footPart(
      2,
      of.lines === total ? "" : `${isAtLeast ? "≥ " : ""}${count(total)} in all`,
      "muted",
    ),
    footPart(
      1,
      unknown === 0 ? "none unknown" : `${count(unknown)} unknown`,
      unknown === 0 ? "muted" : "unknown",
    ),
    ...open.map(({ short, kind }) => footPart(1, short, openTones[kind])),
    footPart(3, listed < total ? `the newest ${count(listed)} are listed` : "", "muted"),
  ];
}

/**
 * Returns the open work of a supplier except unknown entries, which have a separate number, and
 * runs. The header shows the open work of all suppliers.
 */
function useOpenEntries(supplier: string | null, account: string | null): readonly OpenPart[] {
  const journal = useJournalOpen(useSession());
  if (supplier === null || account !== null || journal.kind !== "known") return [];
  const { work } = journal;
  const open = openOf({ work, watched: [], lists: [], cohorts: [], suppliers: [supplier] });
  return openParts(open).filter(({ kind }) => kind !== "unknown" && kind !== "runs");
}

function copied(line: ActivityLine): readonly [id: string, name: string] {
  switch (line.kind) {
    case "entry":
      return [String(line.row.journal_id), "journal id"];
    case "run":
      return [line.run, "run id"];
    case "colleague":
      return [line.id, "team id"];
  }
}

function valuesOf(line: ActivityLine): RowValues {
  if (line.kind === "colleague") return {};
  if (line.kind === "run") return { run: line.run };
  const { row } = line;
  return {
    journal_id: String(row.journal_id),
    import_supplier: row.import_supplier,
    external_account_number: row.external_account_number,
    external_identifier: row.external_identifier,
    status: row.outcome,
    run: row.run ?? undefined,
  };
}

function entryPreview(line: ActivityLine) {
  return line.kind === "entry" ? <EntryPreview id={line.row.journal_id} /> : null;
}

function EntryPreview(props: { readonly id: number }) {
  const room = useRoom();
  const zone = useShownZone();
  const { view } = useEntry(props.id);
  const entry = view.kind === "read" ? view.value : null;
  const detail = entry?.detail ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another time zone changes the lines
  const lines = useMemo(
    () => (entry === null ? [] : recordLines(entry, room.columns)),
    [entry, room.columns, zone],
  );
  if (detail === null) return null;
  return (
    <>
      <Line pieces={[{ text: `Entry ${detail.journal_id}`, bold: true }]} />
      <StatusBadge words={outcomeWords[detail.outcome]} />
      <Paragraph most={3}>{meaningWords(detail)}</Paragraph>
      <Lines lines={lines.slice(0, Math.max(0, room.rows - 6))} />
    </>
  );
}
