/** Opens the settings folder: profiles, preferences and credentials. */

import { errorMessage } from "../api/errors.ts";
import { expiryOf } from "../api/jwt.ts";
import type { CredentialSource } from "../api/service.ts";
import { AppError, isAppError } from "../errors/app-error.ts";
import { checkPrivateFolder } from "../files/private.ts";
import {
  type CredentialFacts,
  credentialStore,
  isOfEnvironment,
  lasts,
  passingCredentials,
  type StoredCredentials,
  sourceIn,
  storedCredentials,
} from "./credentials.ts";
import { corrupt, type JsonFile, jsonFile } from "./json-file.ts";
import { type Profiles, profileBook } from "./profile-book.ts";
import { type Preferences, type Profile, readPreferences } from "./schemas.ts";
import { checkSecret, noSecrets, type Secrets } from "./secrets.ts";

export { sandboxProfile } from "./sandbox-profile.ts";

/**
 * Profiles, preferences and credentials on disk. Each call reads the files again, so that several
 * consoles see each other's changes. Reading throws a settings error `exposed` or `corrupt`.
 * Changing also throws `unwritable`, and then leaves the files unchanged.
 */
export interface Settings extends Profiles {
  /** The file of the profiles. */
  readonly file: string;
  preferences(): Preferences;
  /** Changes preferences. Throws `invalid` with the name of the preference. */
  setPreferences(patch: Partial<Preferences>): void;
  /** Restores the default of a preference. */
  resetPreference(name: keyof Preferences): void;
  /** Returns the preferences in the file, without the absent ones. */
  storedPreferences(): Readonly<Record<string, unknown>>;
  /**
   * Returns the source of a profile's key and token: the credential helper, the saved key, the
   * cached token, else the secrets of the environment if they are for its service. Tokens from the
   * environment's secrets are not written. A profile that is not stored stores nothing on disk.
   */
  credentials(profile: Profile, env: Secrets): CredentialSource;
  credentialFacts(profile: Profile, env: Secrets): CredentialFacts;
  /** Saves an API key on disk, and deletes a token obtained with the previous key. */
  saveApiKey(profile: string, key: string): void;
  saveToken(profile: string, token: string): void;
  /** Erases the key, the token and the Authorization form of a profile from the disk. */
  forget(profile: string): void;
  /** Returns the Authorization form that worked last, or null if it is unknown or not readable. */
  knownForm(profile: string): "token" | "bare" | null;
}

interface SettingsOptions {
  readonly configDir: string;
  /**
   * The environment of credential helpers, without the secrets of supplyline. Default: the
   * environment of the process.
   */
  readonly env?: Record<string, string | undefined>;
  /** Returns the time in epoch milliseconds. Default: the machine's clock. */
  readonly now?: () => number;
}

/**
 * Opens the settings of a folder, which is created at the first change. Throws `exposed` and
 * `corrupt` at once if a file there cannot be trusted or understood.
 */
