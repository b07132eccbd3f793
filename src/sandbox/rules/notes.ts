/** The rules of the endpoint for notes (INTERFACE 4.1). */
import type { Answer } from "../checks.ts";
import {
  allOf,
  type Check,
  datetime,
  documentPath,
  flag,
  isObject,
  list,
  object,
  optional,
  problem,
  required,
  text,
} from "../checks.ts";
import { addEffect, type Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { formatDatetime } from "../world/world.ts";
import { type AccountPayload, accountFields, onAccount } from "./account-payload.ts";

/** A checked note. `noteFields` has all members; these are the ones that the rules read. */
interface Note {
  readonly body?: string;
  readonly created_at?: string;
  readonly [name: string]: unknown;
}

interface NotesPayload extends AccountPayload {
  readonly notes: readonly Note[];
}

interface StoredNote extends Note {
  readonly created_at: string;
}

const noteFields = object({
  body: optional(
    allOf(text, (value, path) =>
      String(value).trim() === "" ? problem(path, "blank", "A note's body may not be blank.") : [],
    ),
  ),
  document_paths: optional(list(object({ document_path: required(documentPath) }), 1)),
  created_at: optional(datetime),
  is_pinned: optional(flag),
  unpin_at: optional(datetime),
});

const bodyOrDocuments: Check = (value, path) => {
  const note = isObject(value) ? value : {};
  return Object.hasOwn(note, "body") || Object.hasOwn(note, "document_paths")
    ? []
    : problem(path, "body_or_document_paths", "A body or document_paths must be present.");
};

const check = object({
  ...accountFields,
  notes: required(list(allOf(noteFields, bodyOrDocuments), 1)),
});

export function createNotes(service: Service, payload: unknown): Answer {
  return onAccount<NotesPayload>(service, payload, check, ({ owner }, { notes }) => ({
    status: 201,
    body: notes.map((note) => createNote(service, owner, note)),
  }));
}

function createNote(service: Service, owner: Owner, note: Note): unknown {
  const existing = findEqualNote(service, owner, note);
  if (existing !== undefined) {
    return { created_at: existing.created_at, body: note.body, status: "NOTE_ALREADY_EXISTS" };
  }
  const created_at = addNote(service, owner, note, "request");
  return { created_at, body: note.body ?? "", status: "NOTE_CREATION_SUCCESS" };
}

/** Returns the stored note with the same body. `created_at` counts only if the request has one. */
function findEqualNote(service: Service, owner: Owner, note: Note): StoredNote | undefined {
  // A note without a body equals no other note.
  if (note.body === undefined) return undefined;
  const stored = service.store.find("note", owner, note.body) as readonly StoredNote[];
  const requested = note.created_at;
  return requested === undefined
    ? stored[0]
    : stored.find(({ created_at }) => instantOf(created_at) === instantOf(requested));
}

/** Returns the instant of a datetime in epoch ms. A datetime without an offset is in UTC. */
function instantOf(datetimeText: string): number {
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(datetimeText) ? datetimeText : `${datetimeText}Z`;
  return Date.parse(zoned.replace(" ", "T").replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

export function addNote(
  service: Service,
  owner: Owner,
  note: Note,
  cause: "request" | "service",
): string {
  const created_at = note.created_at ?? formatDatetime(service.clock.now());
  const { body: key = "", ...rest } = note;
  const record = { ...note, created_at };
  const detail = { ...rest, created_at };
  addEffect(service, owner, { kind: "note", endpoint: "notes", key, record, detail, cause });
  return created_at;
}
