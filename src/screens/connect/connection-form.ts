/** The form values of a connection: their checks, and their conversion to and from a profile. */
import { isAbsolute } from "node:path";
import type { AuthForm } from "../../api/service.ts";
import type { ProfilePatch } from "../../settings/profile-book.ts";
import {
  checkBaseUrl,
  checkBrand,
  checkProfileName,
  checkProxy,
  checkTokenPath,
  checkTypedSuppliers,
  typedSupplierCodes,
} from "../../settings/profile-checks.ts";
import {
  type Compression,
  type Environment,
  type Profile,
  profileFrom,
} from "../../settings/schemas.ts";
import { checkSecret } from "../../settings/secrets.ts";

/** The typed values of the Connect screen. */
export interface ConnectionForm {
  readonly name: string;
  readonly baseUrl: string;
  /** The chosen environment, or null if it follows from the URL. */
  readonly environment: Environment | null;
  readonly apiKey: string;
  readonly readOnly: boolean;
  /** Supplier codes, separated by blanks or commas. Only a new profile has this field. */
  readonly suppliers: string;
  /** True if the rarely needed settings are shown. */
  readonly more: boolean;
  /** The fields from here on are the rarely needed settings. An empty text means the default. */
  readonly graphqlUrl: string;
  readonly mutation: string;
  readonly tokenPath: string;
  readonly authForm: AuthForm;
  readonly compression: Compression;
  readonly brand: string;
  readonly proxy: string;
  readonly caFile: string;
}

/** The values of the form for a new profile. */
export const emptyConnectionForm: ConnectionForm = {
  name: "",
  baseUrl: "",
  environment: null,
  apiKey: "",
  readOnly: false,
  suppliers: "",
  more: false,
  graphqlUrl: "",
  mutation: "",
  tokenPath: "",
  authForm: "auto",
  compression: "auto",
  brand: "",
  proxy: "",
  caFile: "",
};

/** The optional text settings of a profile that are also fields of the form. */
const optionalTexts = ["graphqlUrl", "mutation", "tokenPath", "proxy", "caFile"] as const;

/** Returns the form values of an existing profile, without its API key. */
export function formOf(profile: Profile): ConnectionForm {
  return {
    name: profile.name,
    baseUrl: profile.baseUrl ?? "",
    environment: profile.environment,
    apiKey: "",
    readOnly: profile.readOnly,
    suppliers: "",
    more:
      optionalTexts.some((field) => profile[field] !== undefined) ||
      profile.authForm !== "auto" ||
      compressionOf(profile) !== "auto" ||
      profile.brand !== "service",
    graphqlUrl: profile.graphqlUrl ?? "",
    mutation: profile.mutation ?? "",
    tokenPath: profile.tokenPath ?? "",
    authForm: profile.authForm,
    compression: compressionOf(profile),
    brand: profile.brand === "service" ? "" : profile.brand,
    proxy: profile.proxy ?? "",
    caFile: profile.caFile ?? "",
  };
}

function compressionOf({ compression = "auto" }: Profile): Compression {
  return compression;
}

/** The problem of each field as a sentence, or null if the field has none. */
export interface ConnectionProblems {
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly suppliers: string | null;
  readonly graphqlUrl: string | null;
  readonly tokenPath: string | null;
  readonly brand: string | null;
  readonly proxy: string | null;
  readonly caFile: string | null;
}

/**
 * Checks the form. `taken` has the names of other profiles. `isKeySaved` is true if the API key can be
 * empty, because an edited profile has one.
 */
export function problemsOf(
  form: ConnectionForm,
  taken: readonly string[],
  isKeySaved: boolean,
): ConnectionProblems {
  const name = taken.includes(form.name)
    ? "is taken by another profile"
    : checkProfileName(form.name);
  return {
    name,
    baseUrl: checkBaseUrl(form.baseUrl),
    apiKey:
      form.apiKey === "" && !isKeySaved
        ? "must not be empty: the platform operator issues it"
        : checkKey(form.apiKey),
    suppliers: checkTypedSuppliers(typedSupplierCodes(form.suppliers)),
    graphqlUrl: checkIfGiven(form.graphqlUrl, checkBaseUrl),
    tokenPath: checkIfGiven(form.tokenPath, checkTokenPath),
    brand: checkIfGiven(form.brand, checkBrand),
    proxy: checkIfGiven(form.proxy, (proxy) =>
      URL.parse(proxy)?.password
        ? "must not contain a password: `supplyline profiles edit NAME --proxy-credential-helper CMD` names a program that prints it"
        : checkProxy(proxy),
    ),
    caFile: checkIfGiven(form.caFile, (path) =>
      isAbsolute(path) ? null : "must be an absolute path",
    ),
  };
}

function checkIfGiven(value: string, check: (value: string) => string | null): string | null {
  return value === "" ? null : check(value);
}

/**
 * Returns the profile that the form describes. Other settings of an edited profile stay unchanged.
 */
export function profileOf(form: ConnectionForm, before: Profile | null): Profile {
  const given = optionalTexts.filter((field) => form[field] !== "");
  const { graphqlUrl, mutation, tokenPath, proxy, caFile, compression, ...rest } = before ?? {};
  return profileFrom({
    ...rest,
    name: form.name,
    baseUrl: form.baseUrl,
    readOnly: form.readOnly,
    suppliers: [...(before?.suppliers ?? []), ...typedSupplierCodes(form.suppliers)],
    environment: form.environment ?? undefined,
    authForm: form.authForm,
    compression: form.compression === "auto" ? undefined : form.compression,
    brand: form.brand === "" ? undefined : form.brand,
    ...Object.fromEntries(given.map((field) => [field, form[field]])),
  });
}

/** Returns the patch that resets the fields that the form leaves empty to their defaults. */
export function clearedFields(profile: Profile): ProfilePatch {
  const emptyFields = [...optionalTexts, "compression" as const].filter(
    (field) => profile[field] === undefined,
  );
  return Object.fromEntries(emptyFields.map((field) => [field, undefined]));
}

function checkKey(key: string): string | null {
  return key === "" ? null : checkSecret(key);
}
