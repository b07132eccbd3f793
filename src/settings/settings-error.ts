/**
 * - `corrupt`: a settings file is not JSON, or not of the shape written here; it is left untouched
 * - `exposed`: others can read a settings file or its folder, or it is a link, or not the user's own
 * - `unwritable`: a change could not be kept (disk full, read-only folder, no right to write)
 * - `unknown-profile`: no profile has that name
 * - `invalid`: a value given by the user cannot be used; the message names the field
 * - `helper`: the credential helper failed, or printed something else than what was asked for
 * - `exists`: there is a profile with that name already
 */
export type SettingsErrorKind =
  | "corrupt"
  | "exposed"
  | "unwritable"
  | "unknown-profile"
  | "invalid"
  | "helper"
  | "exists";

/** The one error thrown by `src/settings`. The message is for people and holds no secret. */
export class SettingsError extends Error {
  readonly kind: SettingsErrorKind;
  /** The exact command or action that fixes it, or null where there is no single one. */
  readonly remedy: string | null;

  constructor(kind: SettingsErrorKind, message: string, remedy: string | null = null) {
    super(message);
    this.name = "SettingsError";
    this.kind = kind;
    this.remedy = remedy;
  }
}

/** Narrows an unknown thrown value. */
export function isSettingsError(value: unknown, kind?: SettingsErrorKind): value is SettingsError {
  return value instanceof SettingsError && (kind === undefined || value.kind === kind);
}
