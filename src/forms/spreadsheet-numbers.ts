/**
 * Detects numbers that a spreadsheet or a data frame has changed in an identifier. Forms, commands,
 * files and lists use the same rules, because two such numbers can be equal although the numbers
 * that they come from differ.
 */

/** A long number as a spreadsheet shows it: `1.20006E+12`, `1,20006E+12`. */
const shortened = /^\d(?:[.,]\d+)?E\+\d+$/i;
/** A long number that became a floating-point number: `1200060254372.0`. */
const withDecimal = /^\d{6,}\.0$/;

export function shortenedProblem(text: string): string | null {
  return shortened.test(text)
    ? `A spreadsheet shortened this number. Format the column as text and export it again, or write '${text} for this very text.`
    : null;
}

function decimalProblem(text: string): string | null {
  return withDecimal.test(text)
    ? `The ".0" seems to come from a spreadsheet or a data frame. Write ${text.slice(0, -2)}, or '${text} for this very text.`
    : null;
}

/** Returns the warnings about a number in a request that is sent unchanged. */
export function numberWarnings(text: string): readonly string[] {
  const problem = decimalProblem(text);
  return problem === null ? [] : [`${problem} It is sent unchanged.`];
}

export function changedNumberProblem(text: string): string | null {
  return shortenedProblem(text) ?? decimalProblem(text);
}

/** Returns a text without the apostrophe that marks such a number as intended. */
export function asIntended(text: string): string {
  const rest = text.startsWith("'") ? text.slice(1) : text;
  return changedNumberProblem(rest) === null ? text : rest;
}

/** Returns a text as a list has to write it, so that {@link asIntended} returns the text. */
export function markedAsIntended(text: string): string {
  return changedNumberProblem(text) === null ? text : `'${text}`;
}
