/** The subject of a screen, and the user's custom commands that work on it. */
import type { RowValues } from "../settings/custom/values.ts";

/** The rows of a screen, for the user's custom commands. */
export interface ScreenSubject {
  /** The values of the row under the cursor, or of the only item of the screen. */
  readonly values: RowValues;
  /** The marked rows. `find` returns at most `most` of them. */
  readonly marked?:
    | { readonly count: number; readonly find: (most: number) => readonly RowValues[] }
    | undefined;
}

/** A custom command of the user that works on the current screen. */
export interface CustomKey {
  readonly name: string;
  /** The name of its key, or null if only the palette runs it. */
  readonly key: string | null;
  readonly description: string;
  /** The reason why the command cannot run now, or null if it can. */
  readonly disabled: string | null;
  readonly run: () => void;
}
