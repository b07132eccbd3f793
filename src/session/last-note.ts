import { jsonOf } from "../json/parse.ts";
import { isRecord } from "../json/value.ts";
import type { LeftNote } from "../text/hand-over-line.ts";
import { listActivity } from "../writes/activity.ts";
import { bodyText } from "../writes/activity-detail.ts";
import type { Journal } from "../writes/journal/open-journal.ts";

/** The last note that this machine sent to an account; null where there is none. Throws JournalError. */
export function lastNote(
  journal: Journal,
  { baseUrl, supplier, account }: { baseUrl: string; supplier: string; account: string },
): LeftNote | null {
  const [last] = listActivity(journal, {
    ...{ baseUrl, importSupplier: supplier, externalAccountNumber: account },
    operation: "notes create",
    outcomes: ["confirmed", "unknown", "retryable", "sending", "closed"],
    limit: 1,
  });
  if (last === undefined) return null;
  const { journal_id, outcome, created_at } = last;
  const bodies = bodiesIn(jsonOf(bodyText(journal, journal_id) ?? "null"));
  return { body: bodies.at(-1) ?? null, outcome, at: Date.parse(created_at) };
}

/** The texts of the notes in a body (INTERFACE 4.1). */
function bodiesIn(payload: unknown): readonly string[] {
  const notes = isRecord(payload) && Array.isArray(payload.notes) ? payload.notes : [];
  return notes.flatMap((one) => (isRecord(one) && typeof one.body === "string" ? [one.body] : []));
}
