import { isRecord } from "../json/exact.ts";
import { corrupt, type JsonFile, type JsonFileContent } from "./json-file.ts";
import type { Profile } from "./profile.ts";

/** The stored credentials of one profile. */
export interface StoredCredentials {
  readonly apiKey?: string;
  readonly token?: string;
  readonly form?: "token" | "bare";
}

/** The credentials file, one entry per profile. */
export interface CredentialStore {
  readonly path: string;
  /**
   * Returns the stored credentials of a profile at its present addresses. Throws `exposed`,
   * `corrupt`.
   */
  of(profile: Profile): StoredCredentials;
  /** Replaces the entry by the result of `patch`. Throws `exposed`, `corrupt` and `unwritable`. */
  change(profile: Profile, patch: (current: StoredCredentials) => StoredCredentials): void;
  /** Removes the entry with everything in it. */
  forget(name: string): void;
}

/**
 * Creates the store. Each entry names the addresses that it was made for. A key or token of one
 * service is never sent to another one because a profile was changed or its name was used again.
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
  const entry = Object.hasOwn(kept, profile.name) ? kept[profile.name] : undefined;
  if (entry === undefined) return nothing;
  if (!isRecord(entry)) throw wrong(path, profile.name);
  if (entry.for !== audience(profile)) return nothing;
  const { apiKey, token, form } = entry;
  if (apiKey !== undefined && typeof apiKey !== "string") throw wrong(path, profile.name);
  if (token !== undefined && typeof token !== "string") throw wrong(path, profile.name);
  if (form !== undefined && form !== "token" && form !== "bare") throw wrong(path, profile.name);
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(token === undefined ? {} : { token }),
    ...(form === undefined ? {} : { form }),
  };
}

function wrong(path: string, name: string) {
  return corrupt(path, `has an entry for ${name} of another shape`);
}
