import { Box } from "ink";
import { useCallback, useMemo, useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { DataTable } from "../../components/data-table.tsx";
import { FilterLine } from "../../components/filter-line.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { Line } from "../../components/text.tsx";
import { type ActivityList, useActivity } from "../../hooks/activity.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import { useFilterField } from "../../hooks/filter-field.ts";
import type { JournalView } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useKeysWaitForJournal } from "../../hooks/keys-wait.ts";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import type { Profile } from "../../settings/profile.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCommand } from "../../text/as-command.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import type { ActivityRow } from "../../writes/activity.ts";
import { targetNumber } from "../../writes/words/outcomes.ts";
import { activityColumns } from "./activity-columns.ts";
import { activityFilter } from "./activity-filter.ts";
import { useRowActions } from "./row-actions.ts";

const tabs = [
  { id: "all", label: "All" },
  { id: "unknown", label: "Unknown" },
  { id: "own", label: "This profile" },
] as const;

type Tab = (typeof tabs)[number]["id"];

const noRows: readonly ActivityRow[] = [];

/** The journal of writes: unknown outcomes first, then the newest. */
export function ActivityScreen(props: {
  readonly supplier: string | null;
  readonly account: string | null;
}) {
  const { supplier, account } = props;
  const navigation = useNavigation();
  const overlays = useOverlays();
  const { profile } = useSession();
  const clipboard = useClipboard();
  const theme = useTheme();
  const room = useRoom();
  const focus = useBodyFocus();
  const [tab, setTab] = useState<Tab>("all");
  const [filter, setFilter] = useState("");
  const { view, look } = useActivity({ supplier, account, own: tab === "own" });
  useKeysWaitForJournal(view.kind === "opening");
  const list = view.kind === "read" ? view.value : null;
  const query = useMemo(() => activityFilter(filter), [filter]);
  const rows = useMemo(
    () =>
      (list?.rows ?? noRows).filter(
        (row) => (tab !== "unknown" || row.outcome === "unknown") && query.matches(row),
      ),
    [list, query, tab],
  );
  const page = Math.max(1, room.rows - 3);
  const positions = useMemo(
    () => new Map(rows.map((row, at) => [String(row.journal_id), at])),
    [rows],
  );
  const cursor = useListCursor({
    length: rows.length,
    page,
    idAt: useCallback((at: number) => String(rows[at]?.journal_id ?? ""), [rows]),
    positionOf: useCallback((id: string) => positions.get(id) ?? -1, [positions]),
  });
  // The same while they are the same: else every row would be drawn for every key.
  const columns = useMemo(
    () => activityColumns(room.columns, theme.ascii),
    [room.columns, theme.ascii],
  );
  const visible = useMemo(
    () =>
      rows.slice(cursor.top, cursor.top + page).map((row) => ({ id: String(row.journal_id), row })),
    [rows, cursor.top, page],
  );
  const field = useFilterField("activity", {
    text: filter,
    set: setFilter,
    focus,
    moving: cursor.actions,
  });
  const current = rows[cursor.position] ?? null;
  const show = useCallback(
    (id: number) => navigation.push({ kind: "write", id: String(id) }),
    [navigation],
  );
  const rowActions = useRowActions(current, show);
  useKeys({
    ...cursor.actions,
    ...rowActions,
    ...(current
      ? {
          open: { run: () => show(current.journal_id) },
          copy: { run: () => clipboard(String(current.journal_id), "journal id") },
          "copy-row": { run: () => clipboard(rowText(current), "row") },
        }
      : {}),
    ...field.clearing,
    filter: { run: field.begin },
    refresh: { run: look },
    ...tabActions(tabs, tab, setTab),
    "as-command": {
      run: () =>
        overlays.open({
          kind: "as-command",
          command: activityCommand({ supplier, account, tab, profile, rows: list?.rows ?? noRows }),
          curl: null,
          note: "The journal is kept on this machine; no request is behind this list.",
        }),
    },
  });
  return (
    <Body>
      <Box>
        <Tabs tabs={tabs} current={tab} />
        {field.typing || filter !== "" ? (
          <Box marginLeft={2} flexGrow={1}>
            <FilterLine field={field} focus={focus} />
          </Box>
        ) : null}
      </Box>
      {view.kind === "failed" ? (
        <JournalProblem error={view.error} doing="reading the journal" />
      ) : rows.length === 0 ? (
        <Paragraph tone="muted">{emptyWords(view, tab, filter, supplier, account)}</Paragraph>
      ) : (
        <DataTable
          columns={columns}
          rows={visible}
          cursor={current ? String(current.journal_id) : null}
          width={room.columns}
          first={cursor.top}
        />
      )}
      <Box flexGrow={1} />
      {list ? (
        <Line
          pieces={[
            {
              text: `${count(rows.length === 0 ? 0 : cursor.position + 1)} of ${count(rows.length)}`,
            },
            {
              text: rows.length === list.total ? "" : `, ${count(list.total)} in all`,
              tone: "muted",
            },
            {
              text: list.unknown === 0 ? "  none unknown" : `  ${count(list.unknown)} unknown`,
              tone: list.unknown === 0 ? "muted" : "waiting",
            },
            {
              text:
                list.rows.length < list.total
                  ? `  the newest ${count(list.rows.length)} are listed`
                  : "",
              tone: "muted",
            },
            { text: query.problem ? `  ${query.problem}` : "", tone: "bad" },
          ]}
        />
      ) : null}
    </Body>
  );
}

/** The command that lists the same writes; null where a name cannot be an argument. */
function activityCommand(shown: {
  readonly supplier: string | null;
  readonly account: string | null;
  readonly tab: Tab;
  readonly profile: Profile;
  readonly rows: readonly ActivityRow[];
}): string | null {
  const { supplier, account, tab } = shown;
  const isSupplyPoint = shown.rows.some((row) => Boolean(row.external_identifier));
  return asCommand(
    {
      kind: "activity-list",
      supplier: supplier ?? undefined,
      account: account === null || isSupplyPoint ? undefined : account,
      supplyPoint: account !== null && isSupplyPoint ? account : undefined,
      outcome: tab === "unknown" ? "unknown" : undefined,
    },
    tab === "own" ? profileFlag(shown.profile) : null,
  );
}

function rowText(row: ActivityRow): string {
  return [
    row.journal_id,
    row.created_at,
    row.profile,
    row.operation,
    row.import_supplier,
    targetNumber(row),
    row.outcome,
    row.http_status ?? "",
    row.code ?? "",
  ].join("\t");
}

function emptyWords(
  view: JournalView<ActivityList>,
  tab: Tab,
  filter: string,
  supplier: string | null,
  account: string | null,
): string {
  if (view.kind === "opening") return "Opening the journal…";
  if (view.kind === "read" && view.value.rows.length > 0) {
    if (filter !== "") return `No write matches ${filter}. Esc clears the filter.`;
    if (tab === "unknown") return "No outcome is unknown: nothing is left to be found out.";
  }
  const where =
    account !== null
      ? ` to ${supplier}/${account} at this service`
      : supplier !== null
        ? ` to ${supplier}`
        : "";
  const how = tab === "own" ? " with this profile" : "";
  return `Nothing has been sent${where} from this machine${how} yet.`;
}
