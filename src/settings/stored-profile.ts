import { isRecord } from "../json/value.ts";
import { corrupt, type JsonFileContent } from "./json-file.ts";
import type { Profile } from "./profile.ts";
import { isSettingsError } from "./settings-error.ts";
import { type ProfileInput, profileFrom } from "./validate-profile.ts";

type Shape = { readonly [K in keyof Required<ProfileInput>]: (value: unknown) => boolean };

const text = (value: unknown) => typeof value === "string";

const shape: Shape = {
  name: text,
  baseUrl: (value) => value === null || text(value),
  environment: text,
  readOnly: (value) => typeof value === "boolean",
  graphqlUrl: text,
  mutation: text,
  tokenPath: text,
  authForm: text,
  brand: text,
  compression: text,
  proxy: text,
  proxyCredentialHelper: text,
  proxyCredentialEnv: text,
  caFile: text,
  credentialHelper: text,
  suppliers: (value) => Array.isArray(value) && value.every(text),
};

/** The profiles of a profiles file, in its order. Throws `corrupt`, naming the profile and field. */
export function storedProfiles(kept: JsonFileContent, path: string): readonly Profile[] {
  const names = new Set<string>();
  return rawProfiles(kept, path).map((raw, index) => {
    const profile = storedProfile(raw, `profile ${index + 1}`, path);
    if (names.has(profile.name)) throw corrupt(path, `holds two profiles named ${profile.name}`);
    names.add(profile.name);
    return profile;
  });
}

/** The same profiles as records, with whatever a later version may have added to them. */
export function rawProfiles(
  kept: JsonFileContent,
  path: string,
): readonly Record<string, unknown>[] {
  const list = kept.profiles ?? [];
  if (!Array.isArray(list)) throw corrupt(path, "has profiles that are not a list");
  return list.map((raw: unknown, index) => {
    if (!isRecord(raw)) throw corrupt(path, `has a profile ${index + 1} that is not an object`);
    return raw;
  });
}

function storedProfile(raw: Record<string, unknown>, which: string, path: string): Profile {
  if (!isProfileInput(raw)) {
    const field = badField(raw);
    throw corrupt(path, `has a wrong or missing ${field} in ${which}`);
  }
  try {
    return profileFrom(raw);
  } catch (error) {
    if (isSettingsError(error)) throw corrupt(path, `has a ${which} whose ${error.message}`);
    throw error;
  }
}

function isProfileInput(
  raw: Record<string, unknown>,
): raw is Record<string, unknown> & ProfileInput {
  return badField(raw) === null;
}

function badField(raw: Record<string, unknown>): string | null {
  for (const [field, fits] of Object.entries(shape)) {
    const needed = field === "name" || field === "baseUrl";
    if (raw[field] === undefined ? needed : !fits(raw[field])) return field;
  }
  return null;
}
