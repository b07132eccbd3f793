import type { KeyName } from "../../test/helpers/key-bytes.ts";

/** One picture: the keys that lead to it from the one before, and what it must show to be taken. */
export interface Scene {
  /** The file's name without its ending. */
  readonly name: string;
  /** What is to be seen, for the title bar and for who cannot see the picture. */
  readonly title: string;
  /** Pressed one after the other. */
  readonly keys: readonly KeyName[];
  readonly waitFor: string | RegExp;
}

/** The walk through the console on its embedded sandbox. */
export const scenes: readonly Scene[] = [
  {
    name: "overview",
    title: "supplyline: how far a supplier's import has come",
    keys: ["enter"],
    waitFor: /Imported[\s\S]*Pending[\s\S]*Total/i,
  },
  {
    name: "accounts",
    title: "supplyline: every account of a supplier",
    keys: ["enter"],
    waitFor: /All[\s\S]*Pending[\s\S]*Imported[\s\S]*EXT/,
  },
  {
    name: "account",
    title: "supplyline: one account, followed while it is imported",
    keys: ["enter"],
    waitFor: /Status/i,
  },
];
