/** The files of version 0.2.0, which stored the state in JSON: taken over once. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
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
  ].filter(([path]) => existsSync(path));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function draftIn(value: unknown, id: string): Add {
  if (!isDraft(value) || value.id !== id) throw new Error("it is no draft");
  return (rows) => {
    const isTaken = rows.get("SELECT 1 FROM draft WHERE id = ?", id) !== undefined;
    // A time that no column can hold was written by hand.
    const updatedAt = Number.isSafeInteger(value.updatedAt) ? value.updatedAt : 0;
    insertDraft(rows, { ...value, updatedAt, id: isTaken ? newDraftId() : id });
  };
}

/** Unreadable parts of a history count as empty. */
function usesIn(history: unknown): Add {
  if (!isRecord(history)) throw new Error("it is no history");
  const { places, filters, files, actions, tour } = history;
  const uses = [
    ...Object.entries(isRecord(places) ? places : {}).flatMap(of("place")),
    ...Object.entries(isRecord(filters) ? filters : {}).flatMap(of("filter")),
    ...of("file")(["", files]),
    ...of("action")(["", actions]),
    ...(Number.isSafeInteger(tour) ? of("tour")(["", [String(tour)]]) : []),
  ];
  return (rows) => {
    for (const use of uses.reverse()) storeUse(rows, use);
  };
}

function of(list: Use["list"]) {
  return ([owner, values]: readonly [string, unknown]): readonly Use[] =>
    (Array.isArray(values) ? values : [])
      .filter((value) => typeof value === "string")
      .map((value) => ({ list, owner, value }));
}

function isDraft(value: unknown): value is SavedDraft {
  return (
    isRecord(value) &&
    ["id", "kind", "profile", "supplier"].every((name) => typeof value[name] === "string") &&
    (value.account === null || typeof value.account === "string") &&
    isRecord(value.query) &&
    Object.values(value.query).every((option) => typeof option === "boolean") &&
    Number.isFinite(value.updatedAt) &&
    (value.fromEntry === undefined || Number.isSafeInteger(value.fromEntry)) &&
    (value.allowMissing === undefined || value.allowMissing === true) &&
    (value.sentAs === undefined || Number.isSafeInteger(value.sentAs)) &&
    (value.edited === undefined || typeof value.edited === "string") &&
    (value.editedField === undefined || isPath(value.editedField)) &&
    Array.isArray(value.refusals) &&
    value.refusals.every(isRefusal)
  );
}

function isRefusal(value: unknown): boolean {
  return isRecord(value) && typeof value.message === "string" && isPath(value.path);
}

function isPath(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((part) => typeof part === "string" || Number.isFinite(part))
  );
}
