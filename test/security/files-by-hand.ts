/** The files of a user, written by an attacker; the values that a check lets through. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Rows } from "../../src/sqlite/rows.ts";
import { openState } from "../../src/state/open-state.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { pathAttacks } from "./attacks.ts";

/** Payloads that a supplier's code may hold: fillers, selectors, marks, wide characters. */
const codeAttacks: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pathAttacks).filter(([, text]) => !/[\p{C}\s]/u.test(text)),
);

/** Each payload in a supplier's code, between a word that names it and one that has to stay visible. */
export const hostileCodes: readonly string[] = Object.entries(codeAttacks).map(
  ([what, payload]) => `${what.slice(0, 2)}${payload}~code`,
);

export interface ByHand {
  readonly folders: Folders;
  config(name: string, content: unknown): void;
  /** Writes rows into the state file. */
  state(write: (rows: Rows) => void): Promise<void>;
}

/** Folders in which files are written as they are given; text goes out unchanged, all else as JSON. */
export async function byHand(): Promise<ByHand> {
  const folders = await openFolders();
  for (const folder of [folders.config, folders.state]) mkdirSync(folder, { mode: 0o700 });
  return {
    folders,
    config: (name, content) =>
      writeFileSync(
        join(folders.config, name),
        typeof content === "string" ? content : JSON.stringify(content),
        { mode: 0o600 },
      ),
    state: async (write) => {
      const state = await openState(folders.state);
      state.commit(write);
      state.close();
    },
  };
}
