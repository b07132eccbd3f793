import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { choiceOption, durationOption } from "./option-values.ts";

const formats = ["table", "json", "jsonl", "csv"] as const;

export type Format = (typeof formats)[number];

/** Refuses a format that the verb does not print. Throws `usage` with those it does. */
export function checkFormat(
  verb: string,
  { format }: Pick<GlobalOptions, "format">,
  allowed: readonly Format[] = formats,
): void {
  if (allowed.includes(format)) return;
  throw new CommandError(
    "usage",
    `${verb} does not print ${format}`,
    `Allowed: ${allowed.join(", ")}.`,
  );
}

/** What may be said before or after every command. */
export interface GlobalOptions {
  readonly profile: string | undefined;
  readonly format: Format;
  /** Milliseconds. */
  readonly timeoutMs: number | undefined;
  readonly sandbox: boolean;
  readonly yes: boolean;
  readonly readOnly: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly accessible: boolean;
}

/** Declares the options on the program itself; commander takes them in any place. */
export function addGlobalOptions(program: Command): void {
  program
    .option("--profile <name>", "the profile to work with")
    .option("--sandbox", "work against an embedded sandbox; nothing leaves this machine")
    .option(
      "--format <format>",
      `how results are printed: ${formats.join(", ")}`,
      choiceOption(formats),
      "table",
    )
    .option("--json", "short for --format json")
    .option(
      "--timeout <duration>",
      "time limit of one request (default: 30s, lists 10m) or of a whole watch (default: none), such as 500ms, 30s, 5m or 1h30m",
      durationOption,
    )
    .option("--yes", "go ahead without asking")
    .option("--read-only", "refuse every write")
    .option("--quiet", "print only results and errors")
    .option("--no-color", "no colors")
    .option("--ascii", "no characters beyond ASCII in what the program draws")
    .option("--accessible", "a linear screen without animation");
}

/** What was said, from anywhere in the command line. */
export function globalOptionsOf(command: Command): GlobalOptions {
  const said = command.optsWithGlobals();
  return {
    profile: said.profile,
    format: said.json === true ? "json" : said.format,
    timeoutMs: said.timeout,
    sandbox: said.sandbox === true,
    yes: said.yes === true,
    readOnly: said.readOnly === true,
    quiet: said.quiet === true,
    color: said.color !== false,
    ascii: said.ascii === true,
    accessible: said.accessible === true,
  };
}

/** Whether results and errors are JSON. */
export function speaksJson({ format }: Pick<GlobalOptions, "format">): boolean {
  return format === "json" || format === "jsonl";
}

/** Whether errors are to be JSON, judged by the bare words: also when they cannot be parsed. */
export function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const said = end === -1 ? words : words.slice(0, end);
  return said.some(
    (word, at) =>
      word === "--json" ||
      /^--format=jsonl?$/.test(word) ||
      (word === "--format" && /^jsonl?$/.test(said[at + 1] ?? "")),
  );
}
