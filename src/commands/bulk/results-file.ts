/** The results of a run as a file: a line for each row. */

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { relative } from "node:path";
import { resultCells, resultColumns } from "../../bulk/result-files.ts";
import { rowPages } from "../../bulk/row-pages.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import { listRuns, type RunReading } from "../../bulk/runs.ts";
import { csvRow } from "../../text/csv.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import { usageError } from "../command-error.ts";

const header = `${csvRow(resultColumns)}\n`;

function lineOf(row: RunRow): string {
  return `${csvRow(resultCells(row))}\n`;
}

/** Makes the file of a new run, for this user alone. Throws `usage`: nothing is ever overwritten. */
export async function createResults(path: string): Promise<void> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, "wx", 0o600);
    await file.appendFile(header);
  } catch (error) {
    if (file !== null) await rm(path, { force: true });
    const why =
      codeOf(error) === "EEXIST"
        ? "it already exists, and nothing is overwritten"
        : `it cannot be made: ${diskWords(codeOf(error))}`;
    throw usageError(
      `the results would go to ${path}: ${why}`,
      "Nothing was sent. Give another file with --results FILE.",
    );
  } finally {
    await file?.close();
  }
}

/** The results stand beside the input, perhaps where others can put links and pipes. */
const noOther = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/**
 * Writes the results of a run, whole and in the order of its lines, and puts them in place of the
 * file. Resolves with why another file is left as it is, or with null. Rejects with the reason of the
 * signal or what the system says; the file is then as it was.
 */
export async function writeResults(
  reading: RunReading,
  run: RunRecord,
  signal: AbortSignal,
): Promise<string | null> {
  const { id, results } = run;
  if (results === null) return null;
  const why = await notOurs(reading, run);
  if (why !== null) return why;
  const made = `${results}.${randomBytes(4).toString("hex")}.new`;
  try {
    const file = await open(made, "wx", 0o600);
    try {
      await file.appendFile(header);
      for await (const rows of rowPages(reading.journal, id, { signal })) {
        await file.appendFile(rows.map(lineOf).join(""));
      }
    } finally {
      await file.close();
    }
    await rename(made, results);
    return null;
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}

/**
 * Why the file that a run's results went to is not to be written again; null when it may be. It can
 * be missing, but it must not be another's.
 */
export async function notOurs(reading: RunReading, run: RunRecord): Promise<string | null> {
  const { results } = run;
  if (results === null) return null;
  const newer = listRuns(reading).find(
    (other) => other.results === results && other.id !== run.id && other.createdAt > run.createdAt,
  );
  if (newer !== undefined) return `it holds those of run ${newer.id}`;
  const there = await lstat(results).catch(() => null);
  if (there !== null && !there.isFile()) return "it is not a file";
  const found = await beginningOf(results);
  return found === null || found === "" || found.startsWith(header)
    ? null
    : "it no longer holds the results";
}

/**
 * Takes away the results of a run that has ended, for those of a second run of the same input: they
 * can be written again from the journal. Resolves with that run's id, or null where nothing of the
 * kind is there; what is anything else stays.
 */
export async function makeWay(reading: RunReading, results: string): Promise<string | null> {
  const earlier = listRuns(reading).find((run) => run.results === results);
  if (earlier?.state !== "ended" || (await notOurs(reading, earlier)) !== null) return null;
  await rm(results, { force: true });
  return earlier.id;
}

/** Whether a file holds the titles of results and no row yet. */
export async function holdsNoRows(path: string): Promise<boolean> {
  const there = await lstat(path).catch(() => null);
  if (there === null || !there.isFile() || there.size > Buffer.byteLength(header)) return false;
  return header.startsWith((await beginningOf(path)) ?? "");
}

/** A path as short as it can be said from here. */
export function shownPath(path: string): string {
  const near = relative("", path);
  return near === "" || near.startsWith("..") ? path : near;
}

/** The first bytes of a file as text; null where there is none. */
async function beginningOf(path: string): Promise<string | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | noOther);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  } finally {
    await file?.close();
  }
}
