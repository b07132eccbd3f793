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
import type { Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import { toSeconds } from "../world/world.ts";
import { type AccountPayload, accountFields, onAccount } from "./account-payload.ts";

interface Note {
  readonly body?: string;
  readonly document_paths?: readonly { readonly document_path: string }[];
  readonly created_at?: string;
  readonly is_pinned?: boolean;
  readonly unpin_at?: string;
}

interface NotesPayload extends AccountPayload {
  readonly notes: readonly Note[];
}

/** A stored note, which always has `created_at`. */
interface KeptNote extends Note {
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
  const existing = sameNote(service, owner, note);
  if (existing !== undefined) {
    return { created_at: existing.created_at, body: note.body, status: "NOTE_ALREADY_EXISTS" };
  }
  const created_at = addNote(service, owner, note, "request");
  return { created_at, body: note.body ?? "", status: "NOTE_CREATION_SUCCESS" };
}

/**
 * Returns the stored note that equals a note, or undefined. Notes differ by body, and by
 * `created_at` only if the request has one.
 */
function sameNote(service: Service, owner: Owner, note: Note): KeptNote | undefined {
  // A note without a body equals no other note.
  if (note.body === undefined) return undefined;
  const kept = service.store.find("note", owner, note.body) as readonly KeptNote[];
  const given = note.created_at;
  return given === undefined
    ? kept[0]
    : kept.find(({ created_at }) => instantOf(created_at) === instantOf(given));
}

/**
 * Returns the instant of a datetime in epoch ms. Without an offset, it is in the service's zone,
 * which is UTC.
 */
function instantOf(datetimeText: string): number {
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(datetimeText) ? datetimeText : `${datetimeText}Z`;
  return Date.parse(zoned.replace(" ", "T").replace(/([+-]\d{2})(\d{2})$/, "$1:$2"));
}

/** Adds a note to the account, and returns its `created_at`. */
export function addNote(
  service: Service,
  owner: Owner,
  note: Note,
  cause: "request" | "service",
): string {
  const at = service.clock.now();
  const created_at = note.created_at ?? toSeconds(at);
  const { body = "", ...rest } = note;
  service.store.add("note", owner, body, { ...note, created_at });
  service.store.append({
    at,
    endpoint: "notes",
    ...owner,
    key: body,
    cause,
    detail: { ...rest, created_at },
  });
  return created_at;
}
