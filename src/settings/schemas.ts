/** The schemas of profiles and preferences: the type, default and meaning of each setting. */
import { isAbsolute } from "node:path";
import * as z from "zod/mini";
import { isLoopback } from "../api/url.ts";
import { invalidSetting } from "./invalid-setting.ts";
import {
  checkBaseUrl,
  checkBrand,
  checkProfileName,
  checkProxy,
  checkSupplierCode,
  checkTokenPath,
} from "./profile-checks.ts";
import { checkTeam } from "./team-address.ts";

export interface SettingFacts {
  readonly type: string;
  readonly meaning: string;
  /** The default in words if the schema has no default value. */
  readonly byDefault?: string;
}

export interface ProfileFacts extends SettingFacts {
  readonly name: string;
  readonly option?: string;
  readonly variable?: string;
  readonly problemOf?: (value: string) => string | null;
  readonly choices?: readonly string[];
  readonly example?: string;
}

const facts = z.registry<ProfileFacts>();

function setting<T extends z.ZodMiniType>(schema: T, given: SettingFacts & Partial<ProfileFacts>) {
  facts.add(schema, { name: "", ...given });
  return schema;
}

function text<T extends z.ZodMiniType>(
  name: string,
  problemOf: (value: string) => string | null,
  wrap: (schema: z.ZodMiniString) => T,
  given: SettingFacts & Partial<ProfileFacts>,
): T {
  const schema = z.string().check(
    z.refine((value) => problemOf(value) === null, {
      error: ({ input }) => `${name} ${problemOf(String(input))}`,
    }),
  );
  return setting(wrap(schema), { name, problemOf, ...given });
}

function word<const T extends readonly string[]>(name: string, values: T) {
  const listed = `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
  return z.pipe(z.string(), z.enum(values, `${name} must be ${listed}`));
}

function choice<const V extends readonly string[], T extends z.ZodMiniType>(
  name: string,
  choices: V,
  wrap: (schema: ReturnType<typeof word<V>>) => T,
  given: Omit<ProfileFacts, "name" | "type" | "choices">,
): T {
  const type = choices.map((value) => `\`${value}\``).join(", ");
  return setting(wrap(word(name, choices)), { ...given, name, type, choices });
}

const notEmpty = (value: string) => (value.trim() === "" ? "must not be empty" : null);
const variable = (name: string) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : "must be the name of a variable";
const absolute = (path: string) => (isAbsolute(path) ? null : "must be an absolute path");

const profileFields = {
  name: text("name", checkProfileName, (schema) => schema, {
    type: "text",
    meaning: "Letters, digits, `.`, `-` and `_`; at most 64 characters.",
    byDefault: "required",
    example: "acme-test",
  }),
  baseUrl: text("base URL", checkBaseUrl, z.nullable, {
    type: "URL, or null for the embedded sandbox",
    meaning: "The service's address, before `/v1/data-import/`: `https:`, or `http:` on loopback.",
    byDefault: "required",
    option: "--base-url <url>",
    variable: "SUPPLYLINE_BASE_URL",
    example: "https://api.example.com",
  }),
  environment: choice("environment", ["sandbox", "test", "production"], z.exactOptional, {
    meaning:
      "The kind of service. On production, the console is red and read-only until you unlock it, and a command asks or needs `--yes`.",
    byDefault: "`test` on loopback, otherwise `production`",
    option: "--environment <label>",
    variable: "SUPPLYLINE_ENVIRONMENT",
  }),
  readOnly: setting(z._default(z.boolean(), false), {
    name: "read-only",
    type: "true or false",
    meaning: "Refuses every write.",
    choices: ["no", "yes"],
  }),
  graphqlUrl: text("GraphQL URL", checkBaseUrl, z.exactOptional, {
    type: "URL",
    meaning: "The address that issues tokens.",
    byDefault: "`{baseUrl}/v1/graphql/`",
    option: "--graphql-url <url>",
    variable: "SUPPLYLINE_GRAPHQL_URL",
  }),
  mutation: text("mutation", notEmpty, z.exactOptional, {
    type: "text",
    meaning: "The GraphQL document that obtains a token. The key is its variable `$apiKey`.",
    byDefault: "`obtainToken(input: {APIKey: $apiKey})`",
    option: "--mutation <text>",
  }),
  tokenPath: text("token path", checkTokenPath, z.exactOptional, {
    type: "names with dots",
    meaning: "The path of the token in the `data` of the response.",
    byDefault: "`obtainToken.token`",
    option: "--token-path <path>",
  }),
  authForm: choice(
    "Authorization form",
    ["auto", "token", "bare"],
    (schema) => z._default(schema, "auto"),
    {
      meaning:
        "The Authorization header: `Token T` or the bare token. `auto` tries both once and remembers.",
      option: "--auth-form <form>",
      variable: "SUPPLYLINE_AUTH_FORM",
    },
  ),
  brand: text("brand", checkBrand, (schema) => z._default(schema, "service"), {
    type: "word",
    meaning: "The brand word in field names: with `acme`, `acme_account_number`.",
    option: "--brand <word>",
    variable: "SUPPLYLINE_BRAND",
  }),
  compression: choice("compression", ["auto", "on", "off"], z.exactOptional, {
    meaning:
      "The use of gzip for lists and statuses. `auto` uses it, except with the embedded sandbox.",
    byDefault: "`auto`",
    option: "--compression <mode>",
    variable: "SUPPLYLINE_COMPRESSION",
  }),
  proxy: text("proxy", checkProxy, z.exactOptional, {
    type: "URL",
    meaning: "The proxy of this profile, without a password. Not used on loopback.",
    byDefault: "`HTTPS_PROXY`",
    option: "--proxy <url>",
  }),
  proxyCredentialHelper: text("proxy credential helper", notEmpty, z.exactOptional, {
    type: "command",
    meaning: 'A command that prints `{"Username": "…", "Password": "…"}` for the proxy.',
    byDefault: "none",
    option: "--proxy-credential-helper <command>",
  }),
  proxyCredentialEnv: text("proxy credential variable", variable, z.exactOptional, {
    type: "variable",
    meaning: "An environment variable that contains `USER:PASSWORD` for the proxy.",
    byDefault: "none",
    option: "--proxy-credential-env <name>",
  }),
  caFile: text("CA file", absolute, z.exactOptional, {
    type: "absolute path",
    meaning: "A PEM file with certificate authorities, in addition to the system's.",
    byDefault: "`NODE_EXTRA_CA_CERTS`",
    option: "--ca-file <path>",
  }),
  credentialHelper: text("credential helper", notEmpty, z.exactOptional, {
    type: "command",
    meaning: "A command that prints the key or a token as JSON.",
    byDefault: "none",
    option: "--credential-helper <command>",
  }),
  team: text("team", checkTeam, z.exactOptional, {
    type: "URL",
    meaning:
      "The PostgreSQL database of the team's ledger, with `sslmode=verify-full` and without a password.",
    byDefault: "none",
    option: "--team <url>",
    variable: "SUPPLYLINE_TEAM",
  }),
  teamCredentialHelper: text("team credential helper", notEmpty, z.exactOptional, {
    type: "command",
    meaning: 'A command that prints `{"Username": "…", "Password": "…"}` for the team\'s database.',
    byDefault: "`PGPASSWORD`, then `PGPASSFILE`",
    option: "--team-credential-helper <command>",
  }),
  teamCaFile: text("team CA file", absolute, z.exactOptional, {
    type: "absolute path",
    meaning:
      "A PEM file with the certificate authorities of the team's database, in place of the system's.",
    byDefault: "the system's authorities",
    option: "--team-ca-file <path>",
  }),
  suppliers: text(
    "supplier code",
    checkSupplierCode,
    (schema) => z._default(z.readonly(z.array(schema)), []),
    {
      name: "suppliers",
      type: "array of texts",
      meaning: "The supplier codes, in the order of the list.",
    },
  ),
};

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

