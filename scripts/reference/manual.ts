import type { Argument, Command, Option } from "commander";
import { choicesOf } from "../../src/commands/option-values.ts";
import { exitsOf, programFor } from "../../src/commands/program.ts";
import { journalFile } from "../../src/writes/journal/files.ts";

/** What every exit code means, for the page's EXIT STATUS. */
const exits: readonly (readonly [number, string])[] = [
  [0, "Done."],
  [1, "An unexpected fault of the program."],
  [2, "Usage or invalid input; nothing was sent."],
  [3, "No credentials, or the service refused them (401, 403)."],
  [4, "The service rejected the request (400)."],
  [5, "Not found (404)."],
  [6, "No usable answer after retries, and known to have had no effect."],
  [7, "A write whose outcome nobody knows; `supplyline activity verify` may tell."],
  [8, "A watch timed out."],
  [9, "A watch ended in another state than the one asked for."],
  [129, "The terminal has gone."],
  [130, "Interrupted."],
];

const environment: readonly (readonly [string, string])[] = [
  ["SUPPLYLINE_PROFILE", "The profile to work with, where --profile does not say."],
  [
    "SUPPLYLINE_CONFIG_DIR",
    "Profiles, preferences, credentials; by default the XDG config folder.",
  ],
  ["SUPPLYLINE_STATE_DIR", "Journal, drafts, watch list; by default the XDG state folder."],
  ["SUPPLYLINE_BASE_URL", "A profile for this command alone, with the key or token below."],
  ["SUPPLYLINE_API_KEY, SUPPLYLINE_TOKEN", "Its secret; taken out of the environment once read."],
  ["SUPPLYLINE_GRAPHQL_URL", "Where its tokens are obtained."],
  ["SUPPLYLINE_ENVIRONMENT", "Its label: sandbox, test or production."],
  ["SUPPLYLINE_BRAND, SUPPLYLINE_AUTH_FORM", "Its brand word, and token, bare or auto."],
  ["HTTPS_PROXY, NO_PROXY, NODE_EXTRA_CA_CERTS", "As everywhere."],
  ["NO_COLOR", "No colors."],
  [
    "COLORFGBG",
    "The terminal's background, where it does not answer itself: light or dark colors.",
  ],
  ["INK_SCREEN_READER", "Set to true it is --accessible: a linear screen without animation."],
  ["VISUAL, EDITOR", "The editor that a payload is opened in."],
  ["PAGER", "The program that long text is shown in; less by default."],
];

/** The manual page, in the man macros, of every command as the program itself declares it. */
export async function manualPage(version: string): Promise<string> {
  const silent = { write: () => true, columns: 80 };
  const program = await programFor({ version, stdout: silent, stderr: silent }, unused, "all");
  const commands = everyCommand(program).filter((command) => command !== program);
  return [
    `.TH SUPPLYLINE 1 "" "supplyline ${version}" "User Commands"`,
    ".SH NAME",
    text("supplyline - a terminal console for an account and supply point data-import service"),
    ".SH SYNOPSIS",
    ".B supplyline",
    text("[options] [command]"),
    ".SH DESCRIPTION",
    text(
      "Without a command it opens the console; with one it does a single thing and ends, for scripts. Results go to standard output, everything else to standard error. Every write is journalled before it is sent.",
    ),
    ".PP",
    text("In the console, ? explains the keys that work and : finds any place or action."),
    ".SH OPTIONS",
    ...options(program),
    ".SH COMMANDS",
    ...commands.flatMap(command),
    ".SH EXIT STATUS",
    ...exits.flatMap(([code, meaning]) => entry(String(code), meaning)),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, meaning]) => entry(name, meaning)),
    ".SH FILES",
    ...entry("~/.config/supplyline", "Settings, readable by their owner alone."),
    ...entry(
      "~/.local/state/supplyline",
      `What was sent (${journalFile}), drafts, the watch list.`,
    ),
    ".SH EXAMPLES",
    ...examples.flatMap(([meaning, line]) => [
      ".PP",
      text(meaning),
      ".RS",
      `.B ${escaped(line)}`,
      ".RE",
    ]),
    ".SH SEE ALSO",
    text("`supplyline help COMMAND` for the examples of a command; docs/README.md in the package."),
    "",
  ].join("\n");
}

/** What the program is started with most; the accounts are those of the sandbox. */
const examples: readonly (readonly [string, string])[] = [
  ["The console, on an embedded service:", "supplyline --sandbox"],
  ["Is this account imported?", "supplyline accounts status ACME EXT-0000001"],
  ["Wait until it is:", "supplyline accounts watch ACME EXT-0000007 --timeout 30m"],
  ["Leave a note:", "supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"],
  ["What has an unknown outcome?", "supplyline activity list --outcome unknown"],
];

/** The page runs nothing. */
const unused = { run: async () => {} };

function everyCommand(command: Command): readonly Command[] {
  const below = command.createHelp().visibleCommands(command);
  return [command, ...below.filter((one) => one.name() !== "help").flatMap(everyCommand)];
}

function command(one: Command): readonly string[] {
  const words = [...pathOf(one), ...one.registeredArguments.map(argument)];
  const groupsOthers = one.commands.length > 0;
  return groupsOthers
    ? []
    : [
        `.SS ${quoted(words.join(" "))}`,
        text(sentence(one.description())),
        ...one.registeredArguments.flatMap((each) =>
          each.description === "" ? [] : entry(each.name(), meaning(each)),
        ),
        ...options(one),
        ...entry("Exit status", `${exitsOf(one).join(", ")}.`),
      ];
}

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

function argument(one: Argument): string {
  const name = `${one.name()}${one.variadic ? "..." : ""}`;
  return one.required ? `<${name}>` : `[${name}]`;
}

function options(command: Command): readonly string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }: Option) => command.parent === null || long !== "--help")
    .flatMap((option: Option) => entry(option.flags, meaning(option)));
}

/** The description with its default. A literal value at its beginning stays as it is typed. */
function meaning({
  description,
  parseArg,
  defaultValue,
  defaultValueDescription,
}: Option | Argument) {
  const [first = ""] = description.split(/[,\s]/, 1);
  const isLiteral = choicesOf(parseArg)?.includes(first) ?? false;
  const shown = defaultValueDescription ?? defaultValue;
  const isSaid = shown === undefined || typeof shown === "boolean";
  const words = `${description}${isSaid ? "" : ` (default: ${String(shown)})`}`;
  return isLiteral ? words : sentence(words);
}

function entry(term: string, meaning: string): readonly string[] {
  return [".TP", `.B ${escaped(term)}`, text(meaning)];
}

function sentence(words: string): string {
  const first = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
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
