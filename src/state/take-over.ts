/** Imports the JSON files of version 0.2.0 into the state file, each file once. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { readPrivateBytes, readPrivateFile } from "../files/private.ts";
import { isRecord } from "../json/exact.ts";
import type { Rows } from "../sqlite/rows.ts";
import { insertDraft, newDraftId, type SavedDraft } from "./drafts.ts";
import { storeUse, type Use } from "./used.ts";

/** A file that is not imported or removed, because it cannot be read. */
export interface UnreadableFile {
  readonly path: string;
  /** The reason, as a sentence without a full stop. */
  readonly why: string;
}

/** Returns true if a folder has files of version 0.2.0. */
export function hasOldFiles(folder: string): boolean {
  return oldFiles(folder).length > 0;
}

/** Stores the content of an old file. */
type Import = (rows: Rows) => void;

/** A file or folder of version 0.2.0. */
interface OldFile {
  /** The path of the file or folder, which is removed after the import. */
  readonly path: string;
  readonly jsonPath: string;
  /** Returns a function that stores the content. Throws if the content is damaged. */
  readonly importOf: (value: unknown) => Import;
}

/**
 * Stores the content of each old file, and removes the file after the commit if `isOnDisk` is true.
 * A file can remain if the process is killed or has no right to remove the file. The stored hash
 * prevents a second import, because drafts that were sent or discarded meanwhile must not return.
 * Returns the unreadable files.
 */
