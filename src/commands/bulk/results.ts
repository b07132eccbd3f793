import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { join, parse } from "node:path";
import { rowPages } from "../../bulk/rows.ts";
import { rowFields } from "../../bulk/run-fields.ts";
import type { RunRecord, RunRow } from "../../bulk/run-record.ts";
import { listRuns, moveResults, type RunReading } from "../../bulk/runs.ts";
import { codeOf, diskWords } from "../../text/disk-words.ts";
import type { Journal } from "../../writes/journal/open-journal.ts";
import { usageError } from "../command-error.ts";
import type { Column } from "../rows/columns.ts";
import { writePages } from "../rows/print.ts";
import { rowWriter } from "../rows/row-writer.ts";

export const resultColumns = Object.values(rowFields);

const { line, account, outcome, code, detail, entry } = rowFields;

export const briefColumns: readonly Column<RunRow>[] = [
  line,
  {
    ...account,
    title: "Account or supply point",
    shown: (row) =>
      `${row.importSupplier} ${row.externalAccountNumber ?? row.externalIdentifier ?? ""}`,
  },
  outcome,
  {
    ...code,
    shown: (row) => [row.httpStatus ?? "", row.code ?? row.status ?? ""].join(" ").trim(),
  },
  { ...entry, title: "Journal" },
  detail,
];

const csvWriter = () => rowWriter("csv", resultColumns);
const header = csvWriter().end();

/**
 * Creates the results file of a new run, which only this user can read. Throws `usage` if the file
 * exists or cannot be created.
 */
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

/**
 * Flags that refuse links and do not wait for pipes, because other users might be able to create
 * them next to the input.
 */
const noLinksNoWait = constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type ResultsMark = Readonly<Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs">>;

export async function markResults({ results }: RunRecord): Promise<ResultsMark | null> {
  return results === null ? null : lstat(results, { bigint: true }).catch(() => null);
}

/**
 * Replaces the results file of a run with complete results, in the order of the lines. Resolves
 * with null, or with the reason why a file must not be overwritten. If `before` is given, a file
 * without that mark is not overwritten. Rejects with the signal's reason or the system's error, and
 * then leaves the file unchanged.
 */
export async function writeResults(
  reading: RunReading,
  run: RunRecord,
  signal: AbortSignal,
  before?: ResultsMark | null,
): Promise<string | null> {
  const { results } = run;
  if (results === null) return null;
  const why =
    (await overwriteProblem(reading, run)) ??
    (before === undefined ? null : replacementProblem(before, await markResults(run)));
  if (why !== null) return why;
  const temporary = `${results}.${randomBytes(4).toString("hex")}.new`;
  await writeNew(temporary, reading, run, signal, () => rename(temporary, results));
  return null;
}

/** Returns why a file with another mark is not overwritten, or null. */
function replacementProblem(before: ResultsMark | null, now: ResultsMark | null): string | null {
  if (now === null) return null;
  const parts = ["dev", "ino", "size", "mtimeNs"] as const;
  const isSame = before !== null && parts.every((part) => before[part] === now[part]);
  return isSame ? null : "it was changed or replaced during the run";
}

/**
 * Writes the results to a new file next to the results file of a run, and makes it the results file
 * of the run. Returns its path. Rejects like {@link writeResults}.
 */
export async function writeResultsBeside(
  reading: RunReading & { readonly journal: Journal },
  run: RunRecord & { readonly results: string },
  signal: AbortSignal,
): Promise<string> {
  const { dir, name, ext } = parse(run.results);
  const path = join(dir, `${name}.${run.id}${ext}`);
  await writeNew(path, reading, run, signal, () => moveResults(reading.journal, run.id, path));
  return path;
}

/** Creates a file with the results, then calls `onWritten`. Removes the file if a step fails. */
async function writeNew(
  path: string,
  reading: RunReading,
  { id }: RunRecord,
  signal: AbortSignal,
  onWritten: () => Promise<void>,
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    try {
      const write = (text: string) => file.appendFile(text);
      await writePages(csvWriter(), rowPages(reading.journal, id, { signal }), { write });
    } finally {
      await file.close();
    }
    await onWritten();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Returns the reason why a run must not overwrite its results file, or null if it can. A missing
 * file can be written. A file of a newer run must not be overwritten.
 */
export async function overwriteProblem(
  reading: RunReading,
  run: RunRecord,
): Promise<string | null> {
  const { results } = run;
  if (results === null) return null;
  const newer = listRuns(reading).find(
    (other) => other.results === results && other.id !== run.id && other.createdAt > run.createdAt,
  );
  if (newer !== undefined) return `it contains the results of run ${newer.id}`;
  const stats = await lstat(results).catch(() => null);
  if (stats !== null && !stats.isFile()) return "it is not a file";
  const beginning = await beginningOf(results);
  return beginning === null || beginning === "" || beginning.startsWith(header)
    ? null
    : "it no longer contains the results";
}

/**
 * Removes the results file of an ended run, so that another run of the same input can use its path.
 * `bulk report` can write the removed results again. Resolves with the ID of the ended run, or null
 * if no such file was removed.
 */
export async function removeOldResults(
  reading: RunReading,
  results: string,
): Promise<string | null> {
  const earlier = listRuns(reading).find((run) => run.results === results);
  if (earlier?.state !== "ended" || (await overwriteProblem(reading, earlier)) !== null)
    return null;
  await rm(results, { force: true });
  return earlier.id;
}

/** Returns true if a file has at most the header of a results file, and no row. */
export async function isEmptyResults(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats === null || !stats.isFile() || stats.size > Buffer.byteLength(header)) return false;
  return header.startsWith((await beginningOf(path)) ?? "");
}

async function beginningOf(path: string): Promise<string | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, constants.O_RDONLY | noLinksNoWait);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  } finally {
    await file?.close();
  }
}
