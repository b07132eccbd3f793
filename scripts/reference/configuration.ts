import { accountColumnIds } from "../../src/components/account-columns.ts";
import { actionIds, bindingOf } from "../../src/keys/bindings.ts";
import {
  commandOutputs,
  commandScreens,
  markingScreens,
} from "../../src/settings/custom/custom-program.ts";
import { commandValues, markedValues } from "../../src/settings/custom/values.ts";
import { readPreferences } from "../../src/settings/preferences.ts";
import {
  preferenceSettings,
  profileSettings,
  type SettingFacts,
} from "../../src/settings/setting-table.ts";
import { profileFrom } from "../../src/settings/validate-profile.ts";
import { markdownTable } from "./markdown.ts";

const commandSettings: Readonly<Record<string, SettingFacts>> = {
  run: {
    type: "array of texts",
    meaning: "The program and its arguments. No shell reads them. `{name}` is a value.",
    byDefault: "required",
  },
  description: {
    type: "text",
    meaning: "A sentence for the help and the palette.",
    byDefault: "required",
  },
  key: {
    type: "key",
    meaning: "One character, `ctrl-a` to `ctrl-z` or `f1` to `f12` that no action has.",
    byDefault: "palette only",
  },
  screens: {
    type: "name or array",
    meaning: `The screens it works on: ${commandScreens.map((name) => `\`${name}\``).join(", ")}.`,
    byDefault: "all of them",
  },
  rows: {
    type: "`one`, `marked`",
    meaning: `Whether it is for the row under the cursor or for all marked rows (on ${markingScreens.join(", ")}).`,
    byDefault: "`one`",
  },
  output: {
    type: commandOutputs.map((name) => `\`${name}\``).join(", "),
    meaning: "Where its output goes: the first line to a notice, all to a pager, or the terminal.",
    byDefault: "`notice`",
  },
  confirm: {
    type: "text",
    meaning: "A question that you answer before it runs. It can contain values.",
    byDefault: "no question",
  },
  writes: {
    type: "true or false",
    meaning: "Whether it is held back while writes are locked.",
    byDefault: "`true`",
  },
  env: {
    type: "object of texts",
    meaning: "Variables for its environment.",
    byDefault: "none",
  },
  timeout: {
    type: "duration",
    meaning: "How long it can run, at most an hour.",
    byDefault: "`30s`",
  },
};

function valuesText(names: readonly string[]): string {
  return names.map((name) => `\`{${name}}\``).join(", ");
}

function settingsTable(
  settings: Readonly<Record<string, SettingFacts>>,
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
  const columns = accountColumnIds.map((id) => `\`${id}\``).join(", ");
  const { accountColumns } = preferenceSettings;
  const preferences = {
    ...preferenceSettings,
    accountColumns: { ...accountColumns, meaning: `${accountColumns.meaning} It has ${columns}.` },
  };
  const profile = profileFrom({ name: "example", baseUrl: "https://api.example.com" });
  const actions = actionIds.map((id) => [
    `\`${id}\``,
    bindingOf(id)
      .keys.map((key) => `\`${key}\``)
      .join(" "),
    bindingOf(id).help,
  ]);
  return `# Configuration

Generated from the program's own table of settings (\`npm run reference\`), which \`supplyline config list\` prints with
the values that apply and where they come from. \`supplyline config set\` changes them. The files are in \`~/.config/supplyline\`, or in
\`SUPPLYLINE_CONFIG_DIR\`. Flags and [environment variables](environment.md) override them. \`supplyline doctor\` checks
them.

| File | Contents | Change it with |
|---|---|---|
| \`profiles.json\` | profiles, and the one in use as \`current\` | \`supplyline profiles\`, or the Profiles screen (\`P\`) |
| \`credentials.json\` | saved keys and tokens | \`supplyline login\` and \`logout\` only |
| \`preferences.json\` | preferences of the console | \`supplyline config set\`, the console, or an editor |
| \`keymap.json\` | keys of the console | an editor |
| \`commands.json\` | your commands | an editor |
| \`templates.json\` | the note templates of each profile | \`supplyline templates\` |

supplyline creates folders with mode 0700 and files with mode 0600. It refuses a settings file that other users can
read, and prints the \`chmod\` that fixes it. It preserves keys that it does not know.

## profiles.json

The key \`profiles\` is an array of objects:

${settingsTable(profileSettings, { ...profile })}
## preferences.json

An object. A missing key has its default.

${settingsTable(preferences, { ...readPreferences({}) })}
## keymap.json

An object of actions. The value is a key, an array of keys, or \`[]\` for no key.
[Use your own keys](../how-to/terminal.md#use-your-own-keys) has the rules, and \`supplyline schema keymap\` prints a JSON
Schema for your editor. \`examples/keymap.json\` is an example.

${markdownTable(["Action", "Default keys", "Meaning"], actions)}
## commands.json

An object \`commands\`, by name. [Custom commands](../how-to/custom-commands.md) explains them; \`examples/commands.json\` is an example.

${settingsTable(commandSettings, {})}
Values for \`run\` and \`env\`, each as a whole argument:

${markdownTable(
  ["In", "Values"],
  [
    ["commands for one row", valuesText(commandValues)],
    ["commands for marked rows", valuesText(markedValues)],
  ],
)}
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
