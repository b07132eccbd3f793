/** Defines the rows, the columns and the options of profiles, for the `profiles` commands. */

import type { Command } from "commander";
import { isLoopback } from "../../api/url.ts";
import { type ListedProfile, profileFields } from "../../settings/profile-fields.ts";
import {
  type Profile,
  type ProfileKey,
  plainWords,
  profileFrom,
  profileKeys,
  profileSettings,
} from "../../settings/schemas.ts";
import { capital } from "../../text/connection-words.ts";
import { recordOf } from "../../text/fields.ts";
import type { Invocation } from "../invocation.ts";
import { repeated } from "../option-values.ts";
import { type Column, column } from "../rows/columns.ts";

export const profileColumns: readonly Column<ListedProfile>[] = Object.values(profileFields);

const moreKeys = profileKeys.filter(
  (key) => !["name", "environment", "baseUrl", "readOnly"].includes(key),
);

export const fullProfileColumns: readonly Column<FullProfile>[] = [
  ...Object.values(profileFields).map(({ name, title, type, meaning }) =>
    column([name, title], type, meaning),
  ),
  ...moreKeys.map((key) => {
    const { name, meaning } = profileSettings[key];
    const type = key === "suppliers" ? "array of texts" : "text or null";
    return column([jsonName(key), capital(name)], type, meaning);
  }),
];

type FullProfile = Readonly<Record<string, unknown>>;

function jsonName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function fullProfileEntry(profile: Profile, inUse: string | null): FullProfile {
  const values = {
    ...profile,
    compression: profile.compression ?? "auto",
    proxy: withoutUser(profile.proxy),
  };
  const more = moreKeys.map((key) => [jsonName(key), values[key] ?? null]);
  const listed = { profile, inUse: profile.name === inUse };
  return { ...recordOf(Object.values(profileFields), listed), ...Object.fromEntries(more) };
}

export function withDefaults(entry: FullProfile, profile: Profile): FullProfile {
  const { baseUrl } = profile;
  if (baseUrl === null) return entry;
  const address = baseUrl.replace(/\/+$/, "");
  const defaults = moreKeys.flatMap((key) => {
    const { byDefault = "none" } = profileSettings[key];
    if ((entry[jsonName(key)] ?? null) !== null || byDefault === "none") return [];
    return [
      [jsonName(key), `${plainWords(byDefault).replace("{baseUrl}", address)} (the default)`],
    ];
  });
  const proxy = hasUnusedProxy(profile) ? { proxy: `${entry.proxy} (not used on loopback)` } : {};
  return { ...entry, ...Object.fromEntries(defaults), ...proxy };
}

/** Removes the login from a proxy's address, which can contain a password. */
export function withoutUser(proxy: string | undefined): string | null {
  if (proxy === undefined) return null;
  const url = URL.parse(proxy);
  if (url === null) return null;
  url.username = "";
  url.password = "";
  return url.href;
}

function hasUnusedProxy({ baseUrl, proxy }: Profile): boolean {
  return proxy !== undefined && baseUrl !== null && isLoopback(new URL(baseUrl));
}

export function noticeUnusedProxy(invocation: Invocation, profile: Profile): void {
  if (hasUnusedProxy(profile))
    invocation.notice(
      "The proxy is not used: the base URL is on this machine, which is always reached directly.",
    );
}

export function addProfileOptions(command: Command): Command {
  command.option(
    "--supplier <code>",
    "a supplier code to list; can be given several times",
    repeated,
  );
  for (const key of profileKeys) {
    const { option, type, meaning, choices, byDefault = defaults[key] } = profileSettings[key];
    if (option === undefined) continue;
    const words = `${choices ? `${type}: ` : ""}${meaning}`.replace(/\.$/, "");
    const hasDefault = byDefault !== "none" && byDefault !== "required";
    command.option(option, plainWords(hasDefault ? `${words} (default: ${byDefault})` : words));
  }
  return command;
}

const defaults: Readonly<Partial<Record<ProfileKey, unknown>>> = profileFrom({
  name: "default",
  baseUrl: null,
  environment: "sandbox",
});

export type ProfileOptions = {
  readonly [K in Exclude<ProfileKey, "name" | "readOnly" | "suppliers">]?: string;
} & { readonly supplier?: readonly string[] };
