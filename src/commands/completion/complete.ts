import type { Argument, Command, Option } from "commander";
import { sandboxProfile } from "../../settings/sandbox-profile.ts";
import type { Settings } from "../../settings/settings.ts";
import { safe } from "../../text/sanitize.ts";
import type { Invocation } from "../invocation.ts";
import { choicesOf } from "../option-values.ts";
import type { Verb } from "../verb.ts";

/**
 * The hidden command `complete`: prints completions of a command line. The shell runs it at each
 * press of Tab.
 */
export const verb: Verb = {
  declare: (command) => command.argument("[words...]"),
  /**
   * Prints the completions at the cursor. The last word can be incomplete or empty. Prints nothing
   * after an error, because a message would disturb the command line.
   */
  async run(invocation, words: readonly string[], _options: unknown, { parent: program }: Command) {
    const names: Names = {
      profiles: () =>
        settled(invocation, (settings) => settings.profiles().map(({ name }) => name)),
      suppliers: (profile) =>
        settled(invocation, (settings) => {
          const wanted = profile ?? invocation.io.env.SUPPLYLINE_PROFILE ?? settings.currentName();
          if (wanted === sandboxProfile.name) return sandboxProfile.suppliers;
          return wanted === null || wanted === "" ? [] : (settings.find(wanted)?.suppliers ?? []);
        }),
      cohorts: async () => {
        const { openCohorts } = await import("../../triage/cohorts/cohorts.ts");
        return openCohorts(invocation.folders.stateDir)
          .names()
          .catch(() => []);
      },
    };
    const found =
      program === null ? [] : await candidatesFor(program, words, names).catch(() => []);
    for (const { value, says } of found) {
      await invocation.out.line(says === "" ? value : `${value}\t${says}`);
    }
  },
  exits: [0],
  examples: [],
};

async function settled(
  invocation: Invocation,
  read: (settings: Settings) => readonly string[],
): Promise<readonly string[]> {
  try {
    return read(invocation.settings());
  } catch {
    return [];
  }
}

/** A possible word, and a short description. */
interface Candidate {
  readonly value: string;
  readonly says: string;
}

/** The names that are read from disk, which can fail. */
interface Names {
  profiles(): Promise<readonly string[]>;
  /** Returns the suppliers of a profile, or of the profile in use if `profile` is null. */
  suppliers(profile: string | null): Promise<readonly string[]>;
  cohorts(): Promise<readonly string[]>;
}

/** The request to the shell to complete file names. */
const files: readonly Candidate[] = [{ value: ":files", says: "" }];

/** Returns the words that can replace the last of `words`, according to the declared commands. */
async function candidatesFor(
  program: Command,
  words: readonly string[],
  names: Names,
): Promise<readonly Candidate[]> {
  const { done, current, prefix } = cut(words);
  const at = follow(program, done);
  const sources: Names = {
    profiles: () => names.profiles(),
    cohorts: () => names.cohorts(),
    suppliers: () => names.suppliers(done.includes("--sandbox") ? sandboxProfile.name : at.profile),
  };
  const fitting = (found: readonly Candidate[], before = "") =>
    found === files
      ? files
      : found
          .filter(({ value }) => value.startsWith(current.slice(before.length)))
          .map(({ value, says }) => ({ value: `${before}${value}`, says }));
  if (at.expects) return fitting(await valuesOf(at.expects, sources), prefix);
  if (!at.onlyArguments && current.startsWith("-")) {
    const equals = current.indexOf("=");
    if (equals === -1) return fitting(optionsAt(at.command, done));
    const option = optionNamed(at.command, current.slice(0, equals));
    return option ? fitting(await valuesOf(option, sources), current.slice(0, equals + 1)) : [];
  }
  const below =
    at.position === 0
      ? at.command
          .createHelp()
          .visibleCommands(at.command)
          .map((command) => ({ value: command.name(), says: brief(command.description()) }))
      : [];
  const all = at.command.registeredArguments;
  const argument = all[at.position] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  return fitting([...below, ...(argument ? await valuesOf(argument, sources) : [])]);
}

/**
 * Separates the last word from the others. bash splits `--format=json` at the equals sign, so only
 * the value is completed.
 */
function cut(words: readonly string[]) {
  const whole = [...words];
  const current = whole.pop() ?? "";
  if (whole.at(-1) === "=") {
    whole.pop();
    return { done: whole, current, prefix: "" };
  }
  if (current === "=") return { done: whole, current: "", prefix: "" };
  return { done: whole.filter((word) => word !== "="), current, prefix: "" };
}

/**
 * Returns the command that the words name, the number of its arguments so far, the option that
 * needs a value next, and the value of `--profile`.
 */
function follow(program: Command, words: readonly string[]) {
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
      const below =
        position === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (below) command = below;
      else position++;
    }
  }
  return { command, position, onlyArguments, expects, profile };
}

function optionNamed(command: Command, name: string): Option | null {
  for (let at: Command | null = command; at; at = at.parent) {
    const found = at.options.find(({ long, short }) => long === name || short === name);
    if (found) return found;
  }
  return null;
}

/** Returns the options of the command, then the global options, without those already given. */
function optionsAt(command: Command, given: readonly string[]): readonly Candidate[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(
    (option) =>
      option.long && !given.includes(option.long)
        ? [{ value: option.long, says: brief(option.description) }]
        : [],
  );
}

async function valuesOf(what: Option | Argument, names: Names): Promise<readonly Candidate[]> {
  const choices = choicesOf(what.parseArg);
  if (choices) return plain(choices);
  // The name of an option's value determines its completion, such as `file` in `--from <file>`.
  const name = "flags" in what ? (/[<[]([^>\]]+)[>\]]/.exec(what.flags)?.[1] ?? "") : what.name();
  if (/file|path|dir/.test(name)) return files;
  if (name === "supplier") return plain((await names.suppliers(null)).filter(isOneWord));
  if (name === "cohort") return plain(await names.cohorts());
  if (name === "name") return plain(await names.profiles());
  return [];
}

/**
 * Returns true if every shell displays and inserts a name unchanged. fish expands a leading `~`.
 */
function isOneWord(name: string): boolean {
  return safe(name) === name && !name.startsWith("~") && name !== ":files";
}

const plain = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, says: "" }));

/** Returns the first sentence or clause, because a shell shows one line. */
function brief(text: string): string {
  return text.split(/[:;(]\s*|\n/, 1)[0]?.trim() ?? "";
}
