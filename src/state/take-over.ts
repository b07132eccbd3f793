/** The files of version 0.2.0, which stored the state in JSON: taken over once. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { readPrivateFile } from "../files/private.ts";
import { isRecord } from "../json/exact.ts";
import type { Rows } from "../sqlite/rows.ts";
import { insertDraft, newDraftId, type SavedDraft } from "./drafts.ts";
import { storeUse, type Use } from "./used.ts";

/** A file that stays where it is, because it cannot be read. */
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

/**
 * Stores the content of each old file, and removes the file after the commit. A file that is
 * still there after that, because the process was killed or may not remove it, is known by its hash and
 * not stored again: what was sent or discarded meanwhile must not return. Returns the unreadable files.
 */
export function takeOver(
  folder: string,
  commit: (work: Add) => void,
  isStored: boolean,
): readonly LeftFile[] {
  const left: LeftFile[] = [];
  const found: { readonly path: string; readonly sha256: string; readonly add: Add }[] = [];
  for (const [path, read] of oldFiles(folder)) {
    try {
      const text = readPrivateFile(path);
      if (text === null) continue;
      const sha256 = createHash("sha256").update(`${path}\0${text}`).digest("hex");
      found.push({ path, sha256, add: read(parsed(text)) });
    } catch (error) {
      left.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  if (found.length === 0) return left;
  try {
    commit((rows) => {
      for (const { sha256, add } of found)
        if (rows.run("INSERT OR IGNORE INTO taken_over VALUES (?)", sha256) > 0) add(rows);
    });
  } catch {
    // They are read again at the next start.
    return left;
  }
  if (isStored) for (const { path } of found) rmSync(path, { force: true });
  return left;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

/** The old files that exist, each with a function that checks what it contains. Throws where it is damaged. */
function oldFiles(folder: string): readonly (readonly [string, (value: unknown) => Add])[] {
  const drafts = join(folder, "drafts");
  const names = namesIn(drafts).filter((name) => name.endsWith(".json"));
  return [
    ...names.map(
      (name) =>
        [join(drafts, name), (value: unknown) => draftIn(value, name.slice(0, -5))] as const,
    ),
    [join(folder, "history.json"), usesIn] as const,
    [join(folder, "watch.json"), watchedIn] as const,
  ].filter(([path]) => existsSync(path));
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
  ...{ id: z.string(), kind: z.string(), profile: z.string(), supplier: z.string() },
  account: z.nullable(z.string()),
  query: z.record(z.string(), z.boolean()),
  updatedAt: z.number(),
  ...{ fromEntry: z.optional(z.int()), sentAs: z.optional(z.int()) },
  allowMissing: z.optional(z.literal(true)),
  ...{ edited: z.optional(z.string()), editedField: z.optional(path) },
  refusals: z.array(z.looseObject({ message: z.string(), path })),
});

function draftIn(value: unknown, id: string): Add {
  const draft = z.safeParse(Draft, value).data;
  if (draft?.id !== id) throw new Error("it is no draft");
  return (rows) => {
    const isTaken = rows.get("SELECT 1 FROM draft WHERE id = ?", id) !== undefined;
    // A time that no column can hold was written by hand.
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
  ...{ supplier: text, number: text, addedAt: z.number() },
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

/** The values of a record of lists, each with its key; what is not valid was written by hand, and is left out. */
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
