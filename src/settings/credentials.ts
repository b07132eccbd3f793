/**
 * Stores the key and token of each profile, and selects its credentials: helper, saved key, cached
 * token or environment.
 */

import * as z from "zod/mini";
import { expiryOf } from "../api/jwt.ts";
import type { CredentialSource } from "../api/service.ts";
import { type HelperAnswer, runHelper } from "./credential-helper.ts";
import { corrupt, type JsonFile, type JsonFileContent } from "./json-file.ts";
import type { Profile } from "./schemas.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The sources of a profile's credentials and the places where they are stored, without the
 * credentials.
 */
export interface CredentialFacts {
  /** The source that is used: the first one that exists, or `none`. */
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
   * Epoch milliseconds at which the cached token expires, or null if the token does not contain
   * that.
   */
  readonly tokenExpiresAt: number | null;
  readonly form: "token" | "bare" | null;
}

/** A token that expires within this many milliseconds is not sent. */
const marginMs = 5_000;

/** Returns true if there is a token that does not expire soon. */
export function lasts(token: string | null | undefined, now: number): token is string {
  if (!token) return false;
  const expiresAt = expiryOf(token);
  return expiresAt === null || expiresAt - marginMs > now;
}

/** Returns the kind of source for secrets of the environment. */
export function sourceIn({ apiKey, token }: Secrets): CredentialFacts["source"] {
  if (token !== null) return "environment-token";
  return apiKey === null ? "none" : "environment-key";
}

/** Returns true if a source is in the environment. */
export function isOfEnvironment(source: CredentialFacts["source"]): boolean {
  return source === "environment-token" || source === "environment-key";
}

/**
 * Returns credentials that last as long as the process: the given key and token, then each new
 * token. A refused token (`keepToken(null)`) is not used again.
 */
export function passingCredentials(
  secrets: Secrets,
  keepForm: CredentialSource["keepForm"] = async () => {},
): CredentialSource {
  let given = secrets.token;
  let obtained: string | null = null;
  return {
    apiKey: async () => secrets.apiKey,
    secrets: () => [secrets.apiKey, given, obtained].filter((one) => one !== null),
    token: async () => {
      if (given !== null) return { token: given, given: true };
      return obtained === null ? null : { token: obtained, given: false };
    },
    keepToken: async (token) => {
      given = null;
      obtained = token;
    },
    keepForm,
  };
}

interface StoredSourceOptions {
  readonly profile: Profile;
  readonly store: CredentialStore;
  readonly env: Record<string, string | undefined> | undefined;
  readonly now: () => number;
}

/**
 * Returns the credentials of a stored profile: a cached token while it is valid, else the helper's
 * token. The helper's key comes before the saved one. The cached token comes first because it was
 * obtained with those keys, and running a helper might ask a person. The helper's token is stored
 * only in memory, until it expires. If a token cannot be written to disk, it stays in memory, so
 * that a full disk costs one token call per process and nothing else.
 *
 * `apiKey` and `token` throw a settings error (`helper`, `exposed`, `corrupt`).
 */
export function storedCredentials(options: StoredSourceOptions): CredentialSource {
  const { profile, store, now } = options;
  const helper = helperOf(options);
  let unsavedToken: string | null = null;
  let offered: string | null = null;
  const refused = new Set<string>();

  const lasting = (token: string | null | undefined): token is string =>
    lasts(token, now()) && !refused.has(token);

  return {
    secrets() {
      const { apiKey, token } = helper?.held() ?? {};
      const at: (string | null | undefined)[] = [apiKey, token, unsavedToken];
      quietly(() => at.push(store.of(profile).apiKey, store.of(profile).token));
      return at.filter((one) => typeof one === "string");
    },
    async apiKey(signal) {
      const handed = await helper?.answer(signal);
      return handed?.apiKey ?? store.of(profile).apiKey ?? null;
    },
    async token(signal) {
      const cached = [unsavedToken, store.of(profile).token].find(lasting);
      if (cached !== undefined) {
        offered = cached;
        return { token: cached, given: false };
      }
      const handed = (await helper?.answer(signal))?.token;
      if (!lasting(handed)) return null;
      offered = handed;
      return { token: handed, given: true };
    },
    async keepToken(token) {
      if (token === null) {
        // Another process might have saved a valid token since, so only a refused token is removed.
        if (offered !== null) refused.add(offered);
        unsavedToken = null;
        helper?.drop();
        quietly(() =>
          store.change(profile, (kept) => {
            const { token: stale, ...rest } = kept;
            return stale !== undefined && refused.has(stale) ? rest : kept;
          }),
        );
        return;
      }
      offered = token;
      const isKept = quietly(() =>
        store.change(profile, (kept) => (kept.token === token ? kept : { ...kept, token })),
      );
      unsavedToken = isKept ? null : token;
    },
    async keepForm(form) {
      quietly(() =>
        store.change(profile, (kept) => (kept.form === form ? kept : { ...kept, form })),
      );
    },
  };
}

