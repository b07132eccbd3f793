/** Reads every setting with its value, source and default, as rows of the `config` commands. */

import type { ResolvedProfile } from "../../settings/resolve.ts";
import {
  preferenceSettings,
  profileFrom,
  profileSettings,
  readPreferences,
  type ProfileKey as StoredKey,
  profileKeys as storedKeys,
} from "../../settings/schemas.ts";
import { nearest } from "../../text/suggest.ts";
import { usageError } from "../command-error.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { withoutUser } from "../profiles/profile-entry.ts";
import { type Column, column, shown } from "../rows/columns.ts";

interface ConfigRow {
  readonly key: string;
  /** The value, or null if it is not set and has no default. */
  readonly value: unknown;
  readonly source: "flag" | "environment" | "file" | "default";
  readonly default: unknown;
  readonly type: string;
  /** The profile of the setting, or null for a preference. */
  readonly profile: string | null;
}

export const configColumns: readonly Column<ConfigRow>[] = [
  column("key", "text", "The setting."),
  {
    ...column("value", "any", "The value that applies, or null."),
    shown: ({ value }) => settableForm(value),
  },
  column(["source", "Comes from"], "text", "`flag`, `environment`, `file` or `default`."),
  {
    ...column("default", "any", "The default value, or a description of it."),
    shown: (row) => shown(settableForm(row.default)).replaceAll("`", ""),
  },
  {
    ...column("type", "text", "The accepted values."),
    shown: (row) => row.type.replaceAll("`", ""),
  },
  column("profile", "text or null", "The profile of the setting; null for a preference."),
];

function settableForm(value: unknown): unknown {
  return typeof value === "boolean" ? String(value) : value;
}

export type ProfileKey = Exclude<StoredKey, "name">;
export type PreferenceKey = keyof typeof preferenceSettings;

const profileKeys = storedKeys.filter((key) => key !== "name");
const preferenceKeys = Object.keys(preferenceSettings) as PreferenceKey[];

export const isPreference = (key: string): key is PreferenceKey =>
  preferenceKeys.some((preferenceKey) => preferenceKey === key);

/** Converts typed text to a key. Throws `usage` with the nearest key for an unknown text. */
export function configKey(typed: string): ProfileKey | PreferenceKey {
  const keys = [...profileKeys, ...preferenceKeys];
  const key = keys.find((knownKey) => knownKey === typed);
  if (key !== undefined) return key;
  const suggestion = nearest(typed, keys);
  throw usageError(
    `there is no setting ${JSON.stringify(typed)}`,
    suggestion === null ? "`supplyline config list` lists them." : `Did you mean ${suggestion}?`,
  );
}

export function configRows(invocation: Invocation): readonly ConfigRow[] {
  const resolved = findTarget(invocation);
  const settings = invocation.settings();
  const stored = settings.storedPreferences();
  const values = { ...readPreferences(stored) };
  const defaults = { ...readPreferences({}) };
  const preferences = preferenceKeys.map((key): ConfigRow => {
    const row: ConfigRow = {
      key,
      value: values[key],
      source: Object.hasOwn(stored, key) ? "file" : "default",
      default: defaults[key],
      type: preferenceSettings[key].type,
      profile: null,
    };
    const { SUPPLYLINE_OBSERVE: observe } = invocation.io.env;
    return key === "recordObservations" && observe
      ? { ...row, value: observe !== "0", source: "environment" }
      : row;
  });
  return [...(resolved === null ? [] : profileRows(invocation, resolved)), ...preferences];
}

/** The environment variables that apply to settings without a value, by precedence. */
const fallbacks: Partial<Record<ProfileKey, readonly string[]>> = {
  proxy: ["HTTPS_PROXY", "https_proxy"],
  caFile: ["NODE_EXTRA_CA_CERTS"],
};

function profileRows(
  { io, globals }: Invocation,
  { profile, origin }: ResolvedProfile,
): readonly ConfigRow[] {
  const { env } = io;
  const defaults: Readonly<Record<string, unknown>> = {
    ...profileFrom({ name: "default", baseUrl: profile.baseUrl, environment: profile.environment }),
  };
  return profileKeys.map((key): ConfigRow => {
    const { type, byDefault } = profileSettings[key];
    const ownValue = profile[key] ?? null;
    const row = { key, type, default: byDefault ?? defaults[key] ?? null, profile: profile.name };
    if (key === "readOnly" && globals.readOnly) return { ...row, value: true, source: "flag" };
    const fallback = fallbacks[key]?.map((name) => env[name]).find(Boolean);
    if (ownValue === null && fallback !== undefined)
      return { ...row, value: withoutLogin(key, fallback), source: "environment" };
    const value = withoutLogin(key, ownValue);
    if (origin === "ad-hoc") {
      const isGiven = Boolean(env[profileSettings[key].variable ?? ""]);
      return { ...row, value, source: isGiven ? "environment" : "default" };
    }
    const isSet = ownValue !== null && origin !== "sandbox";
    return { ...row, value, source: isSet ? "file" : "default" };
  });
}

/**
 * Removes the login from the address of a proxy. Environment variables can contain a password, too.
 */
function withoutLogin(key: ProfileKey, value: unknown): unknown {
  return key === "proxy" && typeof value === "string" ? withoutUser(value) : value;
}
