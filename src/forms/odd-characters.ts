/**
 * Finds invisible characters, and characters that look like ASCII ones. Forms, commands and files
 * use the same rules.
 */

/** Format characters, variation selectors, fillers, line separators, and blanks other than the space. */
const unseen =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800[\p{Zs}--[ ]]]/gv;

/**
 * Characters that look like ASCII letters, digits or the hyphen: Cyrillic, Greek, Armenian and Cherokee
 * letters, full-width and mathematical forms, other digits, and dashes.
 */
const lookAlike =
  /[АВЕЅІЈКМНОРСТУХҮҺӀаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχϲϳօսոցհյքԼՏՍՕᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏙᏚᏞᏟᏢᏦıɑɡ\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u2212[\p{Nd}--[0-9]][\p{Pd}--[\-]]]/gv;

/** Maximum number of characters that one message names. */
const maxNamed = 3;

/** Returns the name of a character, such as `U+200B`. */
function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Removes spaces, tabs and line breaks around a text. An invisible character stays, so that it is
 * reported.
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

/** Matches printable ASCII, as most values are. */
const plain = /^[\x20-\x7e]*$/;

/** Returns the error for an invisible character in a value that must match exactly, or null. */
export function unseenProblem(text: string): string | null {
  if (plain.test(text)) return null;
  const [first, ...more] = text.matchAll(unseen);
  if (first === undefined) return null;
  const [character] = first;
  const at = [...text.slice(0, first.index)].length + 1;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const which = `${codePoint(character)} at character ${at}${others}`;
  return /\p{Zs}/u.test(character)
    ? `Write a plain space or nothing in place of ${which}.`
    : `Remove ${which}: it cannot be seen.`;
}

/** Returns the warnings about invisible characters in a text. Emoji are checked as a whole. */
export function unseenWarnings(text: string): readonly string[] {
  if (plain.test(text)) return [];
  const found = text.replace(/\p{RGI_Emoji}/gv, "").match(unseen) ?? [];
  return found.length === 0
    ? []
    : [`Sent unchanged with characters that cannot be seen: ${counted(found.map(codePoint))}.`];
}

/**
 * Returns the warnings about characters that look like ASCII ones, in a text with or without ASCII
 * letters. A text in another script gets no warning.
 */
export function lookAlikeWarnings(text: string): readonly string[] {
  if (plain.test(text)) return [];
  const found = text.match(lookAlike) ?? [];
  const isOfAnotherScript = !/[A-Za-z]/.test(text) && /\p{L}/u.test(text.replace(lookAlike, ""));
  if (found.length === 0 || isOfAnotherScript) return [];
  const names = found.map((character) => `${character} (${codePoint(character)})`);
  return [`Sent unchanged with characters that look like others: ${counted(names)}.`];
}

/** Formats each name once, with its number if there are several. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const words = [...counts].map(([name, times]) => (times === 1 ? name : `${name} ${times} times`));
  const more = words.length - maxNamed;
  return more > 0 ? `${words.slice(0, maxNamed).join(", ")} and ${more} more` : words.join(", ");
}
