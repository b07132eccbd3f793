import type { KeptConnection } from "../../hooks/connection-draft.ts";
import type { Environment, Profile } from "../../settings/profile.ts";
import { checkSecret } from "../../settings/secrets.ts";
import { checkBaseUrl, checkProfileName, profileFrom } from "../../settings/validate-profile.ts";

/** What is typed on the Connect screen. */
export interface ConnectionForm {
  readonly name: string;
  readonly baseUrl: string;
  /** Null until chosen by hand: then it follows from the URL. */
  readonly environment: Environment | null;
  readonly apiKey: string;
  readonly readOnly: boolean;
}

export const emptyConnectionForm: ConnectionForm = {
  name: "",
  baseUrl: "",
  environment: null,
  apiKey: "",
  readOnly: false,
};

/** The form of a profile that is there already; its API key is not shown again. */
export function formOf(profile: Profile): ConnectionForm {
  return {
    name: profile.name,
    baseUrl: profile.baseUrl ?? "",
    environment: profile.environment,
    apiKey: "",
    readOnly: profile.readOnly,
  };
}

/**
 * What may be kept of a form whose terminal has hung up: never the key, and of an address only one
 * that can hold no password.
 */
export function keptOf({ name, baseUrl, environment, readOnly }: ConnectionForm): KeptConnection {
  const isPlain = !/[@?#]/.test(baseUrl);
  return { name, environment, readOnly, ...(isPlain ? { baseUrl } : {}) };
}

/** The form that was kept, on top of what it began with. */
export function formFromKept(kept: KeptConnection, initial: ConnectionForm): ConnectionForm {
  const { name, baseUrl, environment, readOnly } = kept;
  return {
    ...initial,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof baseUrl === "string" ? { baseUrl } : {}),
    ...(environment === "test" || environment === "production" ? { environment } : {}),
    ...(typeof readOnly === "boolean" ? { readOnly } : {}),
  };
}

/** What is wrong with each field, in words; null where nothing is. */
export interface ConnectionProblems {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** Checks the form; `taken` are the names in use by other profiles, `keyKept` that a key is kept. */
export function problemsOf(
  form: ConnectionForm,
  taken: readonly string[],
  keyKept: boolean,
): ConnectionProblems {
  const name = taken.includes(form.name)
    ? "is taken by another profile"
    : checkProfileName(form.name);
  return {
    name,
    baseUrl: checkBaseUrl(form.baseUrl),
    apiKey:
      form.apiKey === "" && !keyKept
        ? "must not be empty: the platform operator issues it"
        : checkKey(form.apiKey),
  };
}

/** The profile the form describes, on top of what an edited one holds besides. */
export function profileOf(form: ConnectionForm, before: Profile | null): Profile {
  const made = profileFrom({
    name: form.name,
    baseUrl: form.baseUrl,
    readOnly: form.readOnly,
    ...(form.environment ? { environment: form.environment } : {}),
  });
  if (!before) return made;
  return {
    ...before,
    name: made.name,
    baseUrl: made.baseUrl,
    environment: made.environment,
    readOnly: made.readOnly,
  };
}

function checkKey(key: string): string | null {
  return key === "" ? null : checkSecret(key);
}
