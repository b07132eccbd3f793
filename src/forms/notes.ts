/** The form for notes on an account, with its rules. */
import { isJsonArray, memberOf, memberText } from "../json/exact.ts";
import { normalText } from "../json/normal-form.ts";
import type { Form } from "./fields.ts";
import type { Issue, Rule } from "./rules.ts";
import { equalRows } from "./rules.ts";
import { accountSection } from "./shared-fields.ts";

const unpinTimeWithoutPin: Rule = (note) =>
  memberOf(note, "unpin_at") !== undefined && memberOf(note, "is_pinned") !== true
    ? [
        {
          path: ["unpin_at"],
          message:
            "The note is not pinned; the interface shows an unpin time only for pinned notes.",
        },
      ]
    : [];

/**
 * Returns the creation time of a note in epoch milliseconds, or the text if the time cannot be
 * read, or null if it is absent. The service treats two spellings of one instant as equal.
 */
function createdAt(note: unknown): number | string | null {
  const typed = memberText(note, "created_at");
  if (typed === undefined) return null;
  const instant = Date.parse(typed);
  return Number.isNaN(instant) ? typed : instant;
}

/**
 * Compares each note with the earlier notes with the same body. Returns the first issue of
 * `compare` for each note.
 */
function sameBodies(
  notes: unknown,
  compare: (earlier: { at: number; note: unknown }, note: unknown, at: number) => Issue[],
): readonly Issue[] {
  if (!isJsonArray(notes)) return [];
  const notesByBody = new Map<string, { at: number; note: unknown }[]>();
  return notes.flatMap((note, at) => {
    const body = memberText(note, "body");
    if (body === undefined) return [];
    const normalBody = normalText(body);
    const earlier = notesByBody.get(normalBody) ?? [];
    notesByBody.set(normalBody, [...earlier, { at, note }]);
    return earlier.flatMap((other) => compare(other, note, at)).slice(0, 1);
  });
}

/** Reports notes that equal an earlier one in body and `created_at`. Paths begin with the index. */
export const equalNotes: Rule = (notes) =>
  sameBodies(notes, (earlier, note, at) =>
    createdAt(earlier.note) === createdAt(note)
      ? [
          {
            path: [at],
            message: `The same note as Note ${earlier.at + 1}: the service keeps one of them.`,
          },
        ]
      : [],
  );

const sameBodyWithoutTime: Rule = (notes) =>
  sameBodies(notes, (earlier, note, at) =>
    createdAt(note) === null && createdAt(earlier.note) !== null
      ? [
          {
            path: [at, "created_at"],
            message: `The same body as Note ${earlier.at + 1}: without a separate time the service can treat both as one note.`,
          },
        ]
      : [],
  );

/** The form for notes on an account (INTERFACE 2 "Note", 4.1). */
export const notesForm: Form = {
  kind: "notes",
  title: "Notes",
  envelope: null,
  itemsField: "notes",
  query: [],
  sections: [
    accountSection,
    {
      id: "notes",
      title: "Notes",
      fields: [
        {
          name: "notes",
          label: "Notes",
          presence: "required",
          type: "rows",
          itemLabel: "Note",
          titleFrom: ["body"],
          min: 1,
          start: 1,
          errorRules: [equalNotes, equalRows("Note", "body")],
          warningRules: [sameBodyWithoutTime],
          item: {
            oneOf: ["body", "document_paths"],
            warningRules: [unpinTimeWithoutPin],
            fields: [
              {
                name: "body",
                label: "Body",
                hint: "A body, documents, or both.",
                type: "multiline",
                presence: "optional",
              },
              {
                name: "document_paths",
                label: "Documents",
                hint: "Files already stored below the supplier's document root.",
                presence: "optional",
                type: "rows",
                itemLabel: "Document",
                titleFrom: ["document_path"],
                min: 0,
                start: 0,
                item: {
                  fields: [
                    {
                      name: "document_path",
                      label: "Path",
                      hint: "Relative to the supplier's document root, such as letters/2026/welcome.pdf.",
                      type: "document-path",
                      presence: "required",
                    },
                  ],
                },
              },
              {
                name: "created_at",
                label: "Created at",
                hint: "If empty, the service uses the time of arrival and never adds the same body twice. With a separate time you can add the same body again.",
                type: "datetime",
                presence: "optional",
              },
              {
                name: "is_pinned",
                label: "Pinned",
                hint: "Pins the note to the top of the account's support page.",
                type: "boolean",
                presence: "optional",
              },
              {
                name: "unpin_at",
                label: "Unpin at",
                hint: "Only for a pinned note.",
                type: "datetime",
                presence: "optional",
              },
            ],
          },
        },
      ],
    },
  ],
};
