import { Box } from "ink";
import { useCallback, useMemo } from "react";
import { isServiceError } from "../../api/errors.ts";
import { Body } from "../../components/body.tsx";
import { partWords } from "../../components/created-chart.tsx";
import { ListLine, loadActions, useListProblem } from "../../components/list-load.tsx";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { ProblemLines } from "../../components/problem.tsx";
import { type NeedRow, useNeeds } from "../../components/supplier-needs.tsx";
import {
  FigurePicture,
  Progress,
  type ShownFigures,
  useFigureLines,
} from "../../components/supplier-overview.tsx";
import { Lines, Text } from "../../components/text.tsx";
import { type AccountListFeed, useAccountList } from "../../hooks/account-feed.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useDraftKinds } from "../../hooks/drafts.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { useRead } from "../../hooks/reading.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions } from "../../session/compose-actions.ts";
import { recordHeldBack } from "../../session/held-back-list.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import { shownOffsetMs } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import type { Figures } from "../../triage/figures/figures.ts";
import type { SupplierFigures, SupplierHistory } from "../../triage/figures/supplier-figures.ts";
import { figuresOf } from "../../triage/figures/table-figures.ts";

/** The number of lines of the list status with its gap. */
const listRows = 2;

export interface OverviewProps {
  readonly supplier: string;
  readonly name: string;
  readonly feed: AccountListFeed;
  readonly history: SupplierHistory | null;
  /**
   * The figures of an earlier list of the accounts, shown until this list is complete, or null if
   * there are none.
   */
  readonly known: SupplierFigures | null;
  readonly unlisted: number;
  readonly needs: readonly NeedRow[];
  readonly keys: Actions;
}

/**
 * Shows the progress, the rate, the estimated end and the latest changes of one supplier (INTERFACE
 * 4.9).
 */
export function OverviewScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const here = useHere();
  const { navigation } = here.app;
  const writes = composeActions(here, supplier, null, useDraftKinds(supplier, null));
  const feed = useAccountList(supplier, "all");
  useForgetMissing({ kind: "overview", supplier }, feed.missing);
  const { load, loadedAt, version } = feed.snapshot;
  const history = useSupplierHistory(supplier, load.kind === "loading" ? loadedAt : version);
  const needs = useNeeds(supplier, history);
  const { board } = here.session;
  return (
    <Overview
      supplier={supplier}
      name={supplier}
      feed={feed}
      history={history}
      known={board.getSnapshot().rows.get(supplier)?.figures ?? null}
      unlisted={0}
      needs={needs}
      keys={{
        ...writes,
        open: {
          run: () => navigation.push({ kind: "accounts", supplier, tab: "all" }),
          label: "accounts",
        },
        reconcile: () => navigation.push({ kind: "reconcile", supplier }),
        changes: () => navigation.push({ kind: "changes", supplier }),
        "record-list": () => recordHeldBack(here, supplier, feed.refresh),
        "as-command": () =>
          showListAsCommand(here, { kind: "accounts-list", supplier, state: "all" }, supplier),
      }}
    />
  );
}

OverviewScreen.help = {
  name: "Overview",
  about: [
    "The progress of this supplier: imported and pending accounts, when accounts were created, the rate, and when the rest might be done.",
    "Enter opens its accounts. An account number that you paste is searched at every supplier of this profile.",
  ],
  words: ["account-state", "account", "header"],
} as const;

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
  const session = useSession();
  const isComplete = snapshot.loadedAt !== null;
  const loadedAt = isComplete ? snapshot.loadedAt - session.service.wrongByMs() : null;
  const isPart = !isComplete || snapshot.truncatedAt !== null;
  const earlier = isComplete ? null : known;
  const shown = earlier ?? figures;
  const shownFigures: ShownFigures = {
    supplier,
    figures: shown,
    from: earlier?.from ?? "list",
    listedAt: earlier?.listedAt ?? loadedAt ?? session.now(),
    isEarlier: earlier !== null,
    history: earlier?.history ?? history,
    unlisted,
    isPartial: !isComplete && earlier === null,
  };
  const details = useFigureLines(shownFigures, { hasPace: true, hasChanges: true });
  const loading = loadActions(app, feed);
  useKeys({
    ...props.keys,
    ...numberKeys,
    ...loading,
    copy: () =>
      clipboard(
        `${name}: ${shown.imported} imported, ${shown.pending} pending, ${shown.total + unlisted} in all${shownFigures.isPartial ? partWords : ""}`,
        "counts",
      ),
    ...problem.reading,
  });
  const keyHints = `${key("refresh")} asks again; ${key("account")} opens an account, ${key("supply-point")} a supply point, by its number.`;
  if (problem.note !== null && empty && earlier === null) {
    const isMissing = load.kind === "failed" && isServiceError(load.error, "not-found");
    return (
      <Body>
        {isMissing ? <Text bold>{`The service has no list of ${name}.`}</Text> : null}
        <ProblemLines lines={problem.lines} />
        <Text> </Text>
        {isMissing ? null : <Paragraph>{`The accounts of ${name} are not known yet.`}</Paragraph>}
        <Paragraph>{keyHints}</Paragraph>
        <Box flexGrow={1} />
        <ListLine feed={feed} problem={[]} />
      </Body>
    );
  }
  if (empty && earlier === null) {
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
        {load.kind === "loaded" ? <Paragraph>{keyHints}</Paragraph> : null}
        {history === null ? null : <Lines lines={details} />}
        <Box flexGrow={1} />
        <ListLine feed={feed} problem={[]} />
      </Body>
    );
  }
  const textRows = 1 + details.length + listRows + problem.lines.length;
  return (
    <Body>
      <Progress {...shownFigures} />
      <Lines lines={details} />
      <FigurePicture
        of={shownFigures}
        needs={props.needs}
        rows={room.rows - textRows}
        isPart={earlier === null && isPart}
      />
      <Box flexGrow={1} />
      <ListLine feed={feed} problem={problem.lines} />
    </Body>
  );
}

/**
 * Returns the stored observations of a supplier, or null if there are none. Reads them again when
 * `version` changes. The statuses of accounts that left the list are then read one by one, because
 * only some of these accounts are gone (INTERFACE 4.8).
 */
export function useSupplierHistory(supplier: string, version: unknown): SupplierHistory | null {
  const { histories } = useSession();
  // An unreadable file is not reported here, because recording a list reports it.
  const read = useCallback(
    async function* (signal: AbortSignal) {
      yield await histories.read(supplier);
      yield await histories.count(supplier, signal);
    },
    [histories, supplier],
  );
  return useRead(read, version);
}

/** The growth of an arriving list after which its figures are computed again. */
const growthFactor = 1.2;

/**
 * Returns the figures of a list, with a chart of `buckets` columns and the `newest` accounts. Each
 * computation reads all rows, so it is not repeated for every few rows that arrive.
 */
function useTableFigures(
  feed: AccountListFeed,
  sizes: { readonly buckets: number; readonly newest: number },
): Figures {
  const { buckets, newest } = sizes;
  const { store, snapshot } = feed;
  const { now: serviceNow, service } = useSession();
  const minute = useNow(60_000);
  const zone = useShownZone();
  const { version, total, load } = snapshot;
  const isArriving = load.kind === "loading" && !load.reload;
  const listedAt = load.kind === "loaded" ? snapshot.loadedAt : null;
  const refreshKey = isArriving ? `size ${sizeStep(total)}` : `version ${version}`;
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

function sizeStep(total: number): number {
  return total === 0 ? -1 : Math.floor(Math.log(total) / Math.log(growthFactor));
}
