import { accountColumnIds } from "../../src/components/account-columns.ts";
import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import { type Preferences, readPreferences } from "../../src/settings/preferences.ts";
import type { Profile } from "../../src/settings/profile.ts";
import { profileFrom } from "../../src/settings/validate-profile.ts";
import { markdownTable } from "./markdown.ts";

interface Setting {
  readonly type: string;
  readonly meaning: string;
  /** Where the program's own default does not say it. */
  readonly byDefault?: string;
}

const profileSettings: Readonly<Record<keyof Required<Profile>, Setting>> = {
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

const preferenceSettings: Readonly<Record<keyof Preferences, Setting>> = {
  pollIntervalMs: {
    type: "1000 to 3600000",
    meaning: "How often an open account or supply point is checked, in milliseconds.",
  },
  accountColumns: {
    type: "array or null",
    meaning: `The columns of account lists: ${accountColumnIds.map((id) => `\`${id}\``).join(", ")}. Null is the built-in choice.`,
  },
  watchBell: {
    type: "true or false",
    meaning: "Whether the bell rings and the terminal gets a notice when something watched ends.",
  },
  reducedMotion: {
    type: "true or false",
    meaning: "Updates ages and countdowns every ten seconds instead of every second.",
  },
  views: {
    type: "array",
    meaning: "Saved views: `name`, `list`, `filter`, `sort` and `columns` of each.",
  },
};

function settingsTable(
  settings: Readonly<Record<string, Setting>>,
  defaults: Readonly<Record<string, unknown>>,
): string {
  const rows = Object.entries(settings).map(([name, { type, meaning, byDefault }]) => [
    `\`${name}\``,
    type,
    byDefault ?? `\`${JSON.stringify(defaults[name])}\``,
    meaning,
  ]);
  return markdownTable(["Key", "Type", "Default", "Meaning"], rows);
}

/** The reference page of the files that configure the program. */
export function configurationPage(): string {
  const profile = profileFrom({ name: "example", baseUrl: "https://api.example.com" });
  const actions = actionIds.map((id) => [
    `\`${id}\``,
    bindingOf(id)
      .keys.map((key) => `\`${key}\``)
      .join(" "),
    bindingOf(id).help,
  ]);
  return `# Configuration

Generated from the program's own defaults (\`npm run reference\`). The files are in \`~/.config/supplyline\`, or in
\`SUPPLYLINE_CONFIG_DIR\`. Flags and [environment variables](environment.md) override them. \`supplyline doctor\` checks
them.

| File | Contents | Change it with |
|---|---|---|
| \`profiles.json\` | profiles, and the one in use as \`current\` | \`supplyline profiles\`, or the Profiles screen (\`P\`) |
| \`credentials.json\` | saved keys and tokens | \`supplyline login\` and \`logout\` only |
| \`preferences.json\` | preferences of the console | the console, or an editor |
| \`keymap.json\` | keys of the console | an editor |

supplyline creates folders with mode 0700 and files with mode 0600. It refuses a settings file that other users can
read, and prints the \`chmod\` that fixes it. It preserves keys that it does not know.

## profiles.json

The key \`profiles\` is an array of objects:

${settingsTable(profileSettings, { ...profile })}
## preferences.json

An object. A missing key has its default.

${settingsTable(preferenceSettings, { ...readPreferences({}) })}
## keymap.json

An object of actions. The value is a key, an array of keys, or \`[]\` for no key.
[Use your own keys](../how-to/terminal.md#use-your-own-keys) has the rules, and \`supplyline schema keymap\` prints a JSON
Schema for your editor. \`examples/keymap.json\` is an example.

${markdownTable(["Action", "Default keys", "Meaning"], actions)}
## State

In \`~/.local/state/supplyline\`, or in \`SUPPLYLINE_STATE_DIR\`. These files are not settings; do not edit them.

| File | Contents |
|---|---|
| \`journal.sqlite\` | every write with its attempts and outcome |
| \`drafts\` | forms that were not sent |
| \`watch.json\` | the watch list of each profile |
| \`history.json\` | recent places, filters and actions; delete it to clear them |
`;
}