export function takeOver(
  folder: string,
  commit: (work: Import) => void,
  isOnDisk: boolean,
): readonly UnreadableFile[] {
  const unreadable: UnreadableFile[] = [];
  const readable: { readonly path: string; readonly sha256: string; readonly store: Import }[] = [];
  for (const { path, jsonPath, importOf } of oldFiles(folder)) {
    try {
      const text = readPrivateFile(jsonPath);
      if (text === null) throw new Error("its description is missing");
      const sha256 = createHash("sha256").update(`${path}\0${text}`).digest("hex");
      readable.push({ path, sha256, store: importOf(parseJson(text)) });
    } catch (error) {
      unreadable.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  if (readable.length > 0) {
    try {
      commit((rows) => {
        for (const { sha256, store } of readable)
          if (rows.run("INSERT OR IGNORE INTO taken_over VALUES (?)", sha256) > 0) store(rows);
      });
    } catch {
      // The files are imported at the next start.
      return unreadable;
    }
  }
  if (isOnDisk) {
    for (const { path } of readable) remove(path);
    removeUnfinished(join(folder, "cohorts"));
  }
  return unreadable;
}

/**
 * Removes unfinished cohorts of killed processes, because they have account numbers, and the empty
 * folder.
 */
function removeUnfinished(cohorts: string): void {
  for (const name of namesIn(cohorts)) if (/^\..+\.part$/.test(name)) remove(join(cohorts, name));
  try {
    rmdirSync(cohorts);
  } catch {
    // The folder is missing, or has files that could not be imported.
  }
}

/** Removes a file or folder if that is possible. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A file that remains is not imported again.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

function oldFiles(folder: string): readonly OldFile[] {
  const [drafts, cohorts] = [join(folder, "drafts"), join(folder, "cohorts")];
  const oldFile = (path: string, importOf: OldFile["importOf"]) => ({
    path,
    jsonPath: path,
    importOf,
  });
  return [
    ...namesIn(drafts)
      .filter((name) => name.endsWith(".json"))
      .map((name) => oldFile(join(drafts, name), (value) => draftImport(value, name.slice(0, -5)))),
    oldFile(join(folder, "history.json"), historyImport),
    oldFile(join(folder, "watch.json"), watchListImport),
    // A name that begins with a dot belongs to an unfinished cohort of a killed process.
    ...namesIn(cohorts)
      .filter((name) => !name.startsWith("."))
      .map((name) => join(cohorts, name))
      .map((path) => ({
        path,
        jsonPath: join(path, "cohort.json"),
        importOf: (value: unknown) => cohortImport(value, path),
      })),
  ].filter(({ path }) => existsSync(path));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const path = z.array(z.union([z.string(), z.number()]));

const Draft = z.looseObject({
  id: z.string(),
  kind: z.string(),
  profile: z.string(),
  supplier: z.string(),
  account: z.nullable(z.string()),
  query: z.record(z.string(), z.boolean()),
  updatedAt: z.number(),
  fromEntry: z.optional(z.int()),
  sentAs: z.optional(z.int()),
  allowMissing: z.optional(z.literal(true)),
  edited: z.optional(z.string()),
  editedField: z.optional(path),
  refusals: z.array(z.looseObject({ message: z.string(), path })),
});

/** Reads a draft. A draft whose ID is already used gets a new ID. */
function draftImport(value: unknown, id: string): Import {
  const draft = z.safeParse(Draft, value).data;
  if (draft?.id !== id) throw new Error("it is no draft");
  return (rows) => {
    const isTaken = rows.get("SELECT 1 FROM draft WHERE id = ?", id) !== undefined;
    // A time that does not fit into the column was written by hand.
    const updatedAt = Number.isSafeInteger(draft.updatedAt) ? draft.updatedAt : 0;
    insertDraft(rows, {
      ...(draft as unknown as SavedDraft),
      service: null,
      updatedAt,
      id: isTaken ? newDraftId() : id,
    });
  };
}

/** Reads the recently used values. */
function historyImport(history: unknown): Import {
  if (!isRecord(history)) throw new Error("it is no history");
  const { places, filters, files, actions, tour } = history;
  const usesOf = (list: Use["list"], lists: unknown) =>
    valuesIn(lists, z.string()).map(([owner, value]): Use => ({ list, owner, value }));
  const uses = [
    ...usesOf("place", places),
    ...usesOf("filter", filters),
    ...usesOf("file", { "": files }),
    ...usesOf("action", { "": actions }),
    ...(Number.isSafeInteger(tour) ? usesOf("tour", { "": [String(tour)] }) : []),
  ];
  return (rows) => {
    for (const use of uses.reverse()) storeUse(rows, use);
  };
}

const text = z.string().check(z.minLength(1));
const Watched = z.object({
  kind: z.enum(["account", "supply-point", "cohort"]),
  supplier: text,
  number: text,
  addedAt: z.number(),
  timeline: z.array(
    z.object({ state: z.string(), firstSeenAt: z.number(), lastSeenAt: z.number() }),
  ),
});

/** Reads the watch lists of all profiles. */
function watchListImport(value: unknown): Import {
  if (!isRecord(value)) throw new Error("it is no watch list");
  const lists = valuesIn(value.lists, Watched);
  return (rows) => {
    for (const [key, { addedAt, timeline, ...subject }] of lists) {
      const [profile, service] = z.parse(z.tuple([z.string(), z.string()]), parseJson(key));
      const columns = { added_at: addedAt, timeline: JSON.stringify(timeline) };
      rows.replace("watched", { profile, service, ...subject, ...columns });
    }
  };
}

const count = z.int().check(z.gte(0));
const Cohort = z.object({
  version: z.literal(1),
  name: text,
  import_supplier: text,
  sha256: z.string(),
  rows: count,
  accounts: count,
  column: z.nullable(z.string()),
  format: z.enum(["text", "json", "jsonl", "csv"]),
  created_at: z.iso.datetime(),
});

/** Maximum size of a cohort's list in bytes. */
const maxSourceBytes = 900_000_000;

/**
 * Returns a function that stores a cohort with its list unchanged. The SHA-256 of the list is
 * verified at each use of the cohort.
 */
function cohortImport(value: unknown, path: string): Import {
  const cohort = z.safeParse(Cohort, value).data;
  const source = readPrivateBytes(join(path, "source"), maxSourceBytes);
  if (cohort?.name !== basename(path)) throw new Error("its description is damaged");
  if (source === null) throw new Error("its list is missing");
  const { name, import_supplier: supplier, sha256, rows: listed, accounts, column } = cohort;
  return (rows) => {
    const isTaken = rows.get("SELECT 1 FROM cohort WHERE name = ?", name) !== undefined;
    rows.insert("cohort", {
      name: isTaken ? `${name.slice(0, 55)}.${sha256.slice(0, 8)}` : name,
      supplier,
      sha256,
      rows: listed,
      accounts,
      column,
      layout: cohort.format,
      source,
      created_at: Date.parse(cohort.created_at),
    });
  };
}

/**
 * Returns the values of a record of lists, each with its key. Invalid values are left out, because
 * a user wrote them by hand.
 */
function valuesIn<T extends z.ZodMiniType>(
  lists: unknown,
  value: T,
): readonly [string, z.output<T>][] {
  return Object.entries(isRecord(lists) ? lists : {}).flatMap(([key, list]) =>
    (Array.isArray(list) ? list : [])
      .map((item) => z.safeParse(value, item))
      .flatMap((result): [string, z.output<T>][] => (result.success ? [[key, result.data]] : [])),
  );
}
