/** Describes a client made wrong on purpose: its changes, and the promises that it must break. */
import type { Scenario } from "../scenarios/all.ts";

/** Source text that is replaced. It must be in the file exactly once, or the sabotage is out of date. */
export interface Patch {
  /** The path below src/. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** An exported function or constant that is replaced for every file that imports it. */
export interface Replacement {
  /** The path below src/. */
  readonly file: string;
  readonly name: string;
  readonly by: (original: unknown) => unknown;
}

/** Replaces an export. The types fail when the export is gone or has another signature. */
export function replaceExport<Module, Name extends keyof Module & string>(
  file: string,
  name: Name,
  by: (original: Module[Name]) => Module[Name],
): Replacement {
  return { file, name, by: (original) => by(original as Module[Name]) };
}

/** The changes of a client. */
export interface SabotagedClient {
  readonly name: string;
  /** Default: none. */
  readonly patches?: readonly Patch[];
  /** Default: none. */
  readonly replacements?: readonly Replacement[];
}

export interface Sabotage extends SabotagedClient {
  /** The cells that show it, as faults and endpoints, or scenarios. */
  readonly shownBy:
    | { readonly faults: readonly string[]; readonly endpoints: readonly string[] }
    | { readonly scenarios: readonly Scenario[] };
  /** At least one of these must be broken. */
  readonly breaks: readonly string[];
}
