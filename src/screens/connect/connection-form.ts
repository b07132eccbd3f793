/** The form values of a connection: their checks, and their conversion to and from a profile. */
import type { CredentialFacts } from "../../settings/credentials.ts";
import type { ProfilePatch } from "../../settings/profile-book.ts";
import { checkTypedSuppliers, typedSupplierCodes } from "../../settings/profile-checks.ts";
import { type Profile, profileFrom, profileSettings } from "../../settings/schemas.ts";
import { checkSecret } from "../../settings/secrets.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { isSameLedger } from "../../writes/refuse-team.ts";

export const mainKeys = ["name", "baseUrl", "environment", "readOnly"] as const;
export const moreKeys = [
  "team",
  "proxy",
  "caFile",
  "graphqlUrl",
  "mutation",
  "tokenPath",
  "brand",
  "authForm",
  "compression",
] as const;

export type SettingKey = (typeof mainKeys)[number] | (typeof moreKeys)[number];
const settingKeys: readonly SettingKey[] = [...mainKeys, ...moreKeys];

/** The typed values of the Connect screen. An empty text means the default. */
export type ConnectionForm = Readonly<Record<SettingKey | "apiKey" | "suppliers", string>> & {
  readonly more: boolean;
};

export type ConnectionProblems = Readonly<
  Record<Exclude<keyof ConnectionForm, "more">, string | null>
>;

export const emptyConnectionForm: ConnectionForm = formOf({});

/** Returns the form values of an existing profile, without its API key. */
export function formOf(profile: Partial<Profile>): ConnectionForm {
  const texts = settingKeys.map((key) => {
    const value = profile[key];
    if (key === "readOnly") return [key, value === true ? "yes" : "no"] as const;
    if (key === "environment") return [key, value ?? ""] as const;
    const byDefault = profileSettings[key].choices?.[0] ?? "";
    return [key, value === undefined || value === defaults[key] ? byDefault : value] as const;
  });
  const values = Object.fromEntries(texts) as Record<SettingKey, string>;
  const more = moreKeys.some((key) => values[key] !== "" && values[key] !== "auto");
  return { ...values, apiKey: "", suppliers: "", more };
}

const defaults: Partial<Profile> = { brand: "service", baseUrl: null };

const keyWords: Readonly<Record<CredentialFacts["source"], string>> = {
  "saved-key": "saved; type a new one to replace it",
  helper: "from the credential helper",
  "environment-key": "from the environment",
  "environment-token": "from the environment",
  "cached-token": "none; only a token is saved",
  none: "none is saved; type or paste it",
};

interface KnownKey {
  readonly words: string;
  readonly hasKey: boolean;
}

/** Returns the key of a profile's credentials. `read` throws a settings error. */
export function knownKey(read: () => Pick<CredentialFacts, "source">): KnownKey {
  try {
    const { source } = read();
    return { words: keyWords[source], hasKey: source !== "none" && source !== "cached-token" };
  } catch {
    return { words: "not known: the saved credentials cannot be read", hasKey: true };
  }
}

/**
 * Checks the form. `taken` has the names of other profiles. `hasKey` is true if the API key can be
 * empty, because the edited profile has one. A team cannot be changed for another here, because it has to
 * have the outcomes of this machine first. Its login can.
 */
export function problemsOf(
  form: ConnectionForm,
  taken: readonly string[],
  hasKey: boolean,
  teamBefore?: string,
): ConnectionProblems {
  const problems = settingKeys.map((key) => {
    const { byDefault, problemOf } = profileSettings[key];
    const isEmptyAllowed = form[key] === "" && byDefault !== "required";
    return [key, isEmptyAllowed ? null : (problemOf?.(form[key]) ?? null)];
  });
  const { name, proxy, team, ...rest } = Object.fromEntries(problems) as ConnectionProblems;
  const apiKey =
    form.apiKey !== ""
      ? checkSecret(form.apiKey)
      : hasKey
        ? null
        : "must not be empty: the platform operator issues it";
  return {
    ...rest,
    name: taken.includes(form.name) ? "is taken by another profile" : name,
    apiKey,
    team:
      team === null && teamBefore !== undefined && !isSameTeam(form.team, teamBefore)
        ? `names another team: \`supplyline profiles edit ${shellQuote(form.name)} --team ${form.team === "" ? "''" : "URL"}\` leaves this one`
        : team,
    suppliers: checkTypedSuppliers(typedSupplierCodes(form.suppliers)),
    proxy: URL.parse(form.proxy)?.password
      ? "must not contain a password: `supplyline profiles edit NAME --proxy-credential-helper CMD` names a program that prints it"
      : proxy,
  };
}

function isSameTeam(typed: string, before: string): boolean {
  return typed !== "" && isSameLedger(typed, before);
}

/**
 * Returns the profile that the form describes. Other settings of an edited profile stay unchanged.
 */
export function profileOf(form: ConnectionForm, before: Profile | null): Profile {
  const typed = [...mainKeys, ...moreKeys].map((key) => [
    key,
    form[key] === "" || form[key] === "auto" ? undefined : form[key],
  ]);
  return profileFrom({
    ...before,
    ...(Object.fromEntries(typed) as Record<SettingKey, string>),
    readOnly: form.readOnly === "yes",
    suppliers: [...(before?.suppliers ?? []), ...typedSupplierCodes(form.suppliers)],
  });
}

export function clearedFields(profile: Profile): ProfilePatch {
  const emptyKeys = moreKeys.filter((key) => profile[key] === undefined);
  return Object.fromEntries(emptyKeys.map((key) => [key, undefined]));
}
