import { Box } from "ink";
import type { NewAccount } from "../../accounts/statistics.ts";
import { Body } from "../../components/body.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { useListProblem, useLoadActions } from "../../components/list-problem.ts";
import { ProblemLines } from "../../components/problem.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useAccountList } from "../../hooks/account-list.ts";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import { useComposeActions } from "../../hooks/compose-actions.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNow } from "../../hooks/now.ts";
import { useOpenByNumber } from "../../hooks/open-by-number.ts";
import { useViewAction } from "../../hooks/saved-views.ts";
import { useRoom } from "../../hooks/window.tsx";
import { ago, formatInstant } from "../../text/dates.ts";
import { padOrTruncate } from "../../text/width.ts";
import { useStatistics } from "./account-statistics.ts";
import { CreatedChart } from "./created-chart.tsx";
import { Progress, progressRows } from "./progress.tsx";

/** The line below the list, and the lines around the chart: its title, its axis, and a gap. */
const listRows = 1;
const chartFrameRows = 3;

/** One supplier at a glance: how far, how fast, when done, what came last (INTERFACE 4.9). */
export function OverviewScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const navigation = useNavigation();
  const room = useRoom();
  const key = useKeyWords();
  const clipboard = useClipboard();
  const asCommand = useAsCommand();
  const openByNumber = useOpenByNumber(supplier);
  const writes = useComposeActions(supplier, null);
  const feed = useAccountList(supplier, "all");
  useForgetMissing({ kind: "overview", supplier }, feed.missing);
  const { snapshot } = feed;
  const { load } = snapshot;
  const empty = snapshot.total === 0;
  const problem = useListProblem(supplier, feed, room.rows - 4);
  // What there is no room for would be drawn over the rest.
  const words = progressRows(room.columns) + listRows + problem.lines.length;
  const chartRows = Math.max(2, Math.min(16, Math.floor((room.rows - words) / 3)));
  const showsChart = room.rows >= words + chartRows + chartFrameRows;
  const newestRows = Math.max(0, room.rows - words - chartRows - chartFrameRows - 1);
  const statistics = useStatistics(feed, {
    buckets: Math.max(10, room.columns - 2),
    newest: Math.max(0, newestRows - 1),
  });
  const loading = useLoadActions(feed);
  const views = useViewAction({ supplier, shown: null });
  useKeys({
    ...writes,
    views,
    open: {
      run: () => navigation.push({ kind: "accounts", supplier, tab: "all" }),
      label: "accounts",
    },
    account: openByNumber.account,
    "supply-point": openByNumber.supplyPoint,
    ...loading,
    copy: {
      run: () =>
        clipboard(
          `${supplier}: ${statistics.imported} imported, ${statistics.pending} pending, ${statistics.total} in all`,
          "counts",
        ),
    },
    ...problem.reading,
    "as-command": {
      run: () =>
        asCommand({ kind: "accounts-list", supplier, state: "all" }, [
          "v1/data-import/all-account-import-processes",
          supplier,
        ]),
    },
  });
  if (problem.note !== null && empty) {
    return (
      <Body>
        <Text bold>{`The accounts of ${supplier} are not known yet.`}</Text>
        <Text> </Text>
        <ProblemLines lines={problem.lines} />
        <Text> </Text>
        <Text>
          {`${key("refresh")} asks again; ${key("account")} opens an account, ${key("supply-point")} a supply point, by its number.`}
        </Text>
      </Body>
    );
  }
  if (empty) {
    return (
      <Body>
        <Text bold>
          {load.kind === "loaded"
            ? `The service lists no accounts for ${supplier}.`
            : `Asking the service for the accounts of ${supplier}…`}
        </Text>
        <Box flexGrow={1} />
        <ListLine feed={feed} position={null} problem={[]} />
      </Body>
    );
  }
  return (
    <Body>
      <Progress statistics={statistics} partial={snapshot.loadedAt === null} />
      {showsChart ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <CreatedChart statistics={statistics} rows={chartRows} />
        </Box>
      ) : null}
      {newestRows > 1 && statistics.newest.length > 0 ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <Newest rows={statistics.newest} />
        </Box>
      ) : null}
      <Box flexGrow={1} />
      <ListLine feed={feed} position={null} problem={problem.lines} />
    </Body>
  );
}

/** The accounts created last, newest first. */
function Newest(props: { readonly rows: readonly NewAccount[] }) {
  const room = useRoom();
  const now = useNow(60_000);
  const number = Math.max(12, Math.min(40, Math.floor((room.columns - 40) / 2)));
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line pieces={[{ text: "Newest", tone: "title" }]} />
      {props.rows.map((row) => (
        <Line
          key={`${row.createdAt} ${row.external}`}
          pieces={[
            { text: `${padOrTruncate(row.external, number)}  ` },
            { text: `${padOrTruncate(row.service, number)}  `, tone: "muted" },
            { text: `${formatInstant(row.createdAt)}  ` },
            { text: agoWords(row.createdAt, now), tone: "muted" },
          ]}
        />
      ))}
    </Box>
  );
}

/** To the minute: the screen rests in between. */
function agoWords(ms: number, now: number): string {
  return now - ms < 60_000 ? "within 1 min" : ago(ms, now);
}