/** The settings of a connection to one service. Secrets are stored separately. */
export type Profile = Readonly<Omit<z.output<typeof profileSchema>, "suppliers">> & {
  readonly suppliers: readonly string[];
};

export type Environment = NonNullable<z.output<typeof profileFields.environment>>;

type SchemaInput = z.input<typeof profileSchema>;

export type ProfileInput = Pick<SchemaInput, "name" | "baseUrl"> & {
  readonly [K in Exclude<keyof SchemaInput, "name" | "baseUrl">]?: SchemaInput[K] | undefined;
};

/** Returns a profile with its defaults. Throws `invalid` with the name of the field. */
export function profileFrom(input: ProfileInput): Profile {
  const values = Object.entries(input).filter(([, value]) => value !== undefined);
  const parsed = z.safeParse(profileSchema, Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  throw invalidSetting(parsed.error.issues[0]?.message ?? "");
}

const booleanWithDefault = (byDefault: boolean) =>
  z._default(z.boolean("must be true or false"), byDefault);
const intervalProblem = "must be a whole number of milliseconds from 1000 to 3600000";
const columnsProblem = "must be a list of column names";

const preferenceFields = {
  pollIntervalMs: setting(
    z._default(
      z
        .int(intervalProblem)
        .check(z.gte(1_000, intervalProblem), z.lte(3_600_000, intervalProblem)),
      5_000,
    ),
    {
      type: "1000 to 3600000",
      meaning: "The interval of the checks of an open account or supply point, in milliseconds.",
    },
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
    {
      type: "array or null",
      meaning: "The columns of account lists, from left to right. Null is the built-in choice.",
    },
  ),
  watchBell: setting(booleanWithDefault(true), {
    type: "true or false",
    meaning: "Rings the bell and sends the terminal a notice when a watched item ends.",
  }),
  reducedMotion: setting(booleanWithDefault(false), {
    type: "true or false",
    meaning: "Updates ages and countdowns every ten seconds instead of every second.",
  }),
  recordObservations: setting(booleanWithDefault(true), {
    type: "true or false",
    meaning:
      "Records complete lists as observations, in the console and in commands. `SUPPLYLINE_OBSERVE` overrides it.",
  }),
};

const preferencesSchema = z.object(preferenceFields);

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
  throw invalidSetting(message);
}

export const defaultPreferences: Preferences = Object.freeze(readPreferences({}));

function factsIn<T extends Readonly<Record<string, z.ZodMiniType>>>(fields: T) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, facts.get(schema)]),
  ) as Readonly<Record<keyof T, ProfileFacts>>;
}

export const profileSettings = factsIn(profileFields);

export type ProfileKey = keyof typeof profileSettings;

export const profileKeys = Object.keys(profileSettings) as ProfileKey[];
export function plainWords(words: string): string {
  return words.replaceAll("`", "");
}

export const preferenceSettings = factsIn(preferenceFields);
