/** A client made wrong on purpose: what is put in the place of what, and which promise that breaks. */
import type { Scenario } from "../scenarios/all.ts";

/** `from` must stand in the file once, or the sabotage is out of date and says so. */
export interface Patch {
  /** Below src/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Sabotage {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** Cells that must show it, as faults and endpoints; or scenarios. */
  readonly shownBy:
    | { readonly faults: readonly string[]; readonly endpoints: readonly string[] }
    | { readonly scenarios: readonly Scenario[] };
  /** At least one of these must be broken. */
  readonly breaks: readonly string[];
}
