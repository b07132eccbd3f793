import { Box } from "ink";
import { useEffect, useMemo, useState } from "react";
import { isServiceError } from "../../api/errors.ts";
import { Body } from "../../components/body.tsx";
import { CreatedChart } from "../../components/created-chart.tsx";
import { Extremes } from "../../components/extremes.tsx";
import { ListLine } from "../../components/list-line.tsx";
import { loadActions, useListProblem } from "../../components/list-problem.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { ProblemLines } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { type AccountListFeed, useAccountList } from "../../hooks/account-list.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useWaitingDrafts } from "../../hooks/drafts.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { useActive, useRoom } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { runUntilCleanup } from "../../session/run-until-cleanup.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import { shownOffsetMs } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import type { SupplierFigures, SupplierHistory } from "../../triage/figures/supplier-figures.ts";
import { figuresOf, type TableFigures } from "../../triage/figures/table-figures.ts";
import { Details, Progress, useDetailLines } from "./progress.tsx";

/**
 * The line below the list with a gap, and the lines around the chart: its title, its axis, and a
 * gap. If there is no room for them, the chart has only its title.
 */
const listRows = 2;
const chartFrameRows = 3;

/** The accounts of an overview: all of a supplier, or some of them. */
export interface OverviewProps {
  readonly supplier: string;
  /** In sentences: `ACME`. */
  readonly name: string;
  readonly feed: AccountListFeed;
  /** The observations of the accounts, or null if there are none yet. */
  readonly history: SupplierHistory | null;
  /**
   * The figures of an earlier list of the accounts, shown until this one is complete, or null for
   * none.
   */
  readonly known: SupplierFigures | null;
  /** Number of the accounts that are on no list. */
  readonly unlisted: number;
  /** The keys of this overview besides those that every one has. */
  readonly keys: Actions;
}

/**
 * Shows one supplier at a glance: progress, rate, estimated end and the latest changes (INTERFACE
 * 4.9).
 */
export function OverviewScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const here = useHere();
  const { navigation } = here.app;
  const writes = composeActions(here, supplier, null, useWaitingDrafts(supplier, null));
  const feed = useAccountList(supplier, "all");
  useForgetMissing({ kind: "overview", supplier }, feed.missing);
  const { load, loadedAt, version } = feed.snapshot;
  const history = useSupplierHistory(supplier, load.kind === "loading" ? loadedAt : version);
  const { board } = here.session;
  return (
    <Overview
      supplier={supplier}
      name={supplier}
      feed={feed}
      history={history}
      known={board.getSnapshot().rows.get(supplier)?.figures ?? null}
      unlisted={0}
      keys={{
        ...writes,
        cohorts: () => navigation.push({ kind: "cohorts" }),
        open: {
          run: () => navigation.push({ kind: "accounts", supplier, tab: "all" }),
          label: "accounts",
        },
        reconcile: () => navigation.push({ kind: "reconcile", supplier }),
        changes: () => navigation.push({ kind: "changes", supplier }),
        observations: () => navigation.push({ kind: "observations" }),
        "as-command": () =>
          showListAsCommand(here, { kind: "accounts-list", supplier, state: "all" }, supplier),
      }}
    />
  );
}

