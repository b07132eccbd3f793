import { Box } from "ink";
import { Body } from "../../components/body.tsx";
import { errorPlace } from "../../components/error-place.ts";
import { ListLine } from "../../components/list-line.tsx";
import { ProblemLines, useProblemLines } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { useAccountList } from "../../hooks/account-list.ts";
import { useAsCommand } from "../../hooks/as-command.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import { useComposeActions } from "../../hooks/compose-actions.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useOpenByNumber } from "../../hooks/open-by-number.ts";
import { useReading } from "../../hooks/pager.ts";
import { useViewAction } from "../../hooks/saved-views.ts";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { describeError, oneLine } from "../../text/describe-error.ts";
import { useStatistics } from "./account-statistics.ts";
import { CreatedChart } from "./created-chart.tsx";
import { Newest } from "./newest.tsx";
import { Progress, progressRows } from "./progress.tsx";

/** The line below the list, and the lines around the chart: its title, its axis, and a gap. */
const listRows = 1;
const chartFrameRows = 3;

/** One supplier at a glance: how far, how fast, when done, what came last (INTERFACE 4.9). */
export function OverviewScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const session = useSession();
  const navigation = useNavigation();
  const room = useRoom();
  const key = useKeyWords();
  const reading = useReading();
  const clipboard = useClipboard();
  const asCommand = useAsCommand();
  const openByNumber = useOpenByNumber(supplier);
  const writes = useComposeActions(supplier, null);
  const feed = useAccountList(supplier, "all");
  useForgetMissing({ kind: "overview", supplier }, feed.missing);
  const { snapshot } = feed;
  const { load } = snapshot;
  const context = {
    doing: `listing the accounts of ${supplier}`,
    ...errorPlace(session),
    subject: { kind: "supplier", supplier },
  } as const;
  const failed = load.kind === "failed" ? load.error : null;
  const empty = snapshot.total === 0;
  const problem = useProblemLines(failed, context, {
    rows: empty ? room.rows - 4 : Math.max(2, Math.floor(room.rows / 3)),
  });
  // What there is no room for would be drawn over the rest.
  const words = progressRows(room.columns) + listRows + problem.length;
  const chartRows = Math.max(2, Math.min(16, Math.floor((room.rows - words) / 3)));
  const showsChart = room.rows >= words + chartRows + chartFrameRows;
  const newestRows = Math.max(0, room.rows - words - chartRows - chartFrameRows - 1);
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
      disabled: load.kind === "loading" ? `Loading; ${key("cancel")} cancels.` : null,
    },
    pause: { run: feed.togglePause, label: feed.paused ? "resume" : "pause" },
    copy: {
      run: () =>
        clipboard(
          `${supplier}: ${statistics.imported} imported, ${statistics.pending} pending, ${statistics.total} in all`,
          "counts",
        ),
    },
    ...(failed === null
      ? {}
      : reading({
          title: `list of ${supplier}`,
          raw: "",
          note: oneLine(describeError(failed, context)),
        })),
    "as-command": {
      run: () =>
        asCommand({ kind: "accounts-list", supplier, state: "all" }, [
          "v1/data-import/all-account-import-processes",
          supplier,
        ]),
    },
  });
  if (failed !== null && empty) {
    return (
      <Body>
        <Text bold>{`The accounts of ${supplier} are not known yet.`}</Text>
        <Text> </Text>
        <ProblemLines lines={problem} />
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
      <ListLine feed={feed} position={null} problem={problem} />
    </Body>
  );
}
