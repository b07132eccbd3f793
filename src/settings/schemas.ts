/** The schemas of profiles and preferences: the type, default and meaning of each setting. */
import { isAbsolute } from "node:path";
import * as z from "zod/mini";
import { isLoopback } from "../api/url.ts";
import { AppError } from "../errors/app-error.ts";
import {
  checkBaseUrl,
  checkBrand,
  checkProfileName,
  checkProxy,
  checkSupplierCode,
  checkTokenPath,
} from "./profile-checks.ts";

/** The facts of a setting, for the reference and `config list`. */
export interface SettingFacts {
  /** The type in the words of the reference. */
  readonly type: string;
  readonly meaning: string;
  /** The default in words if it is not a value. */
  readonly byDefault?: string;
}

const facts = z.registry<SettingFacts>();

function setting<T extends z.ZodMiniType>(
  schema: T,
  type: string,
  meaning: string,
  byDefault?: string,
): T {
  facts.add(schema, { type, meaning, ...(byDefault === undefined ? {} : { byDefault }) });
  return schema;
}

/**
 * Returns the schema of a text for which `problemOf` returns no problem. `field` is its name in a
 * message.
 */
function text(field: string, problemOf: (value: string) => string | null) {
  return z.string().check(
    z.refine((value) => problemOf(value) === null, {
      error: ({ input }) => `${field} ${problemOf(String(input))}`,
    }),
  );
}

function choice<const T extends readonly string[]>(field: string, values: T, words: string) {
  return z.pipe(z.string(), z.enum(values, `${field} must be ${words}`));
}

const notEmpty = (value: string) => (value.trim() === "" ? "must not be empty" : null);
const variable = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : "must be the name of a variable";
const absolute = (path: string) => (isAbsolute(path) ? null : "must be an absolute path");

/** The settings of a profile, in the order of the reference. */
const profileFields = {
  name: setting(
    text("name", checkProfileName),
    "text",
    "Letters, digits, `.`, `-` and `_`; at most 64 characters.",
    "required",
  ),
  baseUrl: setting(
    z.nullable(text("base URL", checkBaseUrl)),
    "URL",
    "The service's address. `https:`, or `http:` on loopback; null for the embedded sandbox.",
    "required",
  ),
  environment: setting(
    z.exactOptional(
      choice("environment", ["sandbox", "test", "production"], "sandbox, test or production"),
    ),
    "`sandbox`, `test`, `production`",
    "How careful supplyline is. Production is red and locked until you unlock it.",
    "`test` on loopback, otherwise `production`",
  ),
  readOnly: setting(z._default(z.boolean(), false), "true or false", "Refuses every write."),
  graphqlUrl: setting(
    z.exactOptional(text("GraphQL URL", checkBaseUrl)),
    "URL",
    "Where tokens are obtained.",
    "`{baseUrl}/v1/graphql/`",
  ),
  mutation: setting(
    z.exactOptional(text("mutation", notEmpty)),
    "text",
    "The GraphQL document that obtains a token. The key is its variable `$apiKey`.",
    "`obtainToken(input: {APIKey: $apiKey})`",
  ),
  tokenPath: setting(
    z.exactOptional(text("tokenPath", checkTokenPath)),
    "names with dots",
    "The path of the token in the response.",
    "`data.obtainToken.token`",
  ),
  authForm: setting(
    z._default(
      choice("Authorization form", ["auto", "token", "bare"], "auto, token or bare"),
      "auto",
    ),
    "`auto`, `token`, `bare`",
    "The Authorization header: `Token T` or the bare token. `auto` tries both once and remembers.",
  ),
  brand: setting(
    z._default(text("brand", checkBrand), "service"),
    "word",
    "The brand word in field names: with `acme`, `acme_account_number`.",
  ),
  compression: setting(
    z.exactOptional(choice("compression", ["auto", "on", "off"], "auto, on or off")),
    "`auto`, `on`, `off`",
    "Whether lists and statuses are asked for with gzip. `auto` does, except from the embedded sandbox.",
    "`auto`",
  ),
  proxy: setting(
    z.exactOptional(text("proxy", checkProxy)),
    "URL",
    "The proxy of this profile, without a password.",
    "`HTTPS_PROXY`",
  ),
  proxyCredentialHelper: setting(
    z.exactOptional(text("proxyCredentialHelper", notEmpty)),
    "command",
    'A command that prints `{"Username": "…", "Password": "…"}` for the proxy.',
    "none",
  ),
  proxyCredentialEnv: setting(
    z.exactOptional(text("proxyCredentialEnv", variable)),
    "variable",
    "An environment variable that contains `USER:PASSWORD` for the proxy.",
    "none",
  ),
  caFile: setting(
    z.exactOptional(text("CA file", absolute)),
    "absolute path",
    "A PEM file with more certificate authorities.",
    "none",
  ),
  credentialHelper: setting(
    z.exactOptional(text("credentialHelper", notEmpty)),
    "command",
    "A command that prints the key or a token as JSON.",
    "none",
  ),
  suppliers: setting(
    z._default(z.readonly(z.array(text("supplier code", checkSupplierCode))), []),
    "array of texts",
    "The supplier codes, in the order of the list.",
  ),
};

