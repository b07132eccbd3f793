import type { Preferences } from "./preferences.ts";
import type { Profile } from "./profile.ts";

/** The facts of a setting, for the reference and `config list`. */
export interface SettingFacts {
  /** The type in the words of the reference. */
  readonly type: string;
  readonly meaning: string;
  /** The default in words, if it is not a value. */
  readonly byDefault?: string;
}

/** The settings of a profile, in the order of the reference. */
export const profileSettings: Readonly<Record<keyof Required<Profile>, SettingFacts>> = {
  name: {
    type: "text",
    meaning: "Letters, digits, `.`, `-` and `_`; at most 64 characters.",
    byDefault: "required",
  },
  baseUrl: {
    type: "URL",
    meaning:
      "The service's address. `https:`, or `http:` on loopback; null for the embedded sandbox.",
    byDefault: "required",
  },
  environment: {
    type: "`sandbox`, `test`, `production`",
    meaning: "How careful supplyline is. Production is red and locked until you unlock it.",
    byDefault: "`test` on loopback, otherwise `production`",
  },
  readOnly: { type: "true or false", meaning: "Refuses every write." },
  graphqlUrl: {
    type: "URL",
    meaning: "Where tokens are obtained.",
    byDefault: "`{baseUrl}/v1/graphql/`",
  },
  mutation: {
    type: "text",
    meaning: "The GraphQL document that obtains a token. The key is its variable `$apiKey`.",
    byDefault: "`obtainToken(input: {APIKey: $apiKey})`",
  },
  tokenPath: {
    type: "names with dots",
    meaning: "The path of the token in the response.",
    byDefault: "`data.obtainToken.token`",
  },
  authForm: {
    type: "`auto`, `token`, `bare`",
    meaning:
      "The Authorization header: `Token T` or the bare token. `auto` tries both once and remembers.",
  },
  brand: {
    type: "word",
    meaning: "The brand word in field names: with `acme`, `acme_account_number`.",
  },
  compression: {
    type: "`auto`, `on`, `off`",
    meaning:
      "Whether lists and statuses are asked for with gzip. `auto` does, except from the embedded sandbox.",
    byDefault: "`auto`",
  },
  proxy: {
    type: "URL",
    meaning: "The proxy of this profile, without a password.",
    byDefault: "`HTTPS_PROXY`",
  },
  proxyCredentialHelper: {
    type: "command",
    meaning: 'A command that prints `{"Username": "…", "Password": "…"}` for the proxy.',
    byDefault: "none",
  },
  proxyCredentialEnv: {
    type: "variable",
    meaning: "An environment variable that contains `USER:PASSWORD` for the proxy.",
    byDefault: "none",
  },
  caFile: {
    type: "absolute path",
    meaning: "A PEM file with more certificate authorities.",
    byDefault: "none",
  },
  credentialHelper: {
    type: "command",
    meaning: "A command that prints the key or a token as JSON.",
    byDefault: "none",
  },
  suppliers: { type: "array of texts", meaning: "The supplier codes, in the order of the list." },
};

/** The preferences, which belong to no profile. */
export const preferenceSettings: Readonly<Record<keyof Preferences, SettingFacts>> = {
  pollIntervalMs: {
    type: "1000 to 3600000",
    meaning: "How often an open account or supply point is checked, in milliseconds.",
  },
  accountColumns: {
    type: "array or null",
    meaning: "The columns of account lists, from left to right. Null is the built-in choice.",
  },
  watchBell: {
    type: "true or false",
    meaning: "Whether the bell rings and the terminal gets a notice when something watched ends.",
  },
  reducedMotion: {
    type: "true or false",
    meaning: "Updates ages and countdowns every ten seconds instead of every second.",
  },
  recordObservations: {
    type: "true or false",
    meaning:
      "Whether complete lists are recorded as observations, by the console and by commands. `SUPPLYLINE_OBSERVE` overrides it.",
  },
};
