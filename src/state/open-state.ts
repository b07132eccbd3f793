/** Opens the state file, while other processes may be opening it too. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { fileErrorOf } from "../sqlite/file-error.ts";
import { memoryFiles, openFile, retryWhileBusy } from "../sqlite/open-file.ts";
import { openFileToRead } from "../sqlite/open-to-read.ts";
import { rowsOf } from "../sqlite/rows.ts";
import { refusal, type State, stateKind, stateOf, stateTables } from "./state.ts";
import { hasOldFiles, type LeftFile, takeOver } from "./take-over.ts";

/** The state, and the files of version 0.2.0 that cannot be read and stay where they are. */
export interface OpenState extends State {
  readonly left: readonly LeftFile[];
}

interface OpenStateOptions {
  /** False to read a large file through as well, which keys must not wait for. Default: true. */
  readonly isQuick?: boolean;
}

/** Another process holds the file for the time of a commit; a key waits no longer than this. */
const busyMs = 1_000;

/**
 * Opens the state file of a folder, or makes both. If it cannot be used, its rows, where they can be
 * read, are in memory, and `problem` says why. Files of version 0.2.0 are taken over.
 */
export async function openState(
  folder: string,
  { isQuick = true }: OpenStateOptions = {},
): Promise<OpenState> {
  try {
    const file = await openFile(folder, stateKind, { isQuick });
    // A file that is up to date is opened without a write, also on a disk that is read-only. SQLite
    // begins a transaction there, too, and refuses the first statement that could change a row.
    await retryWhileBusy()(() => file.database.exec("DELETE FROM whole_check WHERE false"));
    file.database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return withOldFiles(stateOf(folder, file));
  } catch (error) {
    const why = fileErrorOf(error, join(folder, stateKind.file), stateKind);
    if (why === null) throw error;
    const file = (await memoryFiles(stateKind))();
    const isRead = await copyReadable(folder, file.database).then(
      () => true,
      () => false,
    );
    const problem = refusal("unwritable", why);
    const unread = isRead ? null : refusal(why.kind === "exposed" ? "exposed" : "corrupt", why);
    return withOldFiles(stateOf(folder, file, { problem, unread }));
  }
}

function withOldFiles(state: State): OpenState {
  const { folder, commit, problem } = state;
  return { ...state, left: takeOver(folder, commit, problem === null) };
}

/** Opens the state for one piece of work. Null if nothing was ever stored; no file is made then. */
export async function withState<T>(
  folder: string,
  work: (state: OpenState) => T,
  options?: OpenStateOptions,
): Promise<T | null> {
  if (!existsSync(join(folder, stateKind.file)) && !hasOldFiles(folder)) return null;
  const state = await openState(folder, options);
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
