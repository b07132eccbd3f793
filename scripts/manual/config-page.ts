import { accountColumnIds } from "../../src/components/account-columns.ts";
import {
  commandOutputs,
  commandScreens,
  markingScreens,
} from "../../src/settings/custom/custom-command.ts";
import { commandValues, markedValues } from "../../src/settings/custom/values.ts";
import {
  preferenceSettings,
  profileFrom,
  profileSettings,
  readPreferences,
  type SettingFacts,
} from "../../src/settings/schemas.ts";
import {
  type Block,
  type Document,
  heading,
  type Term,
  terms,
  text,
} from "../reference/document.ts";
import { environment } from "./environment.ts";

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

/** Returns the settings files, the environment and the state files. */
export function settingsDocument(): Document {
  const { accountColumns } = preferenceSettings;
  const preferences = {
    ...preferenceSettings,
    accountColumns: {
      ...accountColumns,
      meaning: `${accountColumns.meaning} It has ${listOf(accountColumnIds)}.`,
    },
  };
  const profile = profileFrom({ name: "example", baseUrl: "https://api.example.com" });
  return {
    name: "supplyline-config",
    section: 5,
    title: "Settings",
    summary: "settings and environment of supplyline",
    intro: [
      "`supplyline config list` prints the settings with the values that apply and where they come from, `supplyline config set` changes them, and `supplyline doctor` checks the files. A flag overrides a variable, and a variable overrides a file.",
      "The files are in `~/.config/supplyline`, or in `SUPPLYLINE_CONFIG_DIR`. supplyline creates folders with mode 0700 and files with mode 0600. It refuses a settings file that other users can read, and prints the `chmod` that fixes it. It preserves keys that it does not know.",
    ],
    sections: [
      { heading: "Files", blocks: [terms(files)] },
      {
        heading: "profiles.json",
        blocks: [
          text("The key `profiles` is an array of objects:"),
          settings(profileSettings, { ...profile }),
        ],
      },
      {
        heading: "preferences.json",
        blocks: [
          text("An object. A missing key has its default."),
          settings(preferences, { ...readPreferences({}) }),
        ],
      },
      {
        heading: "keymap.json",
        blocks: [
          text(
            "An object of actions. The value is a key, an array of keys, or `[]` for no key. supplyline-keys(7) has the actions with their keys, and `supplyline schema keymap` prints a JSON Schema for your editor.",
          ),
        ],
      },
      {
        heading: "commands.json",
        blocks: [
          text("An object `commands`, by name:"),
          settings(commandSettings, {}),
          text(
            `Values for \`run\` and \`env\`, each as a whole argument: in commands for one row ${listOf(braced(commandValues))}; for marked rows ${listOf(braced(markedValues))}.`,
          ),
        ],
      },
      {
        heading: "Environment",
        blocks: environment.flatMap(({ title, variables }) => [
          heading(title),
          terms(
            variables.map(
              ({ name, meaning, byDefault }): Term => [
                name,
                byDefault === "" ? meaning : `${meaning} Default: ${byDefault}.`,
              ],
            ),
          ),
        ]),
      },
      {
        heading: "Notes",
        blocks: [
          text(
            "The kernel keeps the environment that a process was started with, readable for the same user and root. `supplyline login --api-key-stdin` and a credential helper leave no such trace.",
          ),
          text(
            "supplyline refuses to run with `NODE_TLS_REJECT_UNAUTHORIZED=0`. There is no switch that turns off certificate checks.",
          ),
        ],
      },
      {
        heading: "State",
        blocks: [
          text(
            "In `~/.local/state/supplyline`, or in `SUPPLYLINE_STATE_DIR`. These files are not settings; do not edit them.",
          ),
          terms(stateFiles),
        ],
      },
    ],
    seeAlso: "supplyline(1), supplyline-keys(7)",
  };
}

const files: readonly Term[] = [
  [
    "profiles.json",
    "Profiles, and the one in use as `current`. Change it with `supplyline profiles`, or in the Profiles screen (`P`).",
  ],
  ["credentials.json", "Saved keys and tokens. Only `supplyline login` and `logout` change it."],
  [
    "preferences.json",
    "Preferences of the console. Change it with `supplyline config set`, the console, or an editor.",
  ],
  ["keymap.json", "Keys of the console. Change it with an editor."],
  ["commands.json", "Your commands. Change it with an editor."],
  ["templates.json", "The note templates of each profile. Change it with `supplyline templates`."],
  [
    "filters.json",
    "The named filters of each kind of list. Change it in the console, with `:filters`.",
  ],
];

const stateFiles: readonly Term[] = [
  ["journal.sqlite", "Every write with its attempts and outcome."],
  ["observations.sqlite", "What complete lists have shown, for ages and changes."],
  [
    "state.sqlite",
    "Forms that were not sent; watch lists; cohorts; recent places, filters, files and actions.",
  ],
  ["drafts", "What an editor left that is not in a form."],
];

function settings(
  facts: Readonly<Record<string, SettingFacts>>,
  defaults: Readonly<Record<string, unknown>>,
): Block {
  return terms(
    Object.entries(facts).map(
      ([name, { type, meaning, byDefault }]): Term => [
        name,
        `${meaning} Type: ${type}. Default: ${byDefault ?? `\`${JSON.stringify(defaults[name])}\``}.`,
      ],
    ),
  );
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function braced(names: readonly string[]): readonly string[] {
  return names.map((name) => `{${name}}`);
}
