import { AppError } from "../errors/app-error.ts";

/**
 * Splits a command line as a POSIX shell would: blanks separate words, single quotes protect
 * everything, double quotes protect all but `\"`, `\\`, `\$` and `` \` ``, a backslash protects the
 * next character. Nothing is expanded, so `$`, `*`, `~`, `|` and `;` are ordinary characters.
 * Throws `invalid` if a quote is not closed.
 */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  const chars = [...command];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = (word ?? "") + char;
    } else if (char === "\\" && (quote === null || /["\\$`]/.test(chars[at + 1] ?? ""))) {
      at += 1;
      const next = chars[at];
      if (next === undefined) throw unfinished("ends in a backslash");
      word = (word ?? "") + next;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) throw unfinished("leaves a quote open");
  if (word !== null) words.push(word);
  return words;
}

function unfinished(what: string): AppError<"settings"> {
  return new AppError("settings", "invalid", `the credential helper's command ${what}`);
}
