/** Stores the key and token of each profile in the credentials file. */
import * as z from "zod/mini";
import { corrupt, type JsonFile, type JsonFileContent } from "./json-file.ts";
import type { Profile } from "./schemas.ts";

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
export interface CredentialStore {
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
