/** Makes the verdict on an account that a search has found. */
import { agoWords } from "../../text/ages.ts";
import { observe, type Transition } from "../../watch/timeline.ts";
import type { ImportPace } from "../import-pace.ts";
import { type ListedAccount, type Verdict, verdictOf } from "../verdict.ts";
import { type Hit, sourceWords } from "./found.ts";

/** The interval after which a hit is not current: a search is repeated by the user, not by a timer. */
const searchedEveryMs = 20_000;

/**
 * Returns the verdict on a hit at `now` (epoch milliseconds). `timeline` has the observed states of
 * earlier checks.
 */
export function hitVerdict(
  hit: Hit,
  now: number,
  timeline: readonly Transition[],
  pace: ImportPace | null,
): Verdict {
  const { source, state, at } = hit;
  const isNew = source === "status" && (timeline.at(-1)?.lastSeenAt ?? at) <= at;
  return verdictOf({
    kind: "account",
    timeline: isNew ? observe(timeline, { state }, at) : timeline,
    listed: listedIn(hit),
    pace,
    everyMs: searchedEveryMs,
    now,
  });
}

/** Returns where the state of a verdict on a hit is from: a later check, or the source of the hit. */
export function checkedOrSourceWords(
  hit: Hit,
  { checkedAt }: Pick<Verdict, "checkedAt">,
  now: number,
  time: (ms: number) => string,
): string {
  return checkedAt === null || checkedAt === hit.at
    ? sourceWords(hit, now, time)
    : `checked ${agoWords(checkedAt, now)}`;
}

function listedIn({ source, state, times, at }: Hit): ListedAccount | null {
  if (source === "status") return null;
  switch (state) {
    case "pending":
    case "imported":
    case "gone":
    case "removed":
      return { ...times, at, state };
    default:
      throw new Error(`no list has the state ${state}`);
  }
}
