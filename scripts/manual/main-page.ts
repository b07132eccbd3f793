import { journalFile } from "../../src/writes/journal/journal-file.ts";
import type { Program } from "../reference/declared.ts";
import {
  type Document,
  parameterTerm,
  type Term,
  terms,
  text,
  typedBlock,
} from "../reference/document.ts";
import { exitMeanings } from "../reference/exit-codes.ts";
import { environment } from "./environment.ts";

/** Returns the page of the program: what every command has, and the list of commands. */
export function mainDocument({ globals, commands }: Program): Document {
  const used = new Set(commands.flatMap(({ exitCodes }) => exitCodes));
  return {
    name: "supplyline",
    section: 1,
    title: "supplyline",
    summary: "a terminal console for an account and supply point data-import service",
    synopsis: "`supplyline` [options] [command]",
    intro: [
      "Without a command, supplyline opens the console. With a command, it does one thing and ends, for scripts. Results go to standard output, everything else to standard error. Every write is recorded in the journal before it is sent.",
      "In the console, `?` shows the keys of the screen, and `:` opens any place or action.",
    ],
    sections: [
      { heading: "Options", blocks: [terms(globals.map(parameterTerm))] },
      {
        heading: "Commands",
        blocks: [
          text(
            "`supplyline COMMAND --help` shows the arguments, options, examples and exit codes of a command. The package and the archive have the same as pages, such as `man supplyline-bulk-run`.",
          ),
          terms(commands.map(({ path, description }): Term => [path, description])),
        ],
      },
      {
        heading: "Exit status",
        blocks: [
          terms(exitMeanings(used).map(([code, { meaning }]): Term => [String(code), meaning])),
        ],
      },
      {
        heading: "Environment",
        blocks: [
          text("The most frequent variables; supplyline-config(5) has all of them."),
          terms(frequent().map(({ name, meaning }): Term => [name, meaning])),
        ],
      },
      {
        heading: "Files",
        blocks: [
          terms([
            ["~/.config/supplyline", "Settings, readable by their owner only."],
            [
              "~/.local/state/supplyline",
              `The journal (\`${journalFile}\`), observations, drafts, the watch list and the history.`,
            ],
          ]),
        ],
      },
      {
        heading: "Examples",
        blocks: examples.flatMap(([meaning, line]) => [text(meaning), typedBlock([line])]),
      },
    ],
    seeAlso: "supplyline-keys(7), supplyline-config(5)",
  };
}

/** Returns the variables of the two groups that scripts use. */
function frequent() {
  const [folders, adHoc] = environment;
  return [...(folders?.variables ?? []), ...(adHoc?.variables.slice(0, 3) ?? [])];
}

/** The most frequent tasks. The accounts are those of the sandbox. */
const examples: readonly (readonly [string, string])[] = [
  ["Open the console on the embedded sandbox:", "supplyline --sandbox"],
  ["Check whether an account is imported:", "supplyline accounts status ACME EXT-0000001"],
  ["Wait until it is:", "supplyline accounts watch ACME EXT-0000007 --timeout 30m"],
  ["Leave a note:", "supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"],
  ["List writes with an unknown outcome:", "supplyline activity list --outcome unknown"],
];
