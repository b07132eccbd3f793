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
  /** The meaning of the setting, in one or two sentences. */
  readonly meaning: string;
  /** The default in words if the schema has no default value. */
  readonly byDefault?: string;
}

const facts = z.registry<SettingFacts>();

/** Adds the facts of a setting to its schema. */
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
 * Returns the schema of a text without a problem. `field` is the name of the text in a message.
 * `problemOf` returns the problem of a text, or null.
 */
function text(field: string, problemOf: (value: string) => string | null) {
  return z.string().check(
    z.refine((value) => problemOf(value) === null, {
      error: ({ input }) => `${field} ${problemOf(String(input))}`,
    }),
  );
}

/** Returns the schema of a word. `valueList` names the allowed values in a message. */
function choice<const T extends readonly string[]>(field: string, values: T, valueList: string) {
  return z.pipe(z.string(), z.enum(values, `${field} must be ${valueList}`));
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
    "The kind of service. Production is red and locked until you unlock it.",
    "`test` on loopback, otherwise `production`",
  ),
  readOnly: setting(z._default(z.boolean(), false), "true or false", "Refuses every write."),
  graphqlUrl: setting(
    z.exactOptional(text("GraphQL URL", checkBaseUrl)),
    "URL",
    "The address that issues tokens.",
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
    "The use of gzip for lists and statuses. `auto` uses it, except with the embedded sandbox.",
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

/** Returns the default environment of a profile with this address. */
function environmentAt(baseUrl: string | null): Environment {
  return baseUrl !== null && isLoopback(new URL(baseUrl)) ? "test" : "production";
}

/** The settings of a connection to one service. Secrets are stored separately. */
export type Profile = Readonly<Omit<z.output<typeof profileSchema>, "suppliers">> & {
  /** The supplier codes of this profile, in the order in which they were added. */
  readonly suppliers: readonly string[];
};

/** The environment of a profile, which every screen shows. */
export type Environment = NonNullable<z.output<typeof profileFields.environment>>;

/** The use of gzip for reads. `auto` requests it, except from the embedded sandbox. */
export type Compression = NonNullable<Profile["compression"]>;

type SchemaInput = z.input<typeof profileSchema>;

/** The values of a new profile. An absent value has a default or stays absent. */
export type ProfileInput = Pick<SchemaInput, "name" | "baseUrl"> & {
  readonly [K in Exclude<keyof SchemaInput, "name" | "baseUrl">]?: SchemaInput[K] | undefined;
};

/** Returns a profile with its defaults. Throws `invalid` with the name of the field. */
export function profileFrom(input: ProfileInput): Profile {
  const values = Object.entries(input).filter(([, value]) => value !== undefined);
  const parsed = z.safeParse(profileSchema, Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  throw new AppError("settings", "invalid", parsed.error.issues[0]?.message ?? "");
}

const booleanWithDefault = (byDefault: boolean) =>
  z._default(z.boolean("must be true or false"), byDefault);
const intervalProblem = "must be a whole number of milliseconds from 1000 to 3600000";
const columnsProblem = "must be a list of column names";

/** The preferences, which belong to no profile. */
const preferenceFields = {
  pollIntervalMs: setting(
    z._default(
      z
        .int(intervalProblem)
        .check(z.gte(1_000, intervalProblem), z.lte(3_600_000, intervalProblem)),
      5_000,
    ),
    "1000 to 3600000",
    "The interval of the checks of an open account or supply point, in milliseconds.",
  ),
  accountColumns: setting(
    z._default(
      z.nullable(
        z.readonly(
          z.array(z.string(columnsProblem), columnsProblem).check(z.minLength(1, columnsProblem)),
        ),
      ),
      null,
    ),
    "array or null",
    "The columns of account lists, from left to right. Null is the built-in choice.",
  ),
  watchBell: setting(
    booleanWithDefault(true),
    "true or false",
    "Rings the bell and sends the terminal a notice when a watched item ends.",
  ),
  reducedMotion: setting(
    booleanWithDefault(false),
    "true or false",
    "Updates ages and countdowns every ten seconds instead of every second.",
  ),
  recordObservations: setting(
    booleanWithDefault(true),
    "true or false",
    "Records complete lists as observations, in the console and in commands. `SUPPLYLINE_OBSERVE` overrides it.",
  ),
};

const preferencesSchema = z.object(preferenceFields);

/** The user's preferences, for every profile. */
export type Preferences = Readonly<z.output<typeof preferencesSchema>>;

/**
 * Reads the preferences from the content of a file. Absent preferences have their defaults. Throws
 * `invalid` with the name of an invalid preference. Unknown keys are left out of the result, but
 * stay in the file.
 */
export function readPreferences(stored: Readonly<Record<string, unknown>>): Preferences {
  const parsed = z.safeParse(preferencesSchema, stored);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `preference ${String(issue?.path[0])} ${issue?.message}`;
  throw new AppError("settings", "invalid", message);
}

export const defaultPreferences: Preferences = Object.freeze(readPreferences({}));

/** Returns the facts of each setting. */
function factsIn<T extends Readonly<Record<string, z.ZodMiniType>>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, facts.get(schema)]),
  ) as Readonly<Record<keyof T, SettingFacts>>;
}

/** The facts of the settings of a profile. */
export const profileSettings = factsIn(profileFields);
/** The facts of the preferences. */
export const preferenceSettings = factsIn(preferenceFields);
