/** Parsers for the values of options and arguments, such as durations, identifiers and choices. */

import { InvalidArgumentError } from "commander";
import { parseDuration } from "../text/durations.ts";
import { nearest } from "../text/suggest.ts";
import { decimalOf } from "../writes/gate.ts";

/** Parses a duration above 0 on the command line to milliseconds. */
export function durationOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms <= 0)
    throw new InvalidArgumentError("Write a duration like 500ms, 5s, 30m, 1h or 1m30s.");
  return ms;
}

/** Parses an age on the command line to milliseconds. 0 means any age. */
export function ageOption(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError("Write a duration like 90d, 12h or 0s.");
  return ms;
}

export function wholeNumberOption(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} up` : `${min} to ${max}`;
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`Write a whole number from ${range}.`);
    return value;
  };
}

/**
 * Checks and returns a supplier code or an identifier, which is one segment of a path (INTERFACE 2,
 * "Conventions").
 */
export function identifierArgument(text: string): string {
  const problem = identifierProblem(text);
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

/** The argument of a command about a supplier, and that of one about a supply point of it. */
export const supplierArgument = ["<supplier>", "import supplier code", identifierArgument] as const;
export const supplyPointArgument = [
  "<id>",
  "external identifier of the supply point",
  identifierArgument,
] as const;

export function identifierArguments(text: string, before: readonly string[] = []): string[] {
  return [...before, identifierArgument(text)];
}

export function identifierProblem(text: string): string | null {
  if (text.trim() === "") return "must not be empty";
  if (text === "." || text === "..") return "must not be . or .., which would change the path";
  if (/\p{Cc}/u.test(text)) return "must not contain control characters";
  if (!text.isWellFormed()) return "is not well-formed text";
  return null;
}

export function repeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/**
 * Returns a parser that accepts the `allowed` words. Its error for another word lists them and
 * suggests the nearest.
 */
export function choiceOption<T extends string>(allowed: readonly T[]): (text: string) => T {
  const parse = (text: string) => {
    const choice = allowed.find((word) => word === text);
    if (choice !== undefined) return choice;
    const suggestion = nearest(text, allowed);
    const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
    throw new InvalidArgumentError(`Allowed: ${allowed.join(", ")}.${hint}`);
  };
  return Object.assign(parse, { allowed });
}

/**
 * Returns a parser that accepts any word, which is checked later. Completion offers the `allowed`
 * words.
 */
export function anyOption(allowed: readonly string[]): (text: string) => string {
  return Object.assign((text: string) => text, { allowed });
}

export function choicesOption<T extends string>(allowed: readonly T[]): (text: string) => T[] {
  const parseWord = choiceOption(allowed);
  const parse = (text: string) => text.split(",").map((word) => parseWord(word.trim()));
  return Object.assign(parse, { allowed });
}

export function choicesOf(parser: unknown): readonly string[] | null {
  return typeof parser === "function" && "allowed" in parser && Array.isArray(parser.allowed)
    ? parser.allowed
    : null;
}

/** Parses the value of a decimal option. Throws InvalidArgumentError. */
export function decimalOption(text: string): string {
  const decimal = decimalOf(text);
  if (decimal === null) throw new InvalidArgumentError("Write a number, such as -940.15.");
  return decimal;
}
