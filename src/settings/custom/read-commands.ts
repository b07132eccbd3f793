/** Reads and checks the user's custom commands in `commands.json`. */
import { isAbsolute } from "node:path";
import { type AppError, isAppError } from "../../errors/app-error.ts";
import { isRecord } from "../../json/exact.ts";
import { capital } from "../../text/connection-words.ts";
import { parseDuration } from "../../text/durations.ts";
import { safe } from "../../text/sanitize.ts";
import { nearest } from "../../text/suggest.ts";
import { truncate } from "../../text/width.ts";
import { jsonFile } from "../json-file.ts";
import {
  type CommandScreen,
  type CustomCommand,
  type CustomCommands,
  commandOutputs,
  commandScreens,
  markingScreens,
} from "./custom-command.ts";
import { commandValues, findPlaceholder, markedValues, placeholdersOf } from "./values.ts";

type Raw = Readonly<Record<string, unknown>>;

/** Default time limit of a program. A command can set another limit. */
const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 60 * 60_000;
const maxDescription = 200;

const commandFields = [
  ...["run", "env", "writes"],
  ...["key", "screens", "rows", "description", "confirm", "output", "timeout"],
];

/**
 * Reads `commands.json` of the settings folder. The file names programs to run, so it is not used
 * if other users can access it. Never throws: invalid commands are left out and reported.
 */
export function readCustomCommands(configDir: string): CustomCommands {
  const file = jsonFile(configDir, "commands");
  const commands: CustomCommand[] = [];
  const issues: string[] = [];
  const result = { path: file.path, commands, issues };
  const collectIssue = (entry: string, read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Issue)) throw error;
      const place = [entry, error.field].filter((part) => part !== "").join(".");
      issues.push(safe(`commands.json: ${place} ${error.message}`));
    }
  };
  let content: Raw;
  try {
    content = file.read();
  } catch (error) {
    if (!isAppError(error, "settings")) throw error;
    issues.push(safe(unusedReason(error)));
    return result;
  }
  collectIssue("", () => checkFieldNames(content, ["$schema", "commands"]));
  collectIssue("commands", () => {
    for (const [name, raw] of Object.entries(recordIn(content.commands))) {
      const entry = `commands.${shortened(name)}`;
      collectIssue(entry, () => commands.push(commandOf(name, entry, raw)));
    }
  });
  return result;
}

/** Returns the reason why the file is not used, remedy first, as a short notice is cut. */
function unusedReason({ message, facts }: AppError<"settings">): string {
  const reason = `${capital(message)}.`;
  return facts.fix ? `Fix: ${facts.fix}. ${reason}` : reason;
}

class Issue extends Error {
  /** The field with a colon, for example `run:`, or an empty text for the whole entry. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field === "" ? "" : `${field}:`;
  }
}

function shortened(text: string): string {
  return truncate(text, 40);
}

/** Returns an object, which is empty for an absent value. Throws an issue for any other value. */
function recordIn(value: unknown): Raw {
  if (value === undefined) return {};
  if (!isRecord(value)) throw new Issue("", "must be an object");
  return value;
}

/** Throws an issue for a field that does not exist. */
function checkFieldNames(raw: Raw, names: readonly string[]): void {
  for (const name of Object.keys(raw)) {
    if (names.includes(name)) continue;
    const suggestion = nearest(name, names);
    throw new Issue(
      shortened(name),
      `is not a field; ${suggestion === null ? `the fields are ${names.join(", ")}` : `did you mean ${suggestion}?`}`,
    );
  }
}

/** Parses a command. Throws its first issue. */
function commandOf(name: string, entry: string, value: unknown): CustomCommand {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,29}$/u.test(name))
    throw new Issue("", "needs a name of at most 30 letters, digits, blanks, dots and dashes");
  const raw = recordIn(value ?? null);
  checkFieldNames(raw, commandFields);
  const rows = choiceIn(raw, "rows", ["one", "marked"] as const) ?? "one";
  const output = choiceIn(raw, "output", commandOutputs) ?? "notice";
  const values = rows === "marked" ? markedValues : commandValues;
  const confirm = textIn(raw, "confirm");
  const description = textIn(raw, "description");
  if (description === null)
    throw new Issue("description", "is missing: a sentence for the help and the palette");
  if (description.length > maxDescription)
    throw new Issue("description", `must have at most ${maxDescription} characters`);
  const timeout = textIn(raw, "timeout");
  const timeoutMs = timeout === null ? defaultTimeoutMs : parseDuration(timeout);
  if (timeoutMs === null || timeoutMs < 1 || timeoutMs > maxTimeoutMs)
    throw new Issue("timeout", 'must be a duration of at most an hour, such as "2m"');
  return {
    ...programOf(entry, raw, values),
    writes: booleanIn(raw, "writes") ?? true,
    name,
    key: textIn(raw, "key"),
    screens: screensIn(raw, rows),
    rows,
    description,
    confirm,
    output,
    timeoutMs,
  };
}

