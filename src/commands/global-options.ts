/** Declares and reads the options that every command has, such as `--profile` and `--format`. */

import type { Command } from "commander";
import { safe } from "../text/sanitize.ts";
import { nearest } from "../text/suggest.ts";
import { usageError } from "./command-error.ts";
import { anyOption, durationOption } from "./option-values.ts";

export const formats = ["table", "json", "jsonl", "csv", "tsv", "md"] as const;

export type Format = (typeof formats)[number];

const documentFormats = ["html", "prometheus"] as const;

export type AnyFormat = Format | (typeof documentFormats)[number];

/** Throws `usage` with the allowed formats if the verb does not print the requested one. */
export function checkFormat(
  verb: string,
  { format, document }: Pick<GlobalOptions, "format" | "document">,
  allowed: readonly AnyFormat[],
): void {
  const requested = document ?? format;
  if (allowed.includes(requested)) return;
  const suggestion = nearest(requested, allowed);
  const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
  throw usageError(
    `${verb} does not print ${safe(requested)}`,
    `Allowed: ${allowed.join(", ")}.${hint} \`supplyline ${verb} --help\` has examples.`,
  );
}

export interface GlobalOptions {
  readonly profile: string | undefined;
  readonly format: Format;
  /** The document format to print in place of rows, or null for rows. `format` is then `table`. */
  readonly document: Exclude<AnyFormat, Format> | null;
  readonly columns: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
  readonly log: string | undefined;
  readonly sandbox: boolean;
  readonly yes: boolean;
  readonly readOnly: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly ascii: boolean;
  readonly accessible: boolean;
}

export function addGlobalOptions(program: Command): void {
  program
    .option("--profile <name>", "the profile to work with")
    .option("--sandbox", "work against an embedded sandbox; nothing leaves this machine")
    .option(
      "--format <format>",
      `how results are printed: ${formats.join(", ")}; html and prometheus for single commands`,
      // Any format is accepted here, because each verb allows different ones and checks them later.
      anyOption([...formats, ...documentFormats]),
      "table",
    )
    .option("--json", "short for --format json")
    .option(
      "--timeout <duration>",
      "time limit of one request (default: 30s, lists 10m) or of a whole watch (default: none), such as 500ms, 30s, 5m or 1h30m",
      durationOption,
    )
    .option(
      "--log <file>",
      "add every request, wait, commit and slow frame to a file that only you can read",
    )
    .option("--yes", "go ahead without asking")
    .option("--read-only", "refuse every write")
    .option("--quiet", "print only results and errors")
    .option("--no-color", "no colors")
    .option("--ascii", "draw with ASCII characters only")
    .option("--accessible", "a linear screen without animation");
}

export function globalOptionsOf(command: Command, allowed: readonly AnyFormat[]): GlobalOptions {
  const options = command.optsWithGlobals();
  const isDefault = command.getOptionValueSourceWithGlobals("format") === "default";
  const verbDefault = allowed.includes("table") ? undefined : allowed[0];
  const requested: AnyFormat =
    options.json === true ? "json" : (isDefault && verbDefault) || options.format;
  const document = documentFormats.find((format) => format === requested) ?? null;
  return {
    profile: options.profile,
    format: document === null ? (requested as Format) : "table",
    document,
    columns: options.columns,
    timeoutMs: options.timeout,
    log: options.log,
    sandbox: options.sandbox === true,
    yes: options.yes === true,
    readOnly: options.readOnly === true,
    quiet: options.quiet === true,
    color: options.color !== false,
    ascii: options.ascii === true,
    accessible: options.accessible === true,
  };
}

export function printsJson({ format }: Pick<GlobalOptions, "format">): boolean {
  return format === "json" || format === "jsonl";
}

/**
 * Returns true if errors must be JSON. Reads the raw words, so that it works for an invalid command
 * line, too.
 */
export function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const beforeEnd = end === -1 ? words : words.slice(0, end);
  return beforeEnd.some(
    (word, index) =>
      word === "--json" ||
      /^--format=jsonl?$/.test(word) ||
      (word === "--format" && /^jsonl?$/.test(beforeEnd[index + 1] ?? "")),
  );
}
