import { AppError } from "../errors/app-error.ts";

/** The user's preferences, for every profile. */
export interface Preferences {
  /** Milliseconds between two checks of a watched subject: 1 s to 1 h. */
  readonly pollIntervalMs: number;
  /** Columns of the account lists, left to right, by id, or null for the built-in ones. */
  readonly accountColumns: readonly string[] | null;
  /** True if the terminal rings its bell and receives a notice when a watched subject has ended. */
  readonly watchBell: boolean;
  /** True if ages and countdowns on the screen change less often. */
  readonly reducedMotion: boolean;
  /** True if complete lists are recorded as observations, by commands, too. */
  readonly recordObservations: boolean;
}

export const defaultPreferences: Preferences = Object.freeze({
  pollIntervalMs: 5_000,
  accountColumns: null,
  watchBell: true,
  reducedMotion: false,
  recordObservations: true,
});

function trueOrFalse(value: unknown): string | null {
  return typeof value === "boolean" ? null : "must be true or false";
}

const problems: { readonly [K in keyof Preferences]: (value: unknown) => string | null } = {
  pollIntervalMs: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= 1_000 && value <= 3_600_000
      ? null
      : "must be a whole number of milliseconds from 1000 to 3600000",
  accountColumns: (value) =>
    value === null ||
    (Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "string"))
      ? null
      : "must be a list of column names",
  watchBell: trueOrFalse,
  reducedMotion: trueOrFalse,
  recordObservations: trueOrFalse,
};

/**
 * Reads the preferences from the content of a file. Absent ones have their default. Throws
 * `invalid` with the name of a value that cannot be used. Unknown keys are left out (the file keeps
 * them).
 */
export function readPreferences(stored: Readonly<Record<string, unknown>>): Preferences {
  return { ...defaultPreferences, ...checkPreferences(stored) };
}

/** The known preferences of `values`, each checked. */
export function checkPreferences(values: Readonly<Record<string, unknown>>): Partial<Preferences> {
  const known: Record<string, unknown> = {};
  for (const [name, problemOf] of Object.entries(problems)) {
    if (!Object.hasOwn(values, name) || values[name] === undefined) continue;
    const problem = problemOf(values[name]);
    if (problem) throw new AppError("settings", "invalid", `preference ${name} ${problem}`);
    known[name] = values[name];
  }
  return known;
}
