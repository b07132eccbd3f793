/** Moves the JSON files of version 0.2.0 into the state file, once. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { readPrivateBytes, readPrivateFile } from "../files/private.ts";
import { isRecord } from "../json/exact.ts";
import type { Rows } from "../sqlite/rows.ts";
import { insertDraft, newDraftId, type SavedDraft } from "./drafts.ts";
import { storeUse, type Use } from "./used.ts";

/** A file that stays in place, because it cannot be read. */
export interface LeftFile {
  readonly path: string;
  /** The reason, as a sentence without a full stop. */
  readonly why: string;
}

/** Returns true if a folder has files of version 0.2.0. */
export function hasOldFiles(folder: string): boolean {
  return oldFiles(folder).length > 0;
}

type Add = (rows: Rows) => void;

/** A file or folder of version 0.2.0. `text` is the path of the JSON file to read. */
interface Old {
  readonly path: string;
  readonly text: string;
  /** Returns a function that stores the content. Throws if the content is damaged. */
  readonly add: (value: unknown) => Add;
}

/**
 * Stores the content of each old file, and removes the file after the commit. A file can remain
 * after that, if the process was killed or has no right to remove it. Its hash prevents that it is
 * stored again, because drafts that were sent or discarded meanwhile must not return. Returns the
 * unreadable files.
 */
export function takeOver(
  folder: string,
  commit: (work: Add) => void,
  isStored: boolean,
): readonly LeftFile[] {
  const left: LeftFile[] = [];
  const found: { readonly path: string; readonly sha256: string; readonly add: Add }[] = [];
  for (const { path, text: file, add } of oldFiles(folder)) {
    try {
      const text = readPrivateFile(file);
      if (text === null) throw new Error("its description is missing");
      const sha256 = createHash("sha256").update(`${path}\0${text}`).digest("hex");
      found.push({ path, sha256, add: add(parsed(text)) });
    } catch (error) {
      left.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  if (found.length > 0) {
    try {
      commit((rows) => {
        for (const { sha256, add } of found)
          if (rows.run("INSERT OR IGNORE INTO taken_over VALUES (?)", sha256) > 0) add(rows);
      });
    } catch {
      // The files are read again at the next start.
      return left;
    }
  }
  if (isStored) {
    for (const { path } of found) remove(path);
    removeUnfinished(join(folder, "cohorts"));
  }
  return left;
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
    // The folder is missing, or has files that could not be taken over.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A file that remains is not taken over again.
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

/** Returns the old files and folders that exist. */
function oldFiles(folder: string): readonly Old[] {
  const [drafts, cohorts] = [join(folder, "drafts"), join(folder, "cohorts")];
  const one = (path: string, add: Old["add"]) => ({ path, text: path, add });
  return [
    ...namesIn(drafts)
      .filter((name) => name.endsWith(".json"))
      .map((name) => one(join(drafts, name), (value) => draftIn(value, name.slice(0, -5)))),
    one(join(folder, "history.json"), usesIn),
    one(join(folder, "watch.json"), watchedIn),
    // A name that begins with a dot belongs to an unfinished cohort of a killed process.
    ...namesIn(cohorts)
      .filter((name) => !name.startsWith("."))
      .map((name) => join(cohorts, name))
      .map((path) => ({
        path,
        text: join(path, "cohort.json"),
        add: (value: unknown) => cohortIn(value, path),
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

function draftIn(value: unknown, id: string): Add {
  const draft = z.safeParse(Draft, value).data;
  if (draft?.id !== id) throw new Error("it is no draft");
  return (rows) => {
    const isTaken = rows.get("SELECT 1 FROM draft WHERE id = ?", id) !== undefined;
    // A time that does not fit into the column was written by hand.
    const updatedAt = Number.isSafeInteger(draft.updatedAt) ? draft.updatedAt : 0;
    insertDraft(rows, {
      ...(draft as unknown as SavedDraft),
      updatedAt,
      id: isTaken ? newDraftId() : id,
    });
  };
}

function usesIn(history: unknown): Add {
  if (!isRecord(history)) throw new Error("it is no history");
  const { places, filters, files, actions, tour } = history;
  const of = (list: Use["list"], lists: unknown) =>
    valuesIn(lists, z.string()).map(([owner, value]): Use => ({ list, owner, value }));
  const uses = [
    ...of("place", places),
    ...of("filter", filters),
    ...of("file", { "": files }),
    ...of("action", { "": actions }),
    ...(Number.isSafeInteger(tour) ? of("tour", { "": [String(tour)] }) : []),
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

function watchedIn(value: unknown): Add {
  if (!isRecord(value)) throw new Error("it is no watch list");
  const lists = valuesIn(value.lists, Watched);
  return (rows) => {
    for (const [key, { addedAt, timeline, ...subject }] of lists) {
      const [profile, service] = z.parse(z.tuple([z.string(), z.string()]), parsed(key));
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

/** Maximum bytes of a list in a row. */
const largestSource = 900_000_000;

/**
 * Returns a function that stores a cohort with its list unchanged. Its SHA-256 is verified at each
 * use.
 */
function cohortIn(value: unknown, path: string): Add {
  const cohort = z.safeParse(Cohort, value).data;
  const source = readPrivateBytes(join(path, "source"), largestSource);
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
 * Returns the values of a record of lists, each with its key. Invalid values were written by hand,
 * and are left out.
 */
function valuesIn<T extends z.ZodMiniType>(
  lists: unknown,
  value: T,
): readonly [string, z.output<T>][] {
  return Object.entries(isRecord(lists) ? lists : {}).flatMap(([key, list]) =>
    (Array.isArray(list) ? list : [])
      .map((one) => z.safeParse(value, one))
      .flatMap((one): [string, z.output<T>][] => (one.success ? [[key, one.data]] : [])),
  );
}
