/** Quotes text as an argument for a POSIX shell, for commands that the user copies. */
import { safe, safeLines } from "./sanitize.ts";

const BARE = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;

/**
 * Returns a shell expression that produces this text with `printf`. It contains only octal codes,
 * so the original characters are neither shown nor pasted.
 */
function printed(text: string): string {
  let octal = "";
  for (const byte of new TextEncoder().encode(text)) {
    octal += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"$(printf '${octal}')"`;
}

/**
 * Returns true if a shell argument can contain this text: it has no NUL and no unpaired surrogate.
 */
export function isArgument(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Quotes the literal runs of a text with single quotes, and the other runs with `printf`. */
function quoteRuns(text: string, isLiteral: (character: string) => boolean): string {
  let quoted = "";
  let run = "";
  let literal = true;
  const flush = () => {
    if (run !== "") quoted += literal ? `'${run.replaceAll("'", "'\\''")}'` : printed(run);
    run = "";
  };
  for (const character of text) {
    if (isLiteral(character) !== literal) {
      flush();
      literal = !literal;
    }
    run += character;
  }
  flush();
  return quoted;
}

/**
 * Quotes text as one word for a POSIX shell. Plain words stay unchanged. Other text is in single
 * quotes. Characters that must not be shown or pasted are produced by `printf`, so that the command
 * means the same after it has passed through a terminal (and through `safeLines`). See {@link
 * isArgument} for text that no shell can represent.
 */
export function shellQuote(text: string): string {
  if (text === "") return "''";
  if (BARE.test(text)) return text;
  const quoted = quoteRuns(text, (character) => {
    // A combining mark is checked together with a base character.
    const based = `x${character}`;
    return character === "\n" || safe(based) === based;
  });
  if (safeLines(quoted) === quoted) return quoted;
  // Stacked marks and marks without a base depend on their neighbors, so every character outside
  // ASCII is quoted with `printf`.
  return quoteRuns(text, (character) => /^[\n\x20-\x7e]$/.test(character));
}
