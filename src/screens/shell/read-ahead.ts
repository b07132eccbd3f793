import type { Clock } from "../../api/clock.ts";
import type { LazyScreens } from "./lazy-screens.ts";

/** The first frame, and what is typed at once, come first. Milliseconds. */
const afterMs = 100;
/** Between two parts whoever types has a turn. Milliseconds. */
const pauseMs = 20;

/**
 * Reads what has not been read yet, part by part, while nobody waits for it, so that no key has to
 * wait later. A part that cannot be read is tried again when it is wanted, and told there. Rejects
 * when the signal is aborted.
 */
export async function readAhead(
  lazyScreens: LazyScreens,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(afterMs, signal);
  const others = [
    () => import("../../session/open-session.ts"),
    () => import("../../api/connections.ts"),
  ];
  for (const read of others) {
    await read().catch(() => {});
    await clock.sleep(pauseMs, signal);
  }
  for (const screen of lazyScreens.all()) {
    if (screen.state.get().kind !== "unread") continue;
    await screen.load();
    await clock.sleep(pauseMs, signal);
  }
}
