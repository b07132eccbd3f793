/** The state of something that the service does not know (404): a separate state, not UNKNOWN. */
export const notFound = "404";

/** The state of an account that lists show as not imported. */
export const listedPending = "pending";

/** The state of an account that left the lists without being imported, where no account exists. */
export const leftLists = "gone";

/** An observed state. Times are epoch milliseconds. */
export interface Transition {
  readonly state: string;
  /** Time of the first check that found it. The state might have begun earlier. */
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/**
 * The start of the latest state of a timeline, as far as checks show. Times are epoch milliseconds.
 *
 * - `seen`: between two consecutive checks, of which the second first found it.
 * - `between`: while nothing was checked, after another state was last seen.
 * - `before`: the first check found it, so it can be of any age.
 */
export type StateStart =
  | { readonly kind: "seen"; readonly at: number }
  | { readonly kind: "between"; readonly after: number; readonly at: number }
  | { readonly kind: "before"; readonly at: number };

/** Checks further apart than this are not in a row: polling that backs off waits a minute. */
const inARowMs = 90_000;

/** Returns the start of the latest state, or null before the first check. */
export function stateStart(timeline: readonly Transition[]): StateStart | null {
  const latest = timeline.at(-1);
  if (latest === undefined) return null;
  const at = latest.firstSeenAt;
  const earlier = timeline.at(-2);
  if (earlier === undefined) return { kind: "before", at };
  const after = earlier.lastSeenAt;
  return at - after > inARowMs ? { kind: "between", after, at } : { kind: "seen", at };
}

/** Maximum number of transitions in a timeline. The oldest are dropped. */
const mostTransitions = 200;

/** The timeline with one more check: a new transition when the state is another one. */
export function observe(
  timeline: readonly Transition[],
  state: string,
  at: number,
): readonly Transition[] {
  const last = timeline.at(-1);
  if (last?.state === state) return [...timeline.slice(0, -1), { ...last, lastSeenAt: at }];
  return [...timeline, { state, firstSeenAt: at, lastSeenAt: at }].slice(-mostTransitions);
}

/**
 * `open` if a further change is expected, `reached` after the good end, `ended` after another one.
 */
export type Finality = "open" | "reached" | "ended";

/** The number of accounts of a watched cohort by progress. */
export interface CohortProgress {
  readonly done: number;
  readonly open: number;
  readonly failed: number;
}

/** Returns the state of a cohort as its timeline has it. */
export function cohortState({ done, open, failed }: CohortProgress): string {
  return `${done} done, ${open} open, ${failed} failed`;
}

/**
 * Reads the latest state of a cohort. Returns null for another subject, or before the first state.
 */
export function progressIn(timeline: readonly Transition[]): CohortProgress | null {
  const found = /^(\d+) done, (\d+) open, (\d+) failed$/.exec(timeline.at(-1)?.state ?? "");
  if (found === null) return null;
  const [done = 0, open = 0, failed = 0] = found.slice(1).map(Number);
  return { done, open, failed };
}

/**
 * Returns the finality of a cohort. It has ended if none of its accounts is open, and well if none
 * of them failed.
 */
export function cohortFinality(timeline: readonly Transition[]): Finality {
  const progress = progressIn(timeline);
  if (progress === null || progress.open > 0) return "open";
  return progress.failed > 0 ? "ended" : "reached";
}

const supplyPointEnds = new Set(["ERRORED", "CANCELLED", "DRY_RUN_SUCCEEDED", "DRY_RUN_ERRORED"]);

/**
 * Accounts (INTERFACE 3): COMPLETED is final; UNKNOWN is final only after IN_PROGRESS was seen, or
 * after the account left the lists, for then the attempt failed. Everything else stays open, also states that this program does not know.
 */
export function accountFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "COMPLETED") return "reached";
  if (state === leftLists) return "ended";
  const tried = timeline.some(({ state }) => state === "IN_PROGRESS" || state === leftLists);
  return state === "UNKNOWN" && tried ? "ended" : "open";
}

/** Supply points (INTERFACE 3): PROCESSED is the good end; an error, a cancellation or a dry run end it too. */
export function supplyPointFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "PROCESSED") return "reached";
  return state !== undefined && supplyPointEnds.has(state) ? "ended" : "open";
}
