/** Records the list of a supplier that was held back because it lost too many accounts. */
import { errorLine } from "../errors/error-words.ts";
import { shortInstant } from "../text/dates.ts";
import { count, plural } from "../text/numbers.ts";
import type { Here } from "./app.ts";
import { askLater } from "./late-questions.ts";

/**
 * Asks, and then records the held-back list of a supplier. `onRecorded` is called afterward. A notice
 * says if no list is held back, or why it cannot be recorded.
 */
export function recordHeldBack(here: Here, supplier: string, onRecorded: () => void): void {
  const { app, session } = here;
  const { notices } = app;
  const failed = (error: unknown) =>
    notices.show(errorLine(error, { doing: "changing the observations" }), "bad");
  const record = async () => {
    const isRecorded = await session.observations.confirm(supplier);
    if (isRecorded) onRecorded();
    notices.show(
      isRecorded ? `The list of ${supplier} is recorded.` : noneWords(supplier),
      isRecorded ? "ok" : "plain",
    );
  };
  askLater(app, async (isHere) => {
    const summary = await session.observations.summary(supplier, session.now());
    if (!isHere()) return;
    if (summary === null || summary.heldBack === null) {
      notices.show(noneWords(supplier));
      return;
    }
    const { before, now, at } = summary.heldBack;
    app.overlays.confirm({
      question: `Record the list of ${supplier} with ${plural(now, "account")}, after ${count(before)}?`,
      detail: `It was requested ${shortInstant(at, app.clock.now())}. Accounts that it does not have are gone or removed then. Nothing changes at the service.`,
      yes: "Yes, the list is right",
      onYes: () => void record().catch(failed),
    });
  }).catch(failed);
}

function noneWords(supplier: string): string {
  return `No list of ${supplier} is held back.`;
}