export function openSettings(options: SettingsOptions): Settings {
  const { configDir, env } = options;
  const now = options.now ?? Date.now;
  checkPrivateFolder(configDir);
  const book = profileBook(configDir);
  const preferencesFile = jsonFile(configDir, "preferences");
  const credentialsFile = jsonFile(configDir, "credentials");
  const store = credentialStore(credentialsFile);

  const settings: Settings = {
    ...book,
    update(name, patch) {
      const profile = book.update(name, patch);
      // A token that was obtained with one helper's key does not belong to the next helper.
      if (Object.hasOwn(patch, "credentialHelper") && store.of(profile).token !== undefined)
        store.change(profile, withoutToken);
      return profile;
    },
    remove(name) {
      book.get(name);
      // The secrets are removed first: a profile without secrets is harmless, but secrets without a
      // profile are not.
      store.forget(name);
      book.remove(name);
    },
    preferences: () => preferencesIn(preferencesFile),
    setPreferences(patch) {
      readPreferences(patch);
      preferencesFile.change((kept) => ({ ...kept, ...patch }));
    },
    resetPreference(name) {
      preferencesFile.change(({ [name]: _, ...kept }) => kept);
    },
    storedPreferences: () => preferencesFile.read(),
    credentials(profile, secrets) {
      if (profile.baseUrl === null) return passingCredentials(noSecrets);
      const { source } = settings.credentialFacts(profile, secrets);
      const given = isOfEnvironment(source) ? secrets : null;
      if (!book.stores(profile)) return passingCredentials(given ?? noSecrets);
      const stored = storedCredentials({ profile, store, env, now });
      return given === null ? stored : passingCredentials(given, stored.keepForm);
    },
    credentialFacts(profile, secrets) {
      const kept = book.stores(profile);
      const entry = kept ? store.of(profile) : {};
      return {
        source: sourceOf(profile, secrets, { ...entry, now: now() }),
        storedIn: book.isHeld(profile.name) ? null : store.path,
        keySaved: entry.apiKey !== undefined,
        tokenCached: entry.token !== undefined,
        tokenExpiresAt: entry.token === undefined ? null : expiryOf(entry.token),
        form: entry.form ?? null,
      };
    },
    saveApiKey(name, apiKey) {
      refuseUnusable("API key", apiKey);
      store.change(book.get(name), (kept) => ({ ...withoutToken(kept), apiKey }));
    },
    saveToken(name, token) {
      refuseUnusable("token", token);
      store.change(book.get(name), (kept) => ({ ...kept, token }));
    },
    forget: store.forget,
    knownForm(name) {
      const profile = book.find(name);
      return profile && book.stores(profile) ? (store.of(profile).form ?? null) : null;
    },
  };
  // Problems of any of the files are reported at the start, not in the middle of the work.
  settings.profiles();
  settings.preferences();
  credentialsFile.read();
  return settings;
}

function preferencesIn(file: JsonFile): Preferences {
  try {
    return readPreferences(file.read());
  } catch (error) {
    if (isAppError(error, "settings", "invalid"))
      throw corrupt(file.path, `has a wrong ${error.message}`);
    throw error;
  }
}

/** Returns the first existing source, in the order of use. */
function sourceOf(
  profile: Profile,
  secrets: Secrets,
  { apiKey, token, now }: StoredCredentials & { readonly now: number },
): CredentialFacts["source"] {
  if (profile.baseUrl === null) return "none";
  if (profile.credentialHelper !== undefined) return "helper";
  if (apiKey !== undefined) return "saved-key";
  if (lasts(token, now)) return "cached-token";
  const given = sourceIn(secrets.areFor(profile) ? secrets : noSecrets);
  return given === "none" && token !== undefined ? "cached-token" : given;
}

function withoutToken({ token: _, ...rest }: StoredCredentials): StoredCredentials {
  return rest;
}

function refuseUnusable(what: string, secret: string): void {
  const problem = checkSecret(secret);
  if (problem) throw new AppError("settings", "invalid", `the ${what} ${problem}`);
}

/** The decision to record loaded lists as observations or not, and a problem that affected it. */
export interface Recording {
  readonly isRecording: boolean;
  /** The reason why nothing is recorded although the user did not turn recording off, or null. */
  readonly problem: string | null;
}

/**
 * Decides if complete lists are recorded as observations. `SUPPLYLINE_OBSERVE` overrides the
 * preference `recordObservations`. The value 0 turns recording off. If the preferences cannot be
 * read, nothing is recorded, because they might turn recording off. `problem` is the reason then.
 */
export function recordingOf(
  env: Readonly<Record<string, string | undefined>>,
  preferences: () => Pick<Preferences, "recordObservations">,
): Recording {
  const { SUPPLYLINE_OBSERVE: override } = env;
  try {
    const isRecording = override ? override !== "0" : preferences().recordObservations;
    return { isRecording, problem: null };
  } catch (error) {
    return { isRecording: false, problem: errorMessage(error) };
  }
}
