import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memoryFiles } from "../../src/sqlite/open-file.ts";
import { openDrafts, type SavedDraft } from "../../src/state/drafts.ts";
import { openState } from "../../src/state/open-state.ts";
import { type State, stateKind, stateOf } from "../../src/state/state.ts";
import { openWatched, type WatchRecord } from "../../src/watch/record.ts";
import type { StoredWatch } from "../../src/watch/timeline.ts";

/** The state file of a folder, closed when the test ends. */
export async function stateIn(folder: string): Promise<State> {
  const state = await openState(folder);
  onTestFinished(() => state.close());
  return state;
}

/** The drafts of a profile in a state folder, the latest first, read at once. */
export function storedDrafts(folder: string, profile: string): readonly SavedDraft[] {
  const path = join(folder, stateKind.file);
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path);
  try {
    const state = stateOf(folder, { database, path, mode: "wal", check: () => {} });
    return openDrafts(state, () => 0).ofProfile(profile);
  } finally {
    database.close();
  }
}

const openMemory = await memoryFiles(stateKind);

/** A state that nothing but the test sees. */
export function memoryState(): State {
  return stateOf("/nonexistent/state", openMemory());
}

/** A watch list that nothing but the test sees. */
export function memoryWatched(list: readonly StoredWatch[] = []): WatchRecord {
  const record = openWatched(memoryState(), { profile: "p", service: "s" });
  record.change({ removed: [], added: list, seen: [] });
  return record;
}

/** Adds subjects to a watch list in the state file of a folder. */
export async function storeWatched(
  folder: string,
  owner: Parameters<typeof openWatched>[1],
  added: readonly StoredWatch[],
): Promise<WatchRecord> {
  const record = openWatched(await stateIn(folder), owner);
  record.change({ removed: [], added, seen: [] });
  return record;
}

/** Puts another list in the place of a stored one, as a damaged disk might. */
export async function alterCohort(folder: string, name: string, list: string): Promise<void> {
  const state = await stateIn(folder);
  const source = Buffer.from(list);
  state.commit((rows) => rows.update("cohort", { source }, "name = ?", name));
}