function helperOf({ profile, env, now }: StoredSourceOptions) {
  const command = profile.credentialHelper;
  if (command === undefined) return null;
  let held: HelperAnswer | null = null;
  const run = sharedRun((signal) => runHelper(command, { signal, env }));
  return {
    async answer(signal?: AbortSignal): Promise<HelperAnswer> {
      if (held !== null && (held.expiresAt ?? Infinity) - marginMs > now()) return held;
      held = await run(signal);
      return held;
    },
    held: () => held,
    drop() {
      held = null;
    },
  };
}

/**
 * Calls `keep` and returns true if it succeeded. A failure to store a token must not fail the call
 * that obtained it.
 */
function quietly(keep: () => void): boolean {
  try {
    keep();
    return true;
  } catch {
    return false;
  }
}

/**
 * Shares one piece of work between all callers while it is in progress. A caller that aborts stops
 * waiting. The work itself is aborted if no caller waits any more.
 */
function sharedRun<T>(
  work: (signal: AbortSignal) => Promise<T>,
): (signal?: AbortSignal) => Promise<T> {
  let current: { promise: Promise<T>; waiting: number; stop: AbortController } | null = null;
  return async (signal) => {
    signal?.throwIfAborted();
    if (current === null) {
      const stop = new AbortController();
      const started = { promise: work(stop.signal), waiting: 0, stop };
      current = started;
      const clear = () => {
        if (current === started) current = null;
      };
      started.promise.then(clear, clear);
    }
    const mine = current;
    mine.waiting += 1;
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([mine.promise, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      mine.waiting -= 1;
      if (mine.waiting === 0) {
        if (current === mine) current = null;
        mine.stop.abort(signal?.reason);
      }
    }
  };
}

const entrySchema = z.object({
  /** The addresses that the entry was made for. */
  for: z.exactOptional(z.string()),
  apiKey: z.exactOptional(z.string()),
  token: z.exactOptional(z.string()),
  form: z.exactOptional(z.enum(["token", "bare"])),
});

/** The stored credentials of one profile. */
export type StoredCredentials = Readonly<Omit<z.output<typeof entrySchema>, "for">>;

/** The credentials file, one entry per profile. */
interface CredentialStore {
  readonly path: string;
  /**
   * Returns the stored credentials of a profile at its current addresses. Throws `exposed`,
   * `corrupt`.
   */
  of(profile: Profile): StoredCredentials;
  /** Replaces the entry by the result of `patch`. Throws `exposed`, `corrupt` and `unwritable`. */
  change(profile: Profile, patch: (current: StoredCredentials) => StoredCredentials): void;
  /** Removes the entry with everything in it. */
  forget(name: string): void;
}

/**
 * Creates the store. Each entry names the addresses that it was made for. So a key or token is
 * never sent to another service after a profile was changed or its name was reused.
 */
export function credentialStore(file: JsonFile): CredentialStore {
  return {
    path: file.path,
    of: (profile) => entryOf(file.read(), profile, file.path),
    change(profile, patch) {
      file.change((kept) => {
        const current = entryOf(kept, profile, file.path);
        const next = patch(current);
        return next === current
          ? kept
          : { ...kept, [profile.name]: { for: audience(profile), ...next } };
      });
    },
    forget(name) {
      if (!Object.hasOwn(file.read(), name)) return;
      file.change((kept) => Object.fromEntries(Object.entries(kept).filter(([n]) => n !== name)));
    },
  };
}

function audience(profile: Profile): string {
  return [profile.baseUrl, profile.graphqlUrl].filter((url) => url).join(" ");
}

const nothing: StoredCredentials = Object.freeze({});

function entryOf(kept: JsonFileContent, profile: Profile, path: string): StoredCredentials {
  if (!Object.hasOwn(kept, profile.name)) return nothing;
  const found = z.safeParse(entrySchema, kept[profile.name]);
  if (!found.success) throw corrupt(path, `has an entry for ${profile.name} of another shape`);
  const { for: addresses, ...stored } = found.data;
  return addresses === audience(profile) ? stored : nothing;
}