/** The schema of a profile, with its defaults. */
export const profileSchema = z.pipe(
  z.object(profileFields).check(
    z.refine(
      ({ baseUrl, environment }) => baseUrl !== null || environment === "sandbox",
      "base URL is needed outside the sandbox",
    ),
    z.refine(
      (given) =>
        given.proxyCredentialHelper === undefined || given.proxyCredentialEnv === undefined,
      "proxy credentials come from a helper or from a variable, not from both",
    ),
  ),
  z.transform(({ name, baseUrl, environment, ...rest }) => ({
    name,
    baseUrl,
    environment: environment ?? environmentAt(baseUrl),
    ...rest,
    suppliers: [...new Set(rest.suppliers)],
  })),
);

function environmentAt(baseUrl: string | null): Environment {
  return baseUrl !== null && isLoopback(new URL(baseUrl)) ? "test" : "production";
}

/** One service to work with. Secrets are stored separately (see credentials). */
export type Profile = Readonly<Omit<z.output<typeof profileSchema>, "suppliers">> & {
  /** Supplier codes known to this profile, in the order they were added. */
  readonly suppliers: readonly string[];
};

/** The environment of a profile, shown on every screen, production in red. */
export type Environment = NonNullable<z.output<typeof profileFields.environment>>;

/** The use of gzip for reads. `auto` requests it, except from the embedded sandbox. */
export type Compression = NonNullable<Profile["compression"]>;

type Given = z.input<typeof profileSchema>;

/** The values of a new profile. An absent value has a default or stays absent. */
export type ProfileInput = Pick<Given, "name" | "baseUrl"> & {
  readonly [K in Exclude<keyof Given, "name" | "baseUrl">]?: Given[K] | undefined;
};

/** Returns a profile with its defaults. Throws `invalid` with the name of the field. */
export function profileFrom(input: ProfileInput): Profile {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const found = z.safeParse(profileSchema, Object.fromEntries(given));
  if (found.success) return found.data;
  throw new AppError("settings", "invalid", found.error.issues[0]?.message ?? "");
}

const yesOrNo = (byDefault: boolean) => z._default(z.boolean("must be true or false"), byDefault);
const pace = "must be a whole number of milliseconds from 1000 to 3600000";
const columnNames = "must be a list of column names";

/** The preferences, which belong to no profile. */
const preferenceFields = {
  pollIntervalMs: setting(
    z._default(z.int(pace).check(z.gte(1_000, pace), z.lte(3_600_000, pace)), 5_000),
    "1000 to 3600000",
    "How often an open account or supply point is checked, in milliseconds.",
  ),
  accountColumns: setting(
    z._default(
      z.nullable(
        z.readonly(z.array(z.string(columnNames), columnNames).check(z.minLength(1, columnNames))),
      ),
      null,
    ),
    "array or null",
    "The columns of account lists, from left to right. Null is the built-in choice.",
  ),
  watchBell: setting(
    yesOrNo(true),
    "true or false",
    "Whether the bell rings and the terminal gets a notice when something watched ends.",
  ),
  reducedMotion: setting(
    yesOrNo(false),
    "true or false",
    "Updates ages and countdowns every ten seconds instead of every second.",
  ),
  recordObservations: setting(
    yesOrNo(true),
    "true or false",
    "Whether complete lists are recorded as observations, by the console and by commands. `SUPPLYLINE_OBSERVE` overrides it.",
  ),
};

const preferencesSchema = z.object(preferenceFields);

/** The user's preferences, for every profile. */
export type Preferences = Readonly<z.output<typeof preferencesSchema>>;

/**
 * Reads the preferences from the content of a file. Absent preferences have their defaults. Throws
 * `invalid` with the name of an invalid preference. Unknown keys are left out here, but stay in the
 * file.
 */
export function readPreferences(stored: Readonly<Record<string, unknown>>): Preferences {
  const found = z.safeParse(preferencesSchema, stored);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const words = `preference ${String(issue?.path[0])} ${issue?.message}`;
  throw new AppError("settings", "invalid", words);
}

export const defaultPreferences: Preferences = Object.freeze(readPreferences({}));

/** Returns the facts of each field. */
function factsIn<T extends Readonly<Record<string, z.ZodMiniType>>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, facts.get(schema)]),
  ) as Readonly<Record<keyof T, SettingFacts>>;
}

export const profileSettings = factsIn(profileFields);
export const preferenceSettings = factsIn(preferenceFields);
