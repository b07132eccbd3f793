/** Opens the settings folder: profiles, preferences and credentials. */
import { errorMessage } from "../api/errors.ts";
import { expiryOf } from "../api/jwt.ts";
import type { CredentialSource } from "../api/service.ts";
import { isAppError } from "../errors/app-error.ts";
import { checkPrivateFolder } from "../files/private.ts";
import {
  type CredentialFacts,
  credentialStore,
  environmentSource,
  isEnvironmentSource,
  isUsable,
  memoryCredentials,
  type StoredCredentials,
  storedCredentials,
} from "./credentials.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { corrupt, type JsonFile, jsonFile } from "./json-file.ts";
import { type Profiles, profileBook } from "./profile-book.ts";
import { type Preferences, type Profile, readPreferences } from "./schemas.ts";
import { checkSecret, noSecrets, type Secrets } from "./secrets.ts";

export { sandboxProfile } from "./sandbox-profile.ts";

/**
 * Profiles, preferences and credentials on disk. Each call reads the files again, so that several
 * consoles use each other's changes. Reading throws a settings error `exposed` or `corrupt`.
 * Changing also throws `unwritable`, and then leaves the files unchanged.
 */
export interface Settings extends Profiles {
  readonly folder: string;
  readonly file: string;
  preferences(): Preferences;
  /** Changes preferences. Throws `invalid` with the name of the preference. */
  setPreferences(patch: Partial<Preferences>): void;
  resetPreference(name: keyof Preferences): void;
  storedPreferences(): Readonly<Record<string, unknown>>;
  /**
   * Returns the source of a profile's key and token: the credential helper, the saved key, the
   * cached token, or the secrets of the environment if they are for its service. A token that was
   * obtained with the secrets of the environment is not written to disk, and neither are the tokens
   * of a profile that is not stored.
   */
  credentials(profile: Profile, env: Secrets): CredentialSource;
  /** Returns the sources of a profile's credentials, without the credentials. */
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
  /** The helpers' environment, without supplyline's secrets. Default: the process's. */
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
    folder: configDir,
    update(name, patch) {
      const profile = book.update(name, patch);
      // The cached token was obtained with the key of the earlier helper.
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
      preferencesFile.change((content) => ({ ...content, ...patch }));
    },
    resetPreference(name) {
      preferencesFile.change(({ [name]: _, ...rest }) => rest);
    },
    storedPreferences: () => preferencesFile.read(),
    credentials(profile, secrets) {
      if (profile.baseUrl === null) return memoryCredentials(noSecrets);
      const { source } = settings.credentialFacts(profile, secrets);
      const fromEnvironment = isEnvironmentSource(source) ? secrets : null;
      if (!book.stores(profile)) return memoryCredentials(fromEnvironment ?? noSecrets);
      const stored = storedCredentials({ profile, store, env, now });
      return fromEnvironment === null
        ? stored
        : memoryCredentials(fromEnvironment, stored.storeForm);
    },
    credentialFacts(profile, secrets) {
      const entry = book.stores(profile) ? store.of(profile) : {};
      return {
        source: sourceOf(profile, secrets, { ...entry, now: now() }),
        storedIn: book.isInMemory(profile.name) ? null : store.path,
        keySaved: entry.apiKey !== undefined,
        tokenCached: entry.token !== undefined,
        tokenExpiresAt: entry.token === undefined ? null : expiryOf(entry.token),
        form: entry.form ?? null,
      };
    },
    saveApiKey(name, apiKey) {
      requireSecret("API key", apiKey);
      store.change(book.get(name), (entry) => ({ ...withoutToken(entry), apiKey }));
    },
    saveToken(name, token) {
      requireSecret("token", token);
      store.change(book.get(name), (entry) => ({ ...entry, token }));
    },
    forget: store.forget,
    knownForm(name) {
      const profile = book.find(name);
      return profile && book.stores(profile) ? (store.of(profile).form ?? null) : null;
    },
  };
  // The files are read now, so that a problem is reported at the start.
  settings.profiles();
  settings.preferences();
  credentialsFile.read();
  return settings;
}

/** Reads the preferences of a file. Throws `corrupt`. */
function preferencesIn(file: JsonFile): Preferences {
  try {
    return readPreferences(file.read());
  } catch (error) {
    if (isAppError(error, "settings", "invalid"))
      throw corrupt(file.path, `has a wrong ${error.message}`);
    throw error;
  }
}

function sourceOf(
  profile: Profile,
  secrets: Secrets,
  { apiKey, token, now }: StoredCredentials & { readonly now: number },
): CredentialFacts["source"] {
  if (profile.baseUrl === null) return "none";
  if (profile.credentialHelper !== undefined) return "helper";
  if (apiKey !== undefined) return "saved-key";
  if (isUsable(token, now)) return "cached-token";
  const source = environmentSource(secrets.areFor(profile) ? secrets : noSecrets);
  // An expired token is reported as the source if there is no other one.
  return source === "none" && token !== undefined ? "cached-token" : source;
}

function withoutToken({ token: _, ...rest }: StoredCredentials): StoredCredentials {
  return rest;
}

/** Throws `invalid` for a text that cannot be a key or token. */
function requireSecret(name: string, secret: string): void {
  const problem = checkSecret(secret);
  if (problem) throw invalidSetting(`the ${name} ${problem}`);
}

export interface Recording {
  readonly isRecording: boolean;
  /** The reason why nothing is recorded if the user did not turn recording off, or null. */
  readonly problem: string | null;
}

/**
 * Decides if complete lists are recorded as observations. `SUPPLYLINE_OBSERVE` overrides the
 * preference `recordObservations`. The value 0 turns recording off. If the preferences cannot be
 * read, nothing is recorded, because they might turn recording off. `problem` is then the reason.
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
