import { Box } from "ink";
import { useMemo, useState } from "react";
import type { RowOutcomes } from "../../bulk/row-lines.ts";
import type { RunCounts } from "../../bulk/run-record.ts";
import { Body } from "../../components/body.tsx";
import { CauseFoot, CauseTable } from "../../components/cause-table.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { JournalMissing, JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { RowFoot } from "../../components/row-foot.tsx";
import { rowColumns, targetOf } from "../../components/run-row-columns.ts";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useApp } from "../../hooks/app.tsx";
import { type CauseScope, useCauseList } from "../../hooks/causes.ts";
import { useKeysWaitForJournal } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import type { RunTab } from "../../session/places.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import { useRunKeys } from "./run-keys.ts";
import { useRunRows } from "./run-rows.ts";
import { RunSummary, summaryRows } from "./run-summary.tsx";
import { type RunView, useRunView } from "./run-views.ts";

interface RowTab {
  readonly id: string;
  readonly label: string;
  /** On a narrow screen. */
  readonly short: string;
  readonly outcomes: RowOutcomes;
}

const all: RowTab = { id: "all", label: "All", short: "All", outcomes: null };

const failed: RowOutcomes = ["rejected", "retryable", "unknown"];
/** The failures grouped by cause. */
const causes: RowTab = { id: "causes", label: "Causes", short: "Causes", outcomes: failed };

const tabs: readonly RowTab[] = [
  all,
  {
    id: "attention",
    label: "Needs attention",
    short: "Attn",
    outcomes: failed,
  },
  causes,
  { id: "rejected", label: "Rejected", short: "Rej", outcomes: ["rejected"] },
  { id: "unknown", label: "Unknown", short: "Unk", outcomes: ["unknown"] },
  { id: "confirmed", label: "Confirmed", short: "Conf", outcomes: ["confirmed"] },
  { id: "exists", label: "Existed", short: "Exist", outcomes: ["exists"] },
  { id: "waiting", label: "Not ended", short: "Rest", outcomes: ["waiting", "sending"] },
];

const nowhere = { supplier: null, account: null };

/** Names the tabs: in full with the number of their rows, in short with it, or in short. */
function tabNames(counts: RunCounts, columns: number): readonly { id: string; label: string }[] {
  const named = (name: (tab: RowTab) => string) =>
    tabs.map((tab) => ({ id: tab.id, label: name(tab) }));
  const counted = (name: "label" | "short") =>
    named((tab) =>
      tab.id === causes.id ? tab[name] : `${tab[name]} ${count(rowsOf(counts, tab.outcomes))}`,
    );
  const short = named((tab) => tab.short);
  // Two cells stand around each name.
  const fits = (names: typeof short) =>
    names.reduce((sum, { label }) => sum + label.length + 2, 0) <= columns;
  return [counted("label"), counted("short")].find(fits) ?? short;
}

/** One bulk run: its progress, and its rows by outcome. */
export function RunScreen(props: { readonly id: string; readonly tab?: RunTab }) {
  const { view } = useRunView(props.id);
  useKeysWaitForJournal(view.kind === "opening");
  if (view.kind === "read") return <Run view={view.value} tab={props.tab} />;
  return (
    <Body>
      <JournalMissing view={view} doing={`reading run ${props.id}`} />
    </Body>
  );
}

function Run(props: { readonly view: RunView; readonly tab: RunTab | undefined }) {
  const { record } = props.view;
  const { navigation, key, clipboard } = useApp();
  const theme = useTheme();
  const room = useRoom();
  const [tab, setTab] = useState(() => tabs.find(({ id }) => id === props.tab) ?? all);
  const page = Math.max(1, room.rows - summaryRows(props.view) - 4);
  const { view, actions, toStart } = useRunRows(record.id, tab.outcomes, page);
  // What was read for another tab is not shown as this one's.
  const shown = view.kind === "read" && view.value.outcomes === tab.outcomes ? view.value : null;
  useKeysWaitForJournal(shown === null && view.kind !== "failed");
  const isCauses = tab.id === causes.id;
  const { id, kind } = record;
  const scope = useMemo(
    (): CauseScope | null => (isCauses ? { kind: "run", run: { id, kind } } : null),
    [isCauses, id, kind],
  );
  const list = useCauseList(scope, page, nowhere);
  const current = isCauses ? null : (shown?.rows[shown.cursor] ?? null);
  const total = rowsOf(record.counts, tab.outcomes);
  const runKeys = useRunKeys(props.view, () => navigation.back());
  useKeys({
    ...actions,
    ...runKeys,
    ...(isCauses ? list.actions : {}),
    ...tabActions(tabs, tab.id, (next) => {
      setTab(tabs.find(({ id }) => id === next) ?? all);
      toStart();
    }),
    ...(current
      ? {
          open: {
            run: () => navigation.push({ kind: "write", id: String(current.journalId) }),
          },
          copy: () => clipboard(targetOf(current), targetOf(current)),
          account: {
            run: () => {
              const { externalAccountNumber: account, importSupplier: supplier } = current;
              if (account !== null) navigation.push({ kind: "account", supplier, account });
            },
            disabled: current.externalAccountNumber === null ? "It is not an account." : null,
          },
        }
      : {}),
  });
  return (
    <Body>
      <RunSummary view={props.view} />
      <Tabs tabs={tabNames(record.counts, room.columns)} current={tab.id} />
      {isCauses ? (
        <CauseTable list={list} doing={`reading run ${record.id}`} />
      ) : view.kind === "failed" ? (
        <JournalProblem error={view.error} doing={`reading run ${record.id}`} />
      ) : shown === null || current === null ? (
        <Paragraph tone="muted">
          {shown === null || total > 0
            ? "Reading the rows…"
            : `No row here: ${tab.label.toLowerCase()}.`}
        </Paragraph>
      ) : (
        <DataTable
          columns={rowColumns(room.columns, theme.ascii)}
          rows={shown.rows.map((row) => ({ id: String(row.line), row }))}
          cursor={String(current.line)}
          first={shown.before}
        />
      )}
      <Box flexGrow={1} />
      {isCauses ? <CauseFoot list={list} /> : null}
      {shown && current ? (
        <RowFoot
          detail={current.detail}
          position={`${count(shown.before + shown.cursor + 1)} of ${count(total)}`}
          hint={`${key("open")} opens entry ${current.journalId}`}
        />
      ) : null}
    </Body>
  );
}

function rowsOf(counts: RunCounts, outcomes: RowOutcomes): number {
  const names = outcomes ?? (Object.keys(counts) as (keyof RunCounts)[]);
  return names.reduce((sum, name) => sum + counts[name], 0);
}
