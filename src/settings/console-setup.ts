/** The type of the settings that the command line passes to the console. */
import type { ResolvedProfile } from "./resolve.ts";
import type { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";

export type Opening =
  | { readonly kind: "home" }
  | { readonly kind: "supplier"; readonly supplier: string }
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
  | { readonly kind: "bulk-file"; readonly path: string };

export interface ConsoleSetup {
  readonly opening: Opening;
  readonly settings: Settings;
  readonly stateDir: string;
  /** The profile to start with, or null to show the first-run screen. */
  readonly profile: ResolvedProfile | null;
  readonly secrets: Secrets;
  readonly readOnly: boolean;
  readonly ascii: boolean;
  readonly color: boolean;
  /** True if output only appends lines, for a screen reader or a terminal that moves no cursor. */
  readonly linear: boolean;
  /** True if the terminal receives no control sequence except the bell. */
  readonly plain: boolean;
  readonly firstNotice: string | null;
}
