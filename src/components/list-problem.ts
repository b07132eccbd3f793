/**
 * Describes a failed load of an account list or a faulty filter, and defines the keys that reload
 * the list.
 */
import { errorLine } from "../errors/error-words.ts";
import type { AccountListFeed } from "../hooks/account-list.ts";
import { useApp, useSession } from "../hooks/app.tsx";
import { useRoom } from "../hooks/window.tsx";
import type { Actions } from "../keys/scopes.ts";
import type { App } from "../session/app.ts";
import { readingKeys } from "../session/pager.ts";
import { wrap } from "../text/width.ts";
import { errorPlace } from "./error-place.ts";
import { type ProblemLine, useProblemLines } from "./problem.tsx";

/** The error of the last load of an account list. */
export interface ListProblem {
  readonly lines: readonly ProblemLine[];
  /** The error on one line, or null if the load did not fail. */
  readonly note: string | null;
  /** The action that shows the error in full. Empty if the load did not fail. */
  readonly reading: Actions;
}

/** Describes a failed load. `rowsAlone` is the maximum number of lines if the list has no rows. */
export function useListProblem(
  supplier: string,
  { snapshot }: AccountListFeed,
  rowsAlone: number,
): ListProblem {
  const app = useApp();
  const session = useSession();
  const room = useRoom();
  const { load, total } = snapshot;
  const context = {
    doing: `listing the accounts of ${supplier}`,
    ...errorPlace(session),
    subject: { kind: "supplier", supplier },
  } as const;
  const failed = load.kind === "failed";
  const lines = useProblemLines(failed ? load.error : null, context, {
    rows: total === 0 ? rowsAlone : Math.max(2, Math.floor(room.rows / 3)),
  });
  const note = failed ? errorLine(load.error, context) : null;
  const title = `list of ${supplier}`;
  return { lines, note, reading: note === null ? {} : readingKeys(app, { title, raw: "", note }) };
}

/** Maximum lines for the problem of a filter. More lines leave too few rows on a small screen. */
const mostFilterLines = 3;

/**
 * Returns the problem of a filter as lines of at most `width` cells, or as one line if `width` is
 * null.
 */
export function filterProblemLines(
  problem: string | null,
  width: number | null,
): readonly ProblemLine[] {
  if (problem === null) return [];
  const lines = width === null ? [problem] : wrap(problem, Math.max(8, width));
  return lines.slice(0, mostFilterLines).map((text) => ({ text, tone: "bad" }));
}

/** Returns the actions that reload the list and that pause its reloads. */
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
