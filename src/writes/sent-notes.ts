/** The notes that were sent from this machine, as the journal has them. */
import { serviceKey } from "../api/url.ts";
import { jsonOf, memberOf, memberText } from "../json/exact.ts";
import type { LeftNote } from "../text/hand-over-line.ts";
import { listActivity } from "./activity.ts";
import { bodyText } from "./activity-detail.ts";
import type { Journal } from "./journal/open-journal.ts";

/** Entries whose notes are read; those of a large run are all alike. */
const mostEntries = 200;

/**
 * Returns the texts of the notes that were sent to a service, newest first, each once; at most `most` of
 * them. A body that was deleted from the journal has none.
 */
export function earlierNotes(journal: Journal, baseUrl: string, most: number): readonly string[] {
  const bodies = journal.read((rows) =>
    rows.all(
      `SELECT body FROM intent
       WHERE service = ? AND operation = 'notes create' AND body IS NOT NULL
       ORDER BY id DESC LIMIT ?`,
      serviceKey(baseUrl),
      mostEntries,
    ),
  );
  const texts = new Set<string>();
  for (const { body } of bodies) {
    if (!(body instanceof Uint8Array)) continue;
    for (const text of textsOf(new TextDecoder().decode(body))) texts.add(text);
  }
  return [...texts].slice(0, most);
}

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
  const body = textsOf(bodyText(journal, journal_id) ?? "null").at(-1) ?? null;
  return { body, outcome, at: Date.parse(created_at) };
}

/** The texts of the notes in a body (INTERFACE 4.1). */
function textsOf(body: string): readonly string[] {
  const notes = memberOf(jsonOf(body), "notes");
  if (!Array.isArray(notes)) return [];
  return notes.flatMap((note) => memberText(note, "body") ?? []);
}
