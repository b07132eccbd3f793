/** Quotes text as an argument for a POSIX shell, for commands that the user copies. */
import { safe, safeLines } from "./sanitize.ts";

const PLAIN_WORD = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;

/**
 * Returns a shell expression that produces a text with `printf`. The expression contains only octal
 * codes, so the original characters are neither shown nor pasted.
 */
function printfExpression(text: string): string {
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

function quoteRuns(text: string, isLiteral: (character: string) => boolean): string {
  let quoted = "";
  let run = "";
  let isLiteralRun = true;
  const flush = () => {
    if (run !== "")
      quoted += isLiteralRun ? `'${run.replaceAll("'", "'\\''")}'` : printfExpression(run);
    run = "";
  };
  for (const character of text) {
    if (isLiteral(character) !== isLiteralRun) {
      flush();
      isLiteralRun = !isLiteralRun;
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
  if (PLAIN_WORD.test(text)) return text;
  const quoted = quoteRuns(text, (character) => {
    // A combining mark is checked together with a base character.
    const withBase = `x${character}`;
    return character === "\n" || safe(withBase) === withBase;
  });
  if (safeLines(quoted) === quoted) return quoted;
  // The text has marks whose safety depends on their neighbors, so every character outside ASCII is
  // quoted with `printf`.
  return quoteRuns(text, (character) => /^[\n\x20-\x7e]$/.test(character));
}
