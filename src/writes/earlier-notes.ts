import { jsonOf } from "../json/parse.ts";
import { memberOf, memberText } from "../json/value.ts";
import type { Journal } from "./journal/open-journal.ts";

/** Entries whose notes are read; those of a large run are all alike. */
const mostEntries = 200;

/**
 * The texts of the notes that were sent with a profile, newest first, each once; at most `most` of
 * them. A body that was deleted from the journal has none.
 */
export function earlierNotes(journal: Journal, profile: string, most: number): readonly string[] {
  const bodies = journal.read((rows) =>
    rows.all(
      `SELECT body FROM intent
       WHERE profile = ? AND operation = 'notes create' AND body IS NOT NULL
       ORDER BY id DESC LIMIT ?`,
      profile,
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

function textsOf(body: string): readonly string[] {
  const notes = memberOf(jsonOf(body), "notes");
  if (!Array.isArray(notes)) return [];
  return notes.flatMap((note) => memberText(note, "body") ?? []);
}
