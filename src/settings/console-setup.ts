/** The type of the settings that the command line passes to the console. */
import type { ResolvedProfile } from "./resolve.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** The screen on which the console opens. */
export type Opening =
  | { readonly kind: "home" }
  | { readonly kind: "supplier"; readonly supplier: string }
  /** The accounts of a supplier that match a filter. */
  | {
      readonly kind: "accounts";
      readonly supplier: string;
      readonly tab: "all" | "gone";
      readonly filter: string;
    }
  | { readonly kind: "cohort"; readonly supplier: string; readonly cohort: string }
  | { readonly kind: "account"; readonly supplier: string; readonly account: string }
  | { readonly kind: "supply-point"; readonly supplier: string; readonly identifier: string }
  | { readonly kind: "run"; readonly id: string }
  /** A file of rows. Its path is absolute. */
  | { readonly kind: "bulk-file"; readonly path: string };

/** The settings of a console that the command line decides. */
export interface ConsoleSetup {
  readonly opening: Opening;
  readonly settings: Settings;
  /** The folder of the journal and the state file. */
  readonly stateDir: string;
  /**
   * The profile to start with, or null if there is no profile yet. The console then shows the
   * first-run screen.
   */
  readonly profile: ResolvedProfile | null;
  /** The secrets of the environment. */
  readonly secrets: Secrets;
  /** True to refuse every write, regardless of the profile. */
  readonly readOnly: boolean;
  /** True if the screen has only ASCII characters. */
  readonly ascii: boolean;
  readonly color: boolean;
  /**
   * True if output only appends lines, for a screen reader or a terminal that cannot move its
   * cursor.
   */
  readonly linear: boolean;
  /** True if the terminal receives no control sequence except the bell. */
  readonly plain: boolean;
  /** A notice for the first screen, or null for none. */
  readonly firstNotice: string | null;
}
