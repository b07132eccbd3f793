/** Describes the loading of an account list: its age, its changes, its error, and its keys. */
import { Box } from "ink";
import type { AccountListSnapshot } from "../accounts/account-list-snapshot.ts";
import { listingContext } from "../errors/app-error.ts";
import { errorLine } from "../errors/error-words.ts";
import type { AccountListFeed } from "../hooks/account-feed.ts";
import { useApp, useSession } from "../hooks/app.tsx";
import { useNow } from "../hooks/now.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import type { Actions } from "../keys/scopes.ts";
import type { App } from "../session/app.ts";
import { readingKeys } from "../session/pager.ts";
import { agoWords, formatAge } from "../text/ages.ts";
import { formatDuration, wholeSeconds } from "../text/durations.ts";
import { count, plural } from "../text/numbers.ts";
import { FootLine, type FootPart, footPart } from "./list-screen/list-foot.tsx";
import { errorPlace, type ProblemLine, ProblemLines, useProblemLines } from "./problem.tsx";

export function ListLine(props: {
  readonly feed: AccountListFeed;
  readonly problem: readonly ProblemLine[];
}) {
  const { snapshot } = props.feed;
  const parts = useLoadParts(props.feed);
  const all = isKnown(snapshot) ? [footPart(0, plural(snapshot.total, "account"), "plain")] : [];
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.problem.length > 0 ? <ProblemLines lines={props.problem} /> : null}
      <FootLine parts={[...all, ...parts]} />
    </Box>
  );
}

/** Returns true if some rows are loaded, or if a complete load found no rows. */
function isKnown({ total, loadedAt }: AccountListSnapshot): boolean {
  return total > 0 || loadedAt !== null;
}

export function useLoadParts(feed: AccountListFeed): readonly FootPart[] {
  const { snapshot } = feed;
  const now = useNow(snapshot.load.kind === "loading" ? 1_000 : 10_000);
  const linear = useLinear();
  const { truncatedAt, arrived } = snapshot;
  const known = isKnown(snapshot);
  return [
    footPart(
      0,
      !known && snapshot.load.kind === "failed" ? "number of accounts not known" : "",
      "waiting",
    ),
    footPart(
      0,
      truncatedAt === null ? "" : `memory cap: first ${count(truncatedAt)} of ${count(arrived)}`,
      "bad",
    ),
    ...loadParts(feed, { known, now, linear }),
  ];
}

function loadParts(
  { snapshot, paused, everyMs }: AccountListFeed,
  options: { readonly known: boolean; readonly now: number; readonly linear: boolean },
): FootPart[] {
  const { known, now, linear } = options;
  const { load } = snapshot;
  switch (load.kind) {
    case "idle":
      return [];
    case "loading": {
      const waited = linear ? "" : ` ${wholeSeconds(now - load.startedAt)}`;
      const rows = linear || load.rows === 0 ? "" : `, ${plural(load.rows, "row")}`;
      const doing = load.reload ? "loading again" : "loading";
      return [footPart(1, `${doing}…${waited}${rows}`, "busy")];
    }
    case "failed":
      return [
        footPart(1, known ? "incomplete or out of date: last load failed" : "", "bad"),
        footPart(2, paused ? "paused" : nextTryWords(load.at + everyMs - now, linear), "waiting"),
      ];
    case "loaded": {
      const { unreadableRows, at } = load;
      const changes = changesWords(snapshot.changes);
      const interval = paused ? "paused" : `every ${formatDuration(everyMs)}`;
      return [
        ...(unreadableRows > 0
          ? [footPart(1, `${plural(unreadableRows, "row")} unreadable`, "bad")]
          : []),
        ...(changes === "" ? [] : [footPart(2, changes, "changed")]),
        footPart(3, loadedWords(at, now), "muted"),
        footPart(4, interval, paused ? "waiting" : "muted"),
      ];
    }
  }
}

function nextTryWords(ms: number, linear: boolean): string {
  if (linear) return "it is tried again";
  return `next try in ${formatAge(ms)}`;
}

function loadedWords(at: number, now: number): string {
  return `loaded ${agoWords(at, now)}`;
}

export function changesWords(changes: AccountListSnapshot["changes"]): string {
  if (changes === null) return "";
  return [
    changes.removed > 0 ? `-${count(changes.removed)} left` : "",
    changes.added > 0 ? `+${count(changes.added)} new` : "",
    changes.changed > 0 ? `~${count(changes.changed)} changed` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

export interface ListProblem {
  readonly lines: readonly ProblemLine[];
  readonly note: string | null;
  /** The action that shows the error in full. Empty if the load did not fail. */
  readonly reading: Actions;
}

export function useListProblem(
  supplier: string,
  { snapshot }: AccountListFeed,
  maxLinesIfEmpty: number,
): ListProblem {
  const app = useApp();
  const session = useSession();
  const room = useRoom();
  const { load, total } = snapshot;
  const context = { ...listingContext(supplier), ...errorPlace(session) };
  const failed = load.kind === "failed";
  const lines = useProblemLines(failed ? load.error : null, context, {
    rows: total === 0 ? maxLinesIfEmpty : Math.max(2, Math.floor(room.rows / 3)),
  });
  const note = failed ? errorLine(load.error, context) : null;
  const title = `list of ${supplier}`;
  return { lines, note, reading: note === null ? {} : readingKeys(app, { title, raw: "", note }) };
}

export function loadActions(
  { key }: App,
  { snapshot, paused, refresh, togglePause }: AccountListFeed,
): Actions {
  return {
    refresh: {
      run: refresh,
      disabled: snapshot.load.kind === "loading" ? `Loading; ${key("cancel")} cancels.` : null,
    },
    pause: { run: togglePause, label: paused ? "resume" : "pause" },
  };
}
