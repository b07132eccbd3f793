/** Lists, confirms and deletes the stored observations of suppliers. */
import { errorLine } from "../errors/error-words.ts";
import { shortInstant } from "../text/dates.ts";
import { count, plural } from "../text/numbers.ts";
import type {
  Observations,
  ObservedSummary,
  StoredObservations,
} from "../triage/observations/observations.ts";
import type { Here } from "./app.ts";

/** The stored observations of a supplier, with the list that waits to be confirmed. */
export interface StoredSupplier extends StoredObservations {
  /**
   * The list that waits to be confirmed, or null if there is none or the supplier is of another
   * service.
   */
  readonly heldBack: ObservedSummary["heldBack"];
}

/** Reads the stored suppliers of every service, and the held-back lists of this service. */
export async function storedSuppliers(
  observations: Observations,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: number },
): Promise<readonly StoredSupplier[]> {
  const rows: StoredSupplier[] = [];
  for (const stored of await observations.stored()) {
    const { origin, supplier } = stored;
    const summary = origin === baseUrl ? await observations.summary(supplier, now) : null;
    rows.push({ ...stored, heldBack: summary?.heldBack ?? null });
  }
  return rows;
}

/**
 * Records the held-back list of a supplier after a question. Calls `onEnd` when the recording has
 * ended.
 */
export function confirmHeldBack(
  { app, session }: Here,
  { supplier, heldBack }: StoredSupplier,
  onEnd: () => void,
): void {
  if (heldBack === null) return;
  const { before, now, at } = heldBack;
  app.overlays.confirm({
    question: `Record the list of ${supplier} with ${plural(now, "account")}, after ${count(before)}?`,
    detail: `It was requested ${shortInstant(at, app.clock.now())}. Accounts that it does not have are gone or removed then. Nothing changes at the service.`,
    yes: "Yes, the list is right",
    onYes: () =>
      report(app, onEnd, async () =>
        (await session.observations.confirm(supplier))
          ? `The list of ${supplier} is recorded.`
          : `No list of ${supplier} is held back.`,
      ),
  });
}

/**
 * Deletes the observations of these suppliers of this service after a question. Calls `onEnd` when
 * the deletion has ended.
 */
export function purgeObservations(
  { app, session }: Here,
  suppliers: readonly StoredSupplier[],
  onEnd: () => void,
): void {
  const [only] = suppliers;
  if (only === undefined) return;
  const subject = suppliers.length === 1 ? only.supplier : plural(suppliers.length, "supplier");
  const accounts = suppliers.reduce((sum, stored) => sum + stored.accounts, 0);
  app.overlays.confirm({
    question: `Delete the observations of ${subject}?`,
    detail: `Ages and changes of ${plural(accounts, "account")} are deleted from this machine and cannot be restored: ages are counted from the next list on. Nothing changes at the service.`,
    yes: "Yes, delete them",
    onYes: () =>
      report(app, onEnd, async () => {
        for (const { supplier } of suppliers) await session.observations.purge({ supplier });
        return `The observations of ${subject} are deleted.`;
      }),
  });
}

/** Runs the work, reports its end in a notice, and calls `onEnd`. */
function report({ notices }: Here["app"], onEnd: () => void, work: () => Promise<string>): void {
  work()
    .then(
      (words) => notices.show(words, "ok"),
      (error: unknown) =>
        notices.show(errorLine(error, { doing: "changing the observations" }), "bad"),
    )
    .finally(onEnd);
}
