import { journalFile } from "../../src/writes/journal/journal-file.ts";
import type { Program } from "../reference/declared.ts";
import { exitMeanings } from "../reference/exit-codes.ts";
import { parameter } from "./command-page.ts";
import { environment } from "./environment.ts";
import { entry, paragraphs, section, title, typed } from "./roff.ts";

/** Returns `supplyline.1`: what every command has, and the list of commands. */
export function mainPage({ globals, commands }: Program, version: string): string {
  const used = new Set(commands.flatMap(({ exitCodes }) => exitCodes));
  return [
    title("supplyline", 1, version),
    ...section(
      "NAME",
      paragraphs(
        "supplyline - a terminal console for an account and supply point data-import service",
      ),
    ),
    ...section("SYNOPSIS", paragraphs("`supplyline` [options] [command]")),
    ...section(
      "DESCRIPTION",
      paragraphs(
        "Without a command, supplyline opens the console. With a command, it does one thing and ends, for scripts. Results go to standard output, everything else to standard error. Every write is recorded in the journal before it is sent.",
        "In the console, `?` shows the keys of the screen, and `:` opens any place or action.",
      ),
    ),
    ...section("OPTIONS", globals.flatMap(parameter)),
    ...section("COMMANDS", [
      ...paragraphs(
        "`supplyline COMMAND --help` shows the arguments, options, examples and exit codes of a command. The package and the archive have the same as pages, such as `man supplyline-bulk-run`.",
      ),
      ...commands.flatMap(({ path, description }) => entry(path, description)),
    ]),
    ...section(
      "EXIT STATUS",
      exitMeanings(used).flatMap(([code, { meaning }]) => entry(String(code), meaning)),
    ),
    ...section("ENVIRONMENT", [
      ...paragraphs("The most frequent variables; supplyline\\-config(5) has all of them."),
      ...frequent().flatMap(({ name, meaning }) => entry(name, meaning)),
    ]),
    ...section("FILES", [
      ...entry("~/.config/supplyline", "Settings, readable by their owner only."),
      ...entry(
        "~/.local/state/supplyline",
        `The journal (\`${journalFile}\`), observations, drafts, the watch list and the history.`,
      ),
    ]),
    ...section(
      "EXAMPLES",
      examples.flatMap(([meaning, line]) => [".PP", ...paragraphs(meaning), ...typed([line])]),
    ),
    ...section("SEE ALSO", paragraphs("supplyline-keys(7), supplyline-config(5)")),
    "",
  ].join("\n");
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
