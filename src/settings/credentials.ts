/**
 * Stores the key, the token and the Authorization form of each profile, and selects the credentials
 * of a profile: those of its helper, its saved key, its cached token, or the secrets of the
 * environment.
 */
import * as z from "zod/mini";
import { expiryOf } from "../api/jwt.ts";
import type { CredentialSource } from "../api/service.ts";
import { sharedRun } from "../api/shared-run.ts";
import { type HelperCredentials, runHelper } from "./credential-helper.ts";
import { corrupt, type JsonFile, type JsonFileContent } from "./json-file.ts";
import type { Profile } from "./schemas.ts";
import type { Secrets } from "./secrets.ts";

/** The sources and places of a profile's credentials, without the credentials. */
export interface CredentialFacts {
  /** The first existing source, which is used, or `none`. */
  readonly source:
    | "helper"
    | "saved-key"
    | "cached-token"
    | "environment-token"
    | "environment-key"
    | "none";
  /** The file for a saved key or token, or null for a profile that is not stored. */
  readonly storedIn: string | null;
  readonly keySaved: boolean;
  readonly tokenCached: boolean;
  /**
   * The time at which the cached token expires, epoch milliseconds, or null if there is no token or
   * the token does not contain that time.
   */
  readonly tokenExpiresAt: number | null;
  /** The form of the Authorization header that worked last, or null if it is unknown. */
  readonly form: "token" | "bare" | null;
}

/** A token that expires within this time is not sent. */
const expiryMarginMs = 5_000;

export function isUsable(token: string | null | undefined, now: number): token is string {
  if (!token) return false;
  const expiresAt = expiryOf(token);
  return expiresAt === null || expiresAt - expiryMarginMs > now;
}

export function environmentSource({ apiKey, token }: Secrets): CredentialFacts["source"] {
  if (token !== null) return "environment-token";
  return apiKey === null ? "none" : "environment-key";
}

export function isEnvironmentSource(source: CredentialFacts["source"]): boolean {
  return source === "environment-token" || source === "environment-key";
}

/**
 * Returns credentials that are only in memory: the given key and token, later each new token. A
 * token that the service rejected (`storeToken(null)`) is not used again.
 */
export function memoryCredentials(
  secrets: Secrets,
  storeForm: CredentialSource["storeForm"] = async () => {},
): CredentialSource {
  let given = secrets.token;
  let obtained: string | null = null;
  return {
    apiKey: async () => secrets.apiKey,
    secrets: () => [secrets.apiKey, given, obtained].filter((secret) => secret !== null),
    token: async () => {
      if (given !== null) return { token: given, given: true };
      return obtained === null ? null : { token: obtained, given: false };
    },
    storeToken: async (token) => {
      given = null;
      obtained = token;
    },
    storeForm,
  };
}

interface StoredSourceOptions {
  readonly profile: Profile;
  readonly store: CredentialStore;
  readonly env: Record<string, string | undefined> | undefined;
  readonly now: () => number;
}

/**
 * Returns the credentials of a stored profile: the cached token while it is valid, else the
 * helper's token. The key is the helper's, else the saved one. The cached token has priority
 * because it was obtained with that key, and because a helper might ask a person. The helper's
 * token is only in memory, until it expires. A new token that cannot be written to disk stays in
 * memory, so that a full disk only costs one token call per process.
 *
 * `apiKey` and `token` throw a settings error (`helper`, `exposed`, `corrupt`).
 */
