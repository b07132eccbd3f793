import { safe, safeLines } from "./sanitise.ts";

const BARE = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;

/**
 * Returns a `printf` command for a POSIX shell that prints these bytes. The pasted text contains
 * none of them.
 */
function printed(text: string): string {
  let octal = "";
  for (const byte of new TextEncoder().encode(text)) {
    octal += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"$(printf '${octal}')"`;
}

/**
 * Returns true if a shell argument can contain this text: it has no NUL and no half surrogate pair.
 */
export function isArgument(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Quotes runs of text with single quotes, and the runs between them with `printf`. */
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
 * Quotes text as one word for a POSIX shell. Plain words stay unchanged, others get single quotes.
 * Characters that must not be shown or pasted are printed by `printf`, so that the command means
 * the same after it passed through a terminal (and through `safeLines`). See {@link isArgument} for
 * text that no shell can represent.
 */
export function shellQuote(text: string): string {
  if (text === "") return "''";
  if (BARE.test(text)) return text;
  const quoted = quoteRuns(text, (character) => {
    // A combining mark is checked on a base character.
    const based = `x${character}`;
    return character === "\n" || safe(based) === based;
  });
  if (safeLines(quoted) === quoted) return quoted;
  // Marks that are piled up or have no base depend on their neighbors, so all of them are spelled.
  return quoteRuns(text, (character) => /^[\n\x20-\x7e]$/.test(character));
}
