import type { Transition } from "./transitions.ts";

/** Whether there is more to wait for: `reached` the good end, `ended` in another way. */
export type Finality = "open" | "reached" | "ended";

const supplyPointEnds = new Set(["ERRORED", "CANCELLED", "DRY_RUN_SUCCEEDED", "DRY_RUN_ERRORED"]);

/**
 * Accounts (INTERFACE 3): COMPLETED is the end; UNKNOWN is one only after IN_PROGRESS was seen, for
 * then the attempt failed. Everything else, states this program does not know included, stays open.
 */
export function accountFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "COMPLETED") return "reached";
  const tried = timeline.some((transition) => transition.state === "IN_PROGRESS");
  return state === "UNKNOWN" && tried ? "ended" : "open";
}

/** Supply points (INTERFACE 3): PROCESSED is the good end; an error, a cancellation or a dry run end it too. */
export function supplyPointFinality(timeline: readonly Transition[]): Finality {
  const state = timeline.at(-1)?.state;
  if (state === "PROCESSED") return "reached";
  return state !== undefined && supplyPointEnds.has(state) ? "ended" : "open";
}
