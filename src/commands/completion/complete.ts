import type { Argument, Command, Option } from "commander";
import { sandboxProfile } from "../../settings/sandbox-profile.ts";
import type { Settings } from "../../settings/settings.ts";
import { safe } from "../../text/sanitize.ts";
import type { Invocation } from "../invocation.ts";
import { choicesOf } from "../option-values.ts";
import type { Verb } from "../verb.ts";

/** The command that a shell runs at each press of Tab. */
export const verb: Verb = {
  declare: (command) => command.argument("[words...]"),
  /**
   * Prints the completions at the cursor. The last word can be incomplete or empty. Prints nothing
   * after an error, because a message would disturb the command line.
   */
  async run(invocation, words: readonly string[], _options: unknown, { parent: program }: Command) {
    const names: Names = {
      profiles: () =>
        readOrNone(invocation, (settings) => settings.profiles().map(({ name }) => name)),
      suppliers: (profile) =>
        readOrNone(invocation, (settings) => {
          const name = profile ?? invocation.io.env.SUPPLYLINE_PROFILE ?? settings.currentName();
          if (name === sandboxProfile.name) return sandboxProfile.suppliers;
          return name === null || name === "" ? [] : (settings.find(name)?.suppliers ?? []);
        }),
      cohorts: async () => {
        const { openCohorts } = await import("../../triage/cohorts/cohorts.ts");
        return openCohorts(invocation.folders.stateDir)
          .names()
          .catch(() => []);
      },
    };
    const candidates =
      program === null ? [] : await candidatesFor(program, words, names).catch(() => []);
    for (const { value, description } of candidates) {
      await invocation.out.line(description === "" ? value : `${value}\t${description}`);
    }
  },
  exits: [0],
  examples: [],
};

async function readOrNone(
  invocation: Invocation,
  read: (settings: Settings) => readonly string[],
): Promise<readonly string[]> {
  try {
    return read(invocation.settings());
  } catch {
    return [];
  }
}

interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Reads names from the disk. Names that cannot be read are left out. */
interface Names {
  profiles(): Promise<readonly string[]>;
  /** Returns the suppliers of a profile, or of the profile in use if `profile` is null. */
  suppliers(profile: string | null): Promise<readonly string[]>;
  cohorts(): Promise<readonly string[]>;
}

const files: readonly Candidate[] = [{ value: ":files", description: "" }];

async function candidatesFor(
  program: Command,
  words: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const { complete, current } = splitCurrent(words);
  const cursor = readWords(program, complete);
  const sources: Names = {
    profiles: () => names.profiles(),
    cohorts: () => names.cohorts(),
    suppliers: () =>
      names.suppliers(complete.includes("--sandbox") ? sandboxProfile.name : cursor.profile),
  };
  const matching = (candidates: readonly Candidate[], prefix = "") =>
    candidates === files
      ? files
      : candidates
          .filter(({ value }) => value.startsWith(current.slice(prefix.length)))
          .map(({ value, description }) => ({ value: `${prefix}${value}`, description }));
  if (cursor.expects) return matching(await valuesOf(cursor.expects, sources));
  if (!cursor.onlyArguments && current.startsWith("-")) {
    const equals = current.indexOf("=");
    if (equals === -1) return matching(optionsOf(cursor.command, complete));
    const option = optionNamed(cursor.command, current.slice(0, equals));
    return option ? matching(await valuesOf(option, sources), current.slice(0, equals + 1)) : [];
  }
  const subcommands =
    cursor.position === 0
      ? cursor.command
          .createHelp()
          .visibleCommands(cursor.command)
          .map((command) => ({
            value: command.name(),
            description: firstClause(command.description()),
          }))
      : [];
  const all = cursor.command.registeredArguments;
  const argument = all[cursor.position] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return matching([...subcommands, ...(argument ? await valuesOf(argument, sources) : [])]);
}

/**
 * Separates the current word from the complete words before it. bash splits `--format=json` at the
 * equals sign, so the current word is then only the value.
 */
function splitCurrent(words: readonly string[]) {
  const complete = [...words];
  const current = complete.pop() ?? "";
  if (complete.at(-1) === "=") {
    complete.pop();
    return { complete, current };
  }
  if (current === "=") return { complete, current: "" };
  return { complete: complete.filter((word) => word !== "="), current };
}

/**
 * Returns the command that the words name, the number of its arguments so far, the option that
 * needs a value next, and the value of `--profile`.
 */
function readWords(program: Command, words: readonly string[]) {
  let command = program;
  let position = 0;
  let onlyArguments = false;
  let expects: Option | null = null;
  let profile: string | null = null;
  for (const word of words) {
    if (expects) {
      if (expects.long === "--profile") profile = word;
      expects = null;
    } else if (onlyArguments) position++;
    else if (word === "--") onlyArguments = true;
    else if (word.startsWith("-")) {
      const [name = "", value] = word.split("=", 2);
      const option = optionNamed(command, name);
      if (option && value === undefined && (option.required || option.optional)) expects = option;
      if (option?.long === "--profile" && value !== undefined) profile = value;
    } else {
      const subcommand =
        position === 0
          ? command.commands.find((candidate) => candidate.name() === word)
          : undefined;
      if (subcommand) command = subcommand;
      else position++;
    }
  }
  return { command, position, onlyArguments, expects, profile };
}

function optionNamed(command: Command, flag: string): Option | null {
  for (let owner: Command | null = command; owner; owner = owner.parent) {
    const option = owner.options.find(({ long, short }) => long === flag || short === flag);
    if (option) return option;
  }
  return null;
}

function optionsOf(command: Command, given: readonly string[]): readonly Candidate[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(
    (option) =>
      option.long && !given.includes(option.long)
        ? [{ value: option.long, description: firstClause(option.description) }]
        : [],
  );
}

async function valuesOf(owner: Option | Argument, names: Names): Promise<readonly Candidate[]> {
  const choices = choicesOf(owner.parseArg);
  if (choices) return undescribed(choices);
  // The name of an option's value determines its completion, such as `file` in `--from <file>`.
  const name =
    "flags" in owner ? (/[<[]([^>\]]+)[>\]]/.exec(owner.flags)?.[1] ?? "") : owner.name();
  if (/file|path|dir/.test(name)) return files;
  if (name === "supplier") return undescribed((await names.suppliers(null)).filter(isOneWord));
  if (name === "cohort") return undescribed(await names.cohorts());
  if (name === "name") return undescribed(await names.profiles());
  return [];
}

/**
 * Returns true if every shell displays and inserts a name unchanged. fish expands a leading `~`.
 */
function isOneWord(name: string): boolean {
  return safe(name) === name && !name.startsWith("~") && name !== ":files";
}

const undescribed = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, description: "" }));

function firstClause(text: string): string {
  return text.split(/[:;(]\s*|\n/, 1)[0]?.trim() ?? "";
}
