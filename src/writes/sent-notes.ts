/** The notes that were sent from this machine, as the journal has them. */
import { jsonOf, memberOf, memberText } from "../json/exact.ts";
import type { LastNote } from "../text/hand-over-line.ts";
import { listActivity } from "./activity.ts";
import { bodyText } from "./activity-detail.ts";
import type { Journal } from "./journal/open-journal.ts";

/**
 * Returns the last note that this machine sent to an account, or null if there is none. Throws a
 * journal error.
 */
export function lastNote(
  journal: Journal,
  { baseUrl, supplier, account }: { baseUrl: string; supplier: string; account: string },
): LastNote | null {
  const [last] = listActivity(journal, {
    ...{ baseUrl, importSupplier: supplier, externalAccountNumber: account },
    operation: "notes create",
    outcomes: ["confirmed", "unknown", "retryable", "sending", "closed"],
    limit: 1,
  });
  if (last === undefined) return null;
  const { journal_id, outcome, created_at } = last;
  const body = textsOf(bodyText(journal, journal_id) ?? "null").at(-1) ?? null;
  return { body, outcome, at: Date.parse(created_at) };
}

/** The texts of the notes in a body (INTERFACE 4.1). */
function textsOf(body: string): readonly string[] {
  const notes = memberOf(jsonOf(body), "notes");
  if (!Array.isArray(notes)) return [];
  return notes.flatMap((note) => memberText(note, "body") ?? []);
}
