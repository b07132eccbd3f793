/** The facts about writes of notes (INTERFACE 4.1): endpoint, retries, results, duplicates. */
import { AppError } from "../../errors/app-error.ts";
import { equalNotes } from "../../forms/notes.ts";
import { isRecord, memberOf, memberText } from "../../json/exact.ts";
import { deduplicatedRules } from "../retry-table.ts";
import { accountBody, accountOf, byStatus, listIn, refusedWhole, textAt } from "./bodies.ts";
import type { KindFacts } from "./kind.ts";

const identifying: ReadonlySet<string> = new Set(["body", "document_paths", "created_at"]);

export const notesKind: KindFacts<"notes"> = {
  form: "notes",
  path: "/v1/data-import/notes/create/",
  itemsField: "notes",
  idField: null,
  // A pin does not make another note.
  identityOf: (note) =>
    isRecord(note)
      ? Object.fromEntries(Object.entries(note).filter(([field]) => identifying.has(field)))
      : note,
  nameOf: () => null,
  item: "note",
  noun: "notes",
  plural: "notes",
  movesMoney: false,
  readBack: {
    by: "checked-resend",
    otherwise: "A note without a body would be added again: look at the account's notes.",
  },
  retries: deduplicatedRules,
  readBody: (payload) => {
    const facts = accountBody(payload, "notes", (note) => note.body ?? "(documents only)");
    const [equal] = equalNotes(facts.items);
    // The service would store only one of two equal notes, and no response could show which.
    if (equal !== undefined) {
      throw new AppError("write", "invalid", `Note ${Number(equal.path[0]) + 1}: ${equal.message}`);
    }
    return facts;
  },
  isDeduplicated: (_query, notes) =>
    notes.every((note) => isRecord(note) && typeof note.body === "string" && note.body !== ""),
  dedupe: {
    summary: (deduplicated) =>
      deduplicated
        ? "safe: the service adds the same note once"
        : "not safe: a note without a body might be added twice",
    words: (deduplicated, notes) => {
      const timed = notes.filter((note) => isRecord(note) && "created_at" in note).length;
      if (!deduplicated)
        return "The service recognizes a note by its body, and one of these has none: sent twice, it might exist twice.";
      if (timed === 0)
        return "The service adds the same body once to an account: sent again, it reports that the note exists. To add the same text again, give the note a created_at.";
      return timed === notes.length
        ? "The service adds the same body with the same created_at once; with another created_at it is another note."
        : "The service adds the same body once. A note with a created_at is added unless one has the same body and the same time.";
    },
  },
  naming: {
    fields: ["body"],
    // The response has no text for a note with only documents.
    sent: (note) => textAt(note, "body") ?? "",
    results: (response) => listIn(response, "notes"),
  },
  statuses: { NOTE_CREATION_SUCCESS: "created", NOTE_ALREADY_EXISTS: "exists" },
  confirmed: (facts, { results }) => byStatus(notesKind, facts, results),
  refusal: refusedWhole,
  existing: (note, attempts, how) => {
    const pinned = isRecord(note) && note.is_pinned === true && attempts === 1;
    const pin = pinned ? "; the pin was not applied" : "";
    const time = isRecord(note) && "created_at" in note ? "another" : "a";
    return `${pin}. To add the same text again, give the note ${time} created_at${how}.`;
  },
  contents: { amount: null, type: null, date: null, reference: null },
  isSummed: false,
  command: "from",
  sameRow: {
    key: (row) => {
      const body = memberText(row, "body");
      return body === undefined ? null : [...accountOf(row), body, memberOf(row, "created_at")];
    },
    words: (line) => `The same note as line ${line}: the service keeps one of them.`,
  },
};
