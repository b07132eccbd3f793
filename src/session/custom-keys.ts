import type { RowValues } from "../settings/custom/values.ts";

/** The rows of a screen, for commands of the user's. */
export interface ScreenSubject {
  /** The row under the cursor, or the one item of the screen. */
  readonly values: RowValues;
  /** The rows that are marked; `find` returns at most this many. */
  readonly marked?:
    | { readonly count: number; readonly find: (most: number) => readonly RowValues[] }
    | undefined;
}

/** A command of the user's that works on this screen. */
export interface CustomKey {
  readonly name: string;
  /** The name of its key, or null if it is in the palette only. */
  readonly key: string | null;
  readonly description: string;
  /** The reason why it cannot run now, or null if it can. */
  readonly disabled: string | null;
  readonly run: () => void;
}
