/** Reads the numbers that the command `find` searches for: arguments, a list, or any text. */
import { isUtf8 } from "node:buffer";
import { runToEnd } from "../../accounts/slices.ts";
import { isAppError } from "../../errors/app-error.ts";
import { plural } from "../../text/numbers.ts";
import { readKnownNumbers } from "../../triage/find/known-numbers.ts";
import { numbersIn, unwrapped } from "../../triage/find/pasted-numbers.ts";
import { storedAccounts } from "../../triage/find/searched-accounts.ts";
import { readSource } from "../../triage/source/read-source.ts";
import type { Source } from "../../triage/source/source.ts";
import { usageError } from "../command-error.ts";
import { accountsGiven, numbersInList, sourceUsageError } from "../given-accounts.ts";
import type { Invocation } from "../invocation.ts";
import type { Observing } from "../observing.ts";
import { readNamed } from "../read-input.ts";

/** The arguments and the file of the command. An argument `-` is standard input. */
interface GivenNumbers {
  readonly named: readonly string[];
  readonly from: string | undefined;
}

export interface NumbersAndText {
  readonly numbers: readonly string[];
  /** The text, or null if there is none or if it is a list of numbers. */
  readonly text: { readonly name: string; readonly content: string } | null;
}

/**
 * Reads the numbers before anything is requested. A file that is no list of numbers is returned as a
 * text. Throws `usage` if nothing is given, and for a list with an unusable row.
 */
export async function numbersGiven(
  invocation: Invocation,
  { named, from }: GivenNumbers,
): Promise<NumbersAndText> {
  const isPiped = named.includes("-");
  if (isPiped && from !== undefined)
    throw usageError("- and --from exclude each other", "Give one.");
  const path = isPiped ? "-" : from;
  const numbers = named.filter((number) => number !== "-").map((number) => number.trim());
  if (path === undefined)
    return {
      numbers: await accountsGiven(invocation, "find", { named: numbers, from }),
      text: null,
    };
  const { name: file, bytes } = await readNamed(invocation.io, path);
  const name = path === "-" ? file : `--from ${file}`;
  const list = listIn(bytes, name);
  if (list === null) return { numbers, text: { name, content: Buffer.from(bytes).toString() } };
  return {
    numbers: [...numbers, ...numbersInList(invocation, { source: list, name })],
    text: null,
  };
}

/** Returns the list in the bytes, or null for a text with numbers. Throws `usage`. */
function listIn(bytes: Uint8Array, name: string): Source | null {
  const isText = isUtf8(bytes) && !bytes.includes(0);
  let source: Source;
  try {
    source = readSource(bytes, { name });
  } catch (error) {
    // A table with other columns is a text in which numbers are searched.
    if (isText && isAppError(error, "source") && error.facts.columns !== undefined) return null;
    throw sourceUsageError(error, { choosesColumn: false });
  }
  return isText && isProse(source) ? null : source;
}

/** Returns true if the rows are not numbers: lines with other text, or objects without the column. */
function isProse(source: Source): boolean {
  let hasObjectsOnly = source.rows > 0 && source.layout === "jsonl";
  for (let row = 0; row < source.rows; row++) {
    const number = source.numberOf(row);
    if (source.layout === "text" && /[\s,;|"'`=]/u.test(number)) return true;
    if (source.layout === "text" && number !== "" && unwrapped(number) !== number) return true;
    if (source.issueOf(row)?.kind !== "no-number") hasObjectsOnly = false;
  }
  return hasObjectsOnly;
}

/**
 * Returns the numbers in a text: those that the stored observations know or that look like them. While
 * nothing is stored, every word with a digit counts. Throws `usage` if there is none.
 */
export async function numbersInText(
  invocation: Invocation,
  observing: Observing,
  suppliers: readonly string[],
  { name, content }: NonNullable<NumbersAndText["text"]>,
): Promise<readonly string[]> {
  const { signal } = invocation.io;
  const sources = {
    suppliers,
    list: () => [],
    async stored(supplier: string) {
      const ages = await observing.read((observations) => observations.ages(supplier, signal));
      return ages ? [storedAccounts(ages)] : [];
    },
  };
  const known = await readKnownNumbers(sources, signal);
  const numbers = runToEnd(numbersIn(content, known));
  if (numbers.length > 0) {
    invocation.progress(`${plural(numbers.length, "number")} in ${name}.`);
    return numbers;
  }
  const { samples } = known.shapes;
  throw usageError(
    `${name} has no account number`,
    samples.length === 0
      ? "No list is stored yet, so any word with a digit counts."
      : `Numbers like ${samples.join(", ")} are what counts as a number.`,
  );
}
