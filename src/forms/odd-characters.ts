/**
 * Finds invisible characters, characters that look like ASCII ones, and quotation marks around a
 * text. Forms, commands and files use the same rules.
 */

/** Format characters, variation selectors, fillers, line separators, blanks other than space. */
const invisible =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800[\p{Zs}--[ ]]]/gv;

/**
 * Characters that look like ASCII letters, digits or the hyphen: Cyrillic, Greek, Armenian and
 * Cherokee letters, full-width and mathematical forms, other digits, and dashes.
 */
const lookAlike =
  /[АВЕЅІЈКМНОРСТУХҮҺӀаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχϲϳօսոցհյքԼՏՍՕᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦıɑɡ\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u2212[\p{Nd}--[0-9]][\p{Pd}--[\-]]]/gv;

const zeroWidth = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gv;

/** Removes the characters that take no cell on the screen. */
export function withoutZeroWidth(text: string): string {
  return text.replace(zeroWidth, "");
}

const dash = /[\u2212[\p{Pd}--[\-]]]/gv;

/** Writes each dash as the hyphen, which editors replace by one. */
export function withHyphens(text: string): string {
  return text.replace(dash, "-");
}

const maxNamed = 3;

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Removes spaces, tabs and line breaks around a text. Invisible characters are not removed, so that
 * they are reported.
 */
export function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

const plain = /^[\x20-\x7e]*$/;

export function invisibleProblem(text: string): string | null {
  if (plain.test(text)) return null;
  const [first, ...more] = text.matchAll(invisible);
  if (first === undefined) return null;
  const [character] = first;
  const at = [...text.slice(0, first.index)].length + 1;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const place = `${codePoint(character)} at character ${at}${others}`;
  return /\p{Zs}/u.test(character)
    ? `Write a plain space or nothing in place of ${place}.`
    : `Remove ${place}: it cannot be seen.`;
}

/** Returns the warnings about invisible characters in a text. Emoji are checked as a whole. */
export function invisibleWarnings(text: string): readonly string[] {
  if (plain.test(text)) return [];
  const matches = text.replace(/\p{RGI_Emoji}/gv, "").match(invisible) ?? [];
  return matches.length === 0
    ? []
    : [`Sent unchanged with characters that cannot be seen: ${counted(matches.map(codePoint))}.`];
}

/**
 * Returns the warnings about characters that look like ASCII ones. A text in another script,
 * without ASCII letters, has no warning.
 */
export function lookAlikeWarnings(text: string): readonly string[] {
  if (plain.test(text)) return [];
  const matches = text.match(lookAlike) ?? [];
  const isOfAnotherScript = !/[A-Za-z]/.test(text) && /\p{L}/u.test(text.replace(lookAlike, ""));
  if (matches.length === 0 || isOfAnotherScript) return [];
  const names = matches.map((character) => `${character} (${codePoint(character)})`);
  return [`Sent unchanged with characters that look like others: ${counted(names)}.`];
}

/** Quotation marks around a text, as copied from a message or written by a word processor. */
const quotation =
  /^["'`\xab\xbb\u2018-\u201f\u2039\u203a].+["'`\xab\xbb\u2018-\u201f\u2039\u203a]$/su;

export function quotationWarnings(text: string): readonly string[] {
  return quotation.test(text.trim()) ? ["The quotation marks around it are sent, too."] : [];
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const phrases = [...counts].map(([name, times]) =>
    times === 1 ? name : `${name} ${times} times`,
  );
  const more = phrases.length - maxNamed;
  return more > 0
    ? `${phrases.slice(0, maxNamed).join(", ")} and ${more} more`
    : phrases.join(", ");
}