function screensIn(raw: Raw, rows: "one" | "marked"): readonly CommandScreen[] {
  const possible = rows === "marked" ? markingScreens : commandScreens;
  const value = raw.screens;
  if (value === undefined) return possible;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const screens = list.map((item) => {
    const screen = possible.find((name) => name === item);
    if (screen !== undefined) return screen;
    const isScreen = commandScreens.some((name) => name === item);
    throw new Issue(
      "screens",
      `${isScreen ? `nothing can be marked on ${item}` : `${shortened(JSON.stringify(item))} is not a screen`}; the screens are ${possible.join(", ")}`,
    );
  });
  if (screens.length === 0)
    throw new Issue("screens", `is empty; the screens are ${possible.join(", ")}`);
  return screens;
}

function programOf(
  entry: string,
  raw: Raw,
  values: readonly string[],
): Pick<CustomCommand, "entry" | "argv" | "env"> {
  const argv = raw.run;
  if (argv === undefined)
    throw new Issue("run", 'is missing: the program and its arguments, as ["jq", "."]');
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === "string"))
    throw new Issue("run", 'must be a list of texts, as ["jq", "."]; no shell reads it');
  const [program] = argv;
  checkProgram(program);
  const env = recordIn(raw.env);
  for (const [name, text] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || typeof text !== "string")
      throw new Issue(`env.${shortened(name)}`, "must be the name of a variable, with a text");
    if (/^(?:PATH|IFS|ENV|BASH_ENV|NODE_OPTIONS|(?:LD|DYLD)_.*)$/.test(name))
      throw new Issue(`env.${name}`, "cannot be set here: it changes which program is run");
  }
  const texts = env as Readonly<Record<string, string>>;
  if ([...argv, ...Object.values(texts)].some((text) => text.includes("\0")))
    throw new Issue("run", "must not contain a NUL character");
  for (const text of [...argv, ...Object.values(texts)]) {
    const placeholder = findPlaceholder(text, values);
    if (placeholder !== null && text !== `{${placeholder}}`)
      throw new Issue(
        "run",
        `has {${placeholder}} inside ${shortened(JSON.stringify(text))}: a value must be the whole argument, or a variable of "env"`,
      );
  }
  for (const name of placeholdersOf({ argv, env: texts })) {
    if (values.includes(name)) continue;
    const suggestion = nearest(name, values);
    throw new Issue(
      "run",
      `names {${shortened(name)}}, which is not known; ${suggestion === null ? `the names are ${values.join(", ")}` : `did you mean {${suggestion}}?`}`,
    );
  }
  return { entry, argv, env: texts };
}

/** Throws an issue unless the program is a name, which PATH resolves, or an absolute path. */
function checkProgram(program: string | undefined): void {
  if (program === undefined || program === "" || /^\{.*\}$/.test(program))
    throw new Issue("run", "must begin with the program");
  if (program.includes("/") && !isAbsolute(program))
    throw new Issue("run", "must begin with an absolute path, or the name of a program in PATH");
}

/** Returns a text, or null if it is absent. Throws an issue for any other value. */
function textIn(raw: Raw, field: string): string | null {
  const value = raw[field];
  if (value === undefined) return null;
  if (typeof value !== "string" || value.trim() === "")
    throw new Issue(field, "must be a text that is not empty");
  return value;
}

function booleanIn(raw: Raw, field: string): boolean | undefined {
  const value = raw[field];
  if (value === undefined || typeof value === "boolean") return value;
  throw new Issue(field, "must be true or false");
}

function choiceIn<T extends string>(raw: Raw, field: string, values: readonly T[]): T | undefined {
  const value = raw[field];
  if (value === undefined) return undefined;
  const choice = values.find((candidate) => candidate === value);
  if (choice === undefined) throw new Issue(field, `must be one of ${values.join(", ")}`);
  return choice;
}
