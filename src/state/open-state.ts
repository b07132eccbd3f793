/** Opens the state file, even while other processes open it too. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { fileErrorOf } from "../sqlite/file-error.ts";
import { memoryFiles, openFile, retryWhileBusy } from "../sqlite/open-file.ts";
import { openFileToRead } from "../sqlite/open-to-read.ts";
import { rowsOf } from "../sqlite/rows.ts";
import { type State, settingsErrorOf, stateKind, stateOf, stateTables } from "./state.ts";

interface OpenStateOptions {
  /** False to check also a large file completely. Too slow while keys wait. Default: true. */
  readonly isQuick?: boolean;
}

/** Maximum wait of a key for the commit of another process. */
const busyMs = 1_000;

/**
 * Opens the state file of a folder, and creates both if they do not exist. If the file cannot be
 * used, its readable rows are copied to memory, and `problem` is the reason.
 */
export async function openState(
  folder: string,
  { isQuick = true }: OpenStateOptions = {},
): Promise<State> {
  try {
    const file = await openFile(folder, stateKind, { isQuick });
    // Opening an up-to-date file writes nothing, so it also succeeds on a read-only disk. SQLite
    // refuses only a statement that could change a row, so this statement tests for that.
    await retryWhileBusy()(() => file.database.exec("DELETE FROM whole_check WHERE false"));
    file.database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return stateOf(folder, file);
  } catch (error) {
    const reason = fileErrorOf(error, join(folder, stateKind.file), stateKind);
    if (reason === null) throw error;
    const file = (await memoryFiles(stateKind))();
    const isRead = await copyReadable(folder, file.database).then(
      () => true,
      () => false,
    );
    const problem = settingsErrorOf("unwritable", reason);
    const unread = isRead
      ? null
      : settingsErrorOf(reason.kind === "exposed" ? "exposed" : "corrupt", reason);
    return stateOf(folder, file, { problem, unread });
  }
}

export type StatePlace = string | State;

/**
 * Runs work with the state. Opens it for this work if `place` is its folder. Returns null and
 * creates no file if nothing was ever stored.
 */
export async function withState<T>(
  place: StatePlace,
  work: (state: State) => T,
  options?: OpenStateOptions,
): Promise<T | null> {
  if (typeof place !== "string") return work(place);
  if (!existsSync(join(place, stateKind.file))) return null;
  const state = await openState(place, options);
  try {
    return work(state);
  } finally {
    state.close();
  }
}

async function copyReadable(folder: string, into: DatabaseSync): Promise<void> {
  const from = await openFileToRead(folder, stateKind);
  if (from === null) return;
  const target = rowsOf(into);
  try {
    for (const table of stateTables)
      for (const row of rowsOf(from.database).all(`SELECT * FROM ${table}`))
        target.insert(table, row);
  } finally {
    from.database.close();
    from.remove();
  }
}