export function storedCredentials(options: StoredSourceOptions): CredentialSource {
  const { profile, store, now } = options;
  const helper = helperOf(options);
  let unsavedToken: string | null = null;
  let lastToken: string | null = null;
  const rejected = new Set<string>();

  const isAccepted = (token: string | null | undefined): token is string =>
    isUsable(token, now()) && !rejected.has(token);

  return {
    secrets() {
      const { apiKey, token } = helper?.cached() ?? {};
      const secrets: (string | null | undefined)[] = [apiKey, token, unsavedToken];
      succeeds(() => secrets.push(store.of(profile).apiKey, store.of(profile).token));
      return secrets.filter((secret) => typeof secret === "string");
    },
    async apiKey(signal) {
      const printed = await helper?.credentials(signal);
      return printed?.apiKey ?? store.of(profile).apiKey ?? null;
    },
    async token(signal) {
      const cached = [unsavedToken, store.of(profile).token].find(isAccepted);
      if (cached !== undefined) {
        lastToken = cached;
        return { token: cached, given: false };
      }
      const printed = (await helper?.credentials(signal))?.token;
      if (!isAccepted(printed)) return null;
      lastToken = printed;
      return { token: printed, given: true };
    },
    async storeToken(token) {
      if (token === null) {
        // Another process might have saved a valid token, so only a rejected token is removed.
        if (lastToken !== null) rejected.add(lastToken);
        unsavedToken = null;
        helper?.clear();
        succeeds(() =>
          store.change(profile, (entry) => {
            const { token: stored, ...rest } = entry;
            return stored !== undefined && rejected.has(stored) ? rest : entry;
          }),
        );
        return;
      }
      lastToken = token;
      const isSaved = succeeds(() =>
        store.change(profile, (entry) => (entry.token === token ? entry : { ...entry, token })),
      );
      unsavedToken = isSaved ? null : token;
    },
    async storeForm(form) {
      succeeds(() =>
        store.change(profile, (entry) => (entry.form === form ? entry : { ...entry, form })),
      );
    },
  };
}

function helperOf({ profile, env, now }: StoredSourceOptions) {
  const command = profile.credentialHelper;
  if (command === undefined) return null;
  let cached: HelperCredentials | null = null;
  const run = sharedRun((signal) => runHelper(command, { signal, env }));
  return {
    async credentials(signal?: AbortSignal): Promise<HelperCredentials> {
      if (cached !== null && (cached.expiresAt ?? Infinity) - expiryMarginMs > now()) return cached;
      cached = await run(signal);
      return cached;
    },
    cached: () => cached,
    clear() {
      cached = null;
    },
  };
}

/**
 * Calls `action` and returns true if it did not throw. A failure to store a token must not fail the
 * call that obtained the token.
 */
function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

const entrySchema = z.object({
  /** The addresses to which the key and the token can be sent. */
  for: z.exactOptional(z.string()),
  apiKey: z.exactOptional(z.string()),
  token: z.exactOptional(z.string()),
  form: z.exactOptional(z.enum(["token", "bare"])),
});

export type StoredCredentials = Readonly<Omit<z.output<typeof entrySchema>, "for">>;

interface CredentialStore {
  readonly path: string;
  /** Returns a profile's stored credentials at its addresses. Throws `exposed`, `corrupt`. */
  of(profile: Profile): StoredCredentials;
  /** Replaces the entry by the result of `patch`. Throws `exposed`, `corrupt` and `unwritable`. */
  change(profile: Profile, patch: (current: StoredCredentials) => StoredCredentials): void;
  forget(name: string): void;
}

/**
 * Creates the store. Each entry names its addresses, so that a key or token is never sent to
 * another service after a profile was changed or its name was used again.
 */
export function credentialStore(file: JsonFile): CredentialStore {
  return {
    path: file.path,
    of: (profile) => entryOf(file.read(), profile, file.path),
    change(profile, patch) {
      file.change((content) => {
        const current = entryOf(content, profile, file.path);
        const next = patch(current);
        return next === current
          ? content
          : { ...content, [profile.name]: { for: addressesOf(profile), ...next } };
      });
    },
    forget(name) {
      if (!Object.hasOwn(file.read(), name)) return;
      file.change((content) =>
        Object.fromEntries(Object.entries(content).filter(([key]) => key !== name)),
      );
    },
  };
}

function addressesOf(profile: Profile): string {
  return [profile.baseUrl, profile.graphqlUrl].filter((url) => url).join(" ");
}

const noCredentials: StoredCredentials = Object.freeze({});

/** Returns the credentials of a profile, or none if they are for other addresses. */
function entryOf(content: JsonFileContent, profile: Profile, path: string): StoredCredentials {
  if (!Object.hasOwn(content, profile.name)) return noCredentials;
  const parsed = z.safeParse(entrySchema, content[profile.name]);
  if (!parsed.success) throw corrupt(path, `has an invalid entry for ${profile.name}`);
  const { for: addresses, ...stored } = parsed.data;
  return addresses === addressesOf(profile) ? stored : noCredentials;
}
