/**
 * The subjects that can be watched, and their timelines: the observed states, the start of the
 * latest state, and its finality.
 */

export interface WatchSubject {
  readonly kind: "account" | "supply-point" | "cohort";
  readonly supplier: string;
  /** The external account number, the supply point's external identifier, or the cohort's name. */
  readonly number: string;
}

export interface StoredWatch extends WatchSubject {
  readonly addedAt: number;
  readonly timeline: readonly Transition[];
}

export function isSingle({ kind }: WatchSubject): boolean {
  return kind !== "cohort";
}

/** Returns a subject's key, with its kind: accounts and supply points can share a number. */
export function keyOf({ kind, supplier, number }: WatchSubject): string {
  return JSON.stringify([kind, supplier, number]);
}

/**
 * Returns the part of a timeline that counts for a watch that started at `addedAt` (epoch
 * milliseconds): its latest state, and the observations since then. A failure before the watch does
 * not end it.
 */
export function timelineSince(
  timeline: readonly Transition[],
  addedAt: number,
): readonly Transition[] {
  const latest = timeline.at(-1);
  return timeline.filter((transition) => transition === latest || transition.lastSeenAt >= addedAt);
}

const finalities = {
  account: accountFinality,
  "supply-point": supplyPointFinality,
  cohort: cohortFinality,
} as const;

/** Returns the finality of a timeline by the rules of the kind of its subject (INTERFACE 3). */
export function finalityOf(kind: WatchSubject["kind"], timeline: readonly Transition[]): Finality {
  return finalities[kind](timeline);
}

/** The state of a subject that the service does not know (404). It differs from UNKNOWN. */
export const notFound = "404";

/** The state of an account that lists show as not imported. */
export const listedPending = "pending";

/** The state of an account that left the lists without being imported: no account exists. */
export const leftLists = "gone";

export interface SeenState {
  /** The state of an account or a supply point, or the finality of a cohort. */
  readonly state: string;
  /** The accounts of a cohort by progress. Absent for an account and a supply point. */
  readonly progress?: CohortProgress;
}

/** An observed state. Times are epoch milliseconds. */
export interface Transition extends SeenState {
  /** Time of the first check that found the state. The state might have begun earlier. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/**
 * The start of the latest state of a timeline, as far as checks show it. Times are epoch
 * milliseconds.
 *
 * - `seen`: the state began between two consecutive checks, and `at` is the second one
 * - `between`: the state began between `after` and `at`, while nothing was checked
 * - `before`: the first check found the state, so it might have begun long before
 */
export type StateStart =
  | { readonly kind: "seen"; readonly at: number }
  | { readonly kind: "between"; readonly after: number; readonly at: number }
  | { readonly kind: "before"; readonly at: number };

/** Maximum milliseconds between two consecutive checks. A poll that backs off waits a minute. */
const consecutiveMs = 90_000;

export function stateStart(timeline: readonly Transition[]): StateStart | null {
  const latest = timeline.at(-1);
  if (latest === undefined) return null;
  const at = latest.firstSeenAt;
  const earlier = timeline.at(-2);
  if (earlier === undefined) return { kind: "before", at };
  const after = earlier.lastSeenAt;
  return at - after > consecutiveMs ? { kind: "between", after, at } : { kind: "seen", at };
}

/** Maximum number of transitions in a timeline. The oldest are dropped. */
const maxTransitions = 200;

export function observe(
  timeline: readonly Transition[],
  seen: SeenState,
  at: number,
): readonly Transition[] {
  const last = timeline.at(-1);
  if (last !== undefined && isSameState(last, seen))
    return [...timeline.slice(0, -1), { ...last, lastSeenAt: at }];
  return [...timeline, { ...stateOf(seen), firstSeenAt: at, lastSeenAt: at }].slice(
    -maxTransitions,
  );
}

function stateOf({ state, progress }: SeenState): SeenState {
  return progress === undefined ? { state } : { state, progress };
}

export function isSameState(a: SeenState, b: SeenState): boolean {
  return (
    a.state === b.state &&
    a.progress?.done === b.progress?.done &&
    a.progress?.open === b.progress?.open &&
    a.progress?.failed === b.progress?.failed
  );
}

/** `open` if a further change is expected, `reached` after success, `ended` after any other end. */
export type Finality = "open" | "reached" | "ended";

export interface CohortProgress {
  readonly done: number;
  readonly open: number;
  readonly failed: number;
}

export function cohortState({ done, open, failed }: CohortProgress): SeenState {
  const progress = { done, open, failed };
  return { state: progressFinality(progress), progress };
}

export function progressIn(timeline: readonly Transition[]): CohortProgress | null {
  return timeline.at(-1)?.progress ?? null;
}

function cohortFinality(timeline: readonly Transition[]): Finality {
  const progress = progressIn(timeline);
  return progress === null ? "open" : progressFinality(progress);
}

function progressFinality({ open, failed }: CohortProgress): Finality {
  if (open > 0) return "open";
  return failed > 0 ? "ended" : "reached";
}

/**
 * Returns a timeline of a cohort with figures. Version 0.3.0 stored them as a text, such as "2 done,
 * 3 open, 0 failed". Returns the states of later versions unchanged.
 */
export function withFigures(timeline: readonly Transition[]): readonly Transition[] {
  return timeline.map((transition) => {
    const match = /^(\d+) done, (\d+) open, (\d+) failed$/.exec(transition.state);
    if (match === null) return transition;
    const [done = 0, open = 0, failed = 0] = match.slice(1).map(Number);
    return { ...transition, ...cohortState({ done, open, failed }) };
  });
}

const supplyPointEnds = new Set(["ERRORED", "CANCELLED", "DRY_RUN_SUCCEEDED", "DRY_RUN_ERRORED"]);

/**
 * Returns the finality of an account (INTERFACE 3). COMPLETED is final, and so is an account that
 * left the lists without being imported. UNKNOWN is final only after IN_PROGRESS was seen or the
 * account left the lists, because the attempt failed then. Every other state is open, even one that
 * this program does not know.
 */
export function accountFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "COMPLETED") return "reached";
  if (state === leftLists) return "ended";
  const wasTried = timeline.some(({ state }) => state === "IN_PROGRESS" || state === leftLists);
  return state === "UNKNOWN" && wasTried ? "ended" : "open";
}

/**
 * Returns the finality of a supply point (INTERFACE 3): `reached` for PROCESSED, `ended` for an
 * error, a cancellation or the end of a dry run.
 */
export function supplyPointFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "PROCESSED") return "reached";
  return state !== undefined && supplyPointEnds.has(state) ? "ended" : "open";
}
