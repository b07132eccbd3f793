import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { Problem } from "../../components/problem.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useAccountList } from "../../hooks/account-list.ts";
import { useStatistics } from "../../hooks/account-statistics.ts";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import { errorPlace } from "../../hooks/error-place.ts";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useOpenByNumber } from "../../hooks/open-by-number.ts";
import { useForgetMissing } from "../../hooks/recent-places.ts";
import { useSession } from "../../hooks/session.tsx";
import { useViewAction } from "../../hooks/view-action.ts";
import { useRoom } from "../../hooks/window.tsx";
import { useWriteActions } from "../../hooks/write-actions.ts";
import { CreatedChart } from "./created-chart.tsx";
import { Newest } from "./newest.tsx";
import { Progress } from "./progress.tsx";

/** Lines of the progress and of the list as a whole, of what that failed with, and round the chart. */
const wordRows = 5;
const failedRows = 2;
const chartFrameRows = 3;

/** One supplier at a glance: how far, how fast, when done, what came last (INTERFACE 4.9). */
export function OverviewScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const session = useSession();
  const navigation = useNavigation();
  const room = useRoom();
  const clipboard = useClipboard();
  const asCommand = useAsCommand();
  const key = useKeyWords();
  const openByNumber = useOpenByNumber(supplier);
  const writes = useWriteActions(supplier, null);
  const feed = useAccountList(supplier, "all");
  useForgetMissing({ kind: "overview", supplier }, feed.missing);
  const { snapshot } = feed;
  const chartRows = Math.max(2, Math.min(16, room.rows - 15, Math.floor(room.rows / 3)));
  // What there is no room for would be drawn over the rest.
  const words = wordRows + (snapshot.load.kind === "failed" ? failedRows : 0);
  const showsChart = room.rows >= words + chartRows + chartFrameRows;
  const newestRows = Math.max(0, room.rows - 10 - chartRows);
  const statistics = useStatistics(feed, {
    buckets: Math.max(10, room.columns - 2),
    newest: Math.max(0, newestRows - 1),
  });
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
    refresh: {
      run: feed.refresh,
      disabled: snapshot.load.kind === "loading" ? `Loading; ${key("cancel")} cancels.` : null,
    },
    pause: { run: feed.togglePause, label: feed.paused ? "resume" : "pause" },
    copy: {
      run: () =>
        clipboard(
          `${supplier}: ${statistics.imported} imported, ${statistics.pending} pending, ${statistics.total} in all`,
          "counts",
        ),
    },
    "as-command": {
      run: () =>
        asCommand({ kind: "accounts-list", supplier, state: "all" }, [
          "v1/data-import/all-account-import-processes",
          supplier,
        ]),
    },
  });
  const { load } = snapshot;
  const context = {
    doing: `listing the accounts of ${supplier}`,
    ...errorPlace(session),
    subject: { kind: "supplier", supplier },
  } as const;
  if (load.kind === "failed" && snapshot.total === 0) {
    return (
      <Body>
        <Problem error={load.error} context={context} />
        <Text> </Text>
        <Text tone="muted">
          r asks again; o opens an account, i a supply point, by what it is called.
        </Text>
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
      {newestRows > 1 ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <Newest rows={statistics.newest} />
        </Box>
      ) : null}
      <Box flexGrow={1} />
      {snapshot.total === 0 && load.kind === "loaded" ? (
        <Line
          pieces={[{ text: "The service lists no accounts for this supplier.", tone: "waiting" }]}
        />
      ) : null}
      <ListLine feed={feed} position={null} context={context} />
    </Body>
  );
}
