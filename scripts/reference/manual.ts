import { journalFile } from "../../src/writes/journal/journal-file.ts";
import type { Declared, Parameter } from "./declared.ts";
import { declaredProgram } from "./declared.ts";
import { environment } from "./environment.ts";
import { exitMeanings } from "./exit-codes.ts";

/** The manual page, in the man macros, of every command as the program itself declares it. */
export async function manualPage(version: string): Promise<string> {
  const { globals, commands } = await declaredProgram(version);
  const used = new Set(commands.flatMap(({ exitCodes }) => exitCodes));
  return [
    `.TH SUPPLYLINE 1 "" "supplyline ${version}" "User Commands"`,
    ".SH NAME",
    text("supplyline - a terminal console for an account and supply point data-import service"),
    ".SH SYNOPSIS",
    ".B supplyline",
    text("[options] [command]"),
    ".SH DESCRIPTION",
    text(
      "Without a command, supplyline opens the console. With a command, it does one thing and ends, for scripts. Results go to standard output, everything else to standard error. Every write is recorded in the journal before it is sent.",
    ),
    ".PP",
    text("In the console, ? shows the keys of the screen, and : opens any place or action."),
    ".SH OPTIONS",
    ...globals.flatMap(parameter),
    ".SH COMMANDS",
    ...commands.flatMap(command),
    ".SH EXIT STATUS",
    ...exitMeanings(used).flatMap(([code, { meaning }]) => entry(String(code), meaning)),
    ".SH ENVIRONMENT",
    ...environment.flatMap(({ variables }) =>
      variables.flatMap(({ name, meaning, byDefault }) =>
        entry(name, byDefault === "" ? meaning : `${meaning} Default: ${plain(byDefault)}.`),
      ),
    ),
    ".SH FILES",
    ...entry("~/.config/supplyline", "Settings, readable by their owner only."),
    ...entry(
      "~/.local/state/supplyline",
      `The journal (${journalFile}), drafts, the watch list and the history.`,
    ),
    ".SH EXAMPLES",
    ...examples.flatMap(([meaning, line]) => [".PP", text(meaning), ".RS", bold(line), ".RE"]),
    ".SH SEE ALSO",
    text(
      "`supplyline COMMAND --help` shows the help of a command. The documents are in the package, from docs/README.md on.",
    ),
    "",
  ].join("\n");
}

/** The most frequent tasks; the accounts are those of the sandbox. */
const examples: readonly (readonly [string, string])[] = [
  ["Open the console on the embedded sandbox:", "supplyline --sandbox"],
  ["Check whether an account is imported:", "supplyline accounts status ACME EXT-0000001"],
  ["Wait until it is:", "supplyline accounts watch ACME EXT-0000007 --timeout 30m"],
  ["Leave a note:", "supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"],
  ["List writes with an unknown outcome:", "supplyline activity list --outcome unknown"],
];

function command(one: Declared): readonly string[] {
  return [
    `.SS ${quoted(one.usage)}`,
    text(one.description),
    ...one.parameters.filter(({ meaning }) => meaning !== "").flatMap(parameter),
    ...one.options.flatMap(parameter),
    ...entry("Exit status", `${one.exitCodes.join(", ")}.`),
    ".PP",
    text("Examples:"),
    ".RS",
    ".nf",
    ...one.examples.map(text),
    ".fi",
    ".RE",
  ];
}

function parameter({ term, meaning, required, byDefault }: Parameter): readonly string[] {
  const isOption = term.startsWith("-");
  const shown = byDefault === null ? meaning : withDefault(meaning, byDefault);
  return entry(term, isOption && required ? `Required. ${shown}` : shown);
}

function withDefault(meaning: string, byDefault: string): string {
  return meaning.endsWith(".")
    ? `${meaning.slice(0, -1)} (default: ${byDefault}).`
    : `${meaning} (default: ${byDefault})`;
}

function entry(term: string, meaning: string): readonly string[] {
  return [".TP", bold(term), text(meaning)];
}

function bold(words: string): string {
  return `.B ${escaped(words)}`;
}

function plain(words: string): string {
  return words.replaceAll("`", "");
}

/** A line of text; one that begins with a dot or a quote would be taken for a request. */
function text(words: string): string {
  return escaped(words).replace(/^[.']/, "\\&$&");
}

function quoted(words: string): string {
  return `"${escaped(words).replaceAll('"', "\\(dq")}"`;
}

function escaped(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("`", "\\`");
}
