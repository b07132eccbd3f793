import { safe, safeLines } from "./sanitise.ts";

const BARE = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;

/** `printf` in a POSIX shell makes these bytes again, and the pasted text holds none of them. */
function printed(text: string): string {
  let octal = "";
  for (const byte of new TextEncoder().encode(text)) {
    octal += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `"$(printf '${octal}')"`;
}

/** Whether a shell argument can hold this text at all: not a NUL, not half a surrogate pair. */
export function isArgument(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Runs of text for single quotes, and runs for `printf` between them. */
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
 * Text as one word for a POSIX shell. Plain words stay as they are, the rest goes into single
 * quotes; characters that must not be shown or pasted as they are come from `printf`, so that the
 * command means the same after it went through a terminal (and through `safeLines`). See
 * {@link isArgument} for what no shell can hold.
 */
export function shellQuote(text: string): string {
  if (text === "") return "''";
  if (BARE.test(text)) return text;
  const quoted = quoteRuns(text, (character) => {
    // A mark is judged on a base, as it would stand.
    const based = `x${character}`;
    return character === "\n" || safe(based) === based;
  });
  if (safeLines(quoted) === quoted) return quoted;
  // Marks piled up or without a base: only their neighbours give them away, so spell them all.
  return quoteRuns(text, (character) => /^[\n\x20-\x7e]$/.test(character));
}
