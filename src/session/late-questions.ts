/** Opens questions that need data first, so that the keys after the question's key reach it. */
import type { App } from "./app.ts";

const questionWaitMs = 500;

/**
 * Runs `prepare`, which opens a question when its data is read. Typed keys wait meanwhile, so that
 * an Esc closes the question and not the screen below it. After `questionWaitMs` they no longer
 * wait: `isHere` then returns false if the user has gone elsewhere, where no question may open.
 */
export async function askLater(
  app: Pick<App, "holdKeys" | "clock" | "navigation" | "overlays">,
  prepare: (isHere: () => boolean) => Promise<void>,
): Promise<void> {
  const release = app.holdKeys();
  const timer = new AbortController();
  app.clock.sleep(questionWaitMs, timer.signal).then(release, () => {});
  try {
    await prepare(stillHere(app));
  } finally {
    timer.abort();
    release();
  }
}

/** Returns a function that returns true while this screen is on top without a later dialog. */
export function stillHere({ navigation, overlays }: Pick<App, "navigation" | "overlays">) {
  const top = () => navigation.stops.get().at(-1)?.id;
  const from = top();
  return (): boolean => top() === from && overlays.current.get() === null;
}
