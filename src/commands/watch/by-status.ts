import { createAlarm } from "../../bulk/schedule/alarm.ts";
import { createFollower } from "../../watch/follower.ts";
import { notFound } from "../../watch/timeline.ts";
import { type CheckEnd, checkStatus, type Watched } from "../../watch/watched.ts";
import type { Invocation } from "../invocation.ts";
import { type Observing, observing } from "../observing.ts";
import type { Target } from "../target.ts";
import { type WatchPlan, watchUntil } from "./watch.ts";

/**
 * Watches accounts or supply points at the same time, by their statuses and within one budget of
 * requests (INTERFACE 4.7, 4.8). Records each checked status.
 */
export async function watchByStatus<T>(
  invocation: Invocation,
  target: Target,
  ids: readonly string[],
  plan: WatchPlan<T>,
): Promise<number> {
  return observing(invocation, target, ({ saw }) =>
    followStatuses({ invocation, target, saw }, ids, plan),
  );
}

async function followStatuses<T>(
  {
    invocation,
    target,
    saw,
  }: Pick<Observing, "saw"> & { readonly invocation: Invocation; readonly target: Target },
  ids: readonly string[],
  plan: WatchPlan<T>,
): Promise<number> {
  const { clock } = invocation.io;
  const { kind, supplier } = plan;
  return watchUntil(invocation, target, plan, async (watch) => {
    const { signal } = watch;
    const updates: { watched: Watched; before: Watched; end: CheckEnd }[] = [];
    const alarm = createAlarm(clock);
    const follower = createFollower(
      {
        check: (subject, ending) =>
          checkStatus(target.service, subject, ending, (state) => saw(subject, state)),
        clock,
        intervalMs: plan.interval,
      },
      (watched, before, end) => {
        updates.push({ watched, before, end });
        alarm.ring();
      },
    );
    signal.addEventListener("abort", alarm.ring, { once: true });
    try {
      for (const number of ids)
        follower.follow({ kind, supplier, number, addedAt: 0, timeline: [] });
      follower.begin();
      // Responses that arrived before the end are still processed.
      while ((!signal.aborted || updates.length > 0) && follower.all().length > 0) {
        const next = updates.shift();
        if (next === undefined) await alarm.wait(null);
        else if (follower.get(next.watched.key) && (await reportUpdate(next)))
          follower.drop(next.watched.key);
      }
      return follower
        .all()
        .map(({ number, timeline }) => ({ number, state: timeline.at(-1)?.state ?? null }));
    } finally {
      follower.close();
    }

    /** Reports one check to the watch. Returns the end of the subject, or null if it is open. */
    async function reportUpdate({ watched, before, end }: (typeof updates)[number]) {
      const { number: id, serviceNumber, finality } = watched;
      if (watched.trouble !== null) {
        watch.failed(id, watched.trouble);
        return null;
      }
      watch.recovered(id);
      const state = watched.timeline.at(-1)?.state ?? notFound;
      const previous = before.timeline.at(-1)?.state ?? null;
      const value = end.kind === "answer" ? (end.value.answer?.value as T) : null;
      return watch.report({
        id,
        at: end.at,
        state,
        previous,
        value,
        isChange: state !== previous || serviceNumber !== before.serviceNumber,
        isFinal: finality !== "open",
      });
    }
  });
}