/** Shows the figures of a list of accounts: progress, rate, changes, and a chart. */
export function Overview(props: OverviewProps) {
  const { supplier, name, feed, history, known, unlisted } = props;
  const room = useRoom();
  const app = useApp();
  const { key, clipboard } = app;
  const numberKeys = openByNumber(app, supplier);
  const { snapshot } = feed;
  const { load } = snapshot;
  const empty = snapshot.total === 0;
  const problem = useListProblem(supplier, feed, room.rows - 6);
  const newest = Math.max(0, room.rows - 8);
  const figures = useTableFigures(feed, { buckets: Math.max(10, room.columns), newest });
  const isComplete = snapshot.loadedAt !== null;
  const earlier = isComplete ? null : known;
  const shown = earlier ?? figures;
  const of = {
    figures: shown,
    listedAt: earlier?.listedAt ?? null,
    history: earlier?.history ?? history,
    unlisted,
    isPartial: !isComplete && earlier === null,
  };
  const details = useDetailLines(supplier, of);
  const loading = loadActions(app, feed);
  useKeys({
    ...props.keys,
    ...numberKeys,
    ...loading,
    copy: () =>
      clipboard(
        `${name}: ${shown.imported} imported, ${shown.pending} pending, ${shown.total + unlisted} in all`,
        "counts",
      ),
    ...problem.reading,
  });
  const byNumber = `${key("refresh")} asks again; ${key("account")} opens an account, ${key("supply-point")} a supply point, by its number.`;
  if (problem.note !== null && empty && earlier === null) {
    const isMissing = load.kind === "failed" && isServiceError(load.error, "not-found");
    return (
      <Body>
        {isMissing ? <Text bold>{`The service has no list of ${name}.`}</Text> : null}
        <ProblemLines lines={problem.lines} />
        <Text> </Text>
        {isMissing ? null : <Paragraph>{`The accounts of ${name} are not known yet.`}</Paragraph>}
        <Paragraph>{byNumber}</Paragraph>
        <Box flexGrow={1} />
        <ListLine feed={feed} problem={[]} />
      </Body>
    );
  }
  if (empty && earlier !== null) {
    return (
      <Body>
        <Progress {...of} />
        <Details lines={details} />
        <Box flexGrow={1} />
        <ListLine feed={feed} problem={problem.lines} />
      </Body>
    );
  }
  if (empty) {
    return (
      <Body>
        {load.kind === "loaded" && isComplete ? (
          <Paragraph bold>
            {unlisted > 0
              ? `None of the ${plural(unlisted, "account")} of ${name} is on the list of the service.`
              : `The service lists no accounts for ${name}.`}
          </Paragraph>
        ) : (
          <Waiting
            bold
            words={`Asking the service for the accounts of ${name}…`}
            {...(load.kind === "loading" ? { since: load.startedAt } : {})}
          />
        )}
        {load.kind === "loaded" ? <Paragraph>{byNumber}</Paragraph> : null}
        {history === null ? null : <Details lines={details} />}
        <Box flexGrow={1} />
        <ListLine feed={feed} problem={[]} />
      </Body>
    );
  }
  // What there is no room for would be drawn over the rest.
  const words = 1 + details.length + listRows + problem.lines.length;
  const chartRows = Math.max(2, Math.min(16, Math.floor((room.rows - words) / 3)));
  const frame = room.rows >= words + chartRows + chartFrameRows ? chartFrameRows : 1;
  const showsChart = room.rows >= words + chartRows + frame;
  const newestRows = Math.max(0, room.rows - words - chartRows - frame - 1);
  return (
    <Body>
      <Progress {...of} />
      <Details lines={details} />
      {showsChart ? (
        <Box marginTop={frame > 1 ? 1 : 0} flexDirection="column" flexShrink={0}>
          <CreatedChart
            created={figures.created}
            imported={figures.imported}
            rows={chartRows}
            hasAxis={frame > 1}
          />
        </Box>
      ) : null}
      {newestRows > 1 && figures.newest.length + figures.longest.length > 0 ? (
        <Box marginTop={1} flexDirection="column" flexShrink={0}>
          <Extremes longest={figures.longest} newest={figures.newest} rows={newestRows} />
        </Box>
      ) : null}
      <Box flexGrow={1} />
      <ListLine feed={feed} problem={problem.lines} />
    </Body>
  );
}

/**
 * Returns the stored observations of a supplier, or null if it was never observed. Reads them again
 * whenever `version` changes. The status of accounts that left the list is read one by one
 * (INTERFACE 4.8) before they count as gone.
 */
export function useSupplierHistory(supplier: string, version: unknown): SupplierHistory | null {
  const { histories } = useSession();
  const active = useActive();
  const [found, setFound] = useState<{
    readonly supplier: string;
    readonly history: SupplierHistory | null;
  } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active) return;
    // A file that cannot be read is reported where the list is recorded.
    return runUntilCleanup(async (signal) => {
      const put = (history: SupplierHistory | null) => {
        if (!signal.aborted) setFound({ supplier, history });
      };
      put(await histories.read(supplier));
      put(await histories.count(supplier, signal));
    });
  }, [histories, supplier, active, version]);
  return found?.supplier === supplier ? found.history : null;
}

/** While rows arrive, the figures are computed again when the list has grown by this factor. */
const growth = 1.2;

/**
 * The figures of a list, with a chart of `buckets` columns and the `newest` accounts. They pass
 * over all rows, so while rows arrive they are not computed for every few of them.
 */
function useTableFigures(
  feed: AccountListFeed,
  sizes: { readonly buckets: number; readonly newest: number },
): TableFigures {
  const { buckets, newest } = sizes;
  const { store, snapshot } = feed;
  const { now: serviceNow, service } = useSession();
  const minute = useNow(60_000);
  const zone = useShownZone();
  const { version, total, load } = snapshot;
  const arriving = load.kind === "loading" && !load.reload;
  const listedAt = load.kind === "loaded" ? snapshot.loadedAt : null;
  const refreshKey = arriving ? `size ${sizeOf(total)}` : `version ${version}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the rows
  return useMemo(() => {
    const now = serviceNow();
    return figuresOf(store.viewRows().table, {
      buckets,
      newest,
      now,
      listedAt: listedAt === null ? now : listedAt - service.wrongByMs(),
      zoneOffsetMs: shownOffsetMs(now),
    });
  }, [store, refreshKey, buckets, newest, serviceNow, service, minute, zone]);
}

/** Returns a number that grows by one each time the list has grown by `growth`. */
function sizeOf(total: number): number {
  return total === 0 ? -1 : Math.floor(Math.log(total) / Math.log(growth));
}
