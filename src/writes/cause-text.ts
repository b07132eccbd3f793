/** Reduces an error message to the words that it shares with other failures of the same cause. */

const maxCharacters = 1000;
/** Minimum length of a removed value. A shorter value can be a part of any sentence. */
const minValueLength = 3;
const maxValues = 100;

const gap = "…";

/**
 * Returns a message without the row's values, quoted parts, dates and numbers, each replaced by a
 * gap. Control characters and consecutive spaces count as one space. The time is proportional to
 * the length of the message, whatever its content.
 */
export function commonWords(message: string, ownValues: readonly string[]): string {
  const text = inOneLine(message);
  const words = withoutQuoted(withoutValues(text, ownValues)).split(" ").map(withoutNumber);
  return withoutMonths(words)
    .filter((word, at, all) => word !== "" && !(word === gap && all[at - 1] === gap))
    .join(" ");
}

const isPlain = /^[\x20-\x7e]*$/;

function inOneLine(text: string): string {
  const start = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  return isPlain.test(start) ? start : start.replace(/[\p{C}\s]+/gu, " ");
}

/** Removes the row's values. Only whole words, because a short one can be part of a word. */
function withoutValues(text: string, values: readonly string[]): string {
  let result = text;
  const removed = values
    .slice(0, maxValues)
    .map((value) =>
      value
        .slice(0, maxCharacters)
        .replace(/[\p{C}\s]+/gu, " ")
        .trim(),
    )
    .filter((value) => value.length >= minValueLength && text.includes(value))
    .sort((one, other) => other.length - one.length);
  for (const value of removed) result = withoutValue(result, value);
  return result;
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** Returns true if the character at this index is a letter or a digit. False outside. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  if (code > 0x7f) return wordCharacter.test(text.charAt(at));
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

function withoutValue(text: string, value: string): string {
  let result = "";
  let from = 0;
  for (;;) {
    const at = text.indexOf(value, from);
    if (at === -1) return result + text.slice(from);
    const end = at + value.length;
    const isWhole =
      !(isWordAt(text, at - 1) && isWordAt(value, 0)) &&
      !(isWordAt(text, end) && isWordAt(value, value.length - 1));
    result += text.slice(from, at) + (isWhole ? gap : value);
    from = end;
  }
}

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
  "„": "“",
};

const anyQuote = new RegExp(`[${Object.keys(closing).join("")}]`);

/** Removes quoted parts. An apostrophe in a word opens no quotation. An open quote stays. */
function withoutQuoted(text: string): string {
  if (!anyQuote.test(text)) return text;
  let result = "";
  let from = 0;
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const quote = text.charAt(at);
    const close = closing[quote];
    if (close === undefined || unclosed.has(quote) || isWordAt(text, at - 1)) continue;
    const end = endOfQuoted(text, close, at + 1);
    if (end === -1) {
      unclosed.add(quote);
      continue;
    }
    result += text.slice(from, at) + gap;
    at = end;
    from = end + 1;
  }
  return result + text.slice(from);
}

function endOfQuoted(text: string, close: string, from: number): number {
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1))
    if (!isWordAt(text, end + 1)) return end;
  return -1;
}

/** A path to a field, such as `customers.0.landline:`. The names in it are part of the cause. */
const fieldPath = /^(?:[a-z_]+|\d+)(?:\.(?:[a-z_]+|\d+))+[:.,;]?$/;

function hasNumber(word: string): boolean {
  return /[0-9]/.test(word) || (!isPlain.test(word) && /\p{N}/u.test(word));
}

function withoutNumber(word: string): string {
  if (hasNumber(word))
    return /[a-z]/.test(word) && fieldPath.test(word) ? word.replace(/\d+/g, gap) : gap;
  // Punctuation next to a removed part is not a word.
  return word.includes(gap) && !/\p{L}/u.test(word) ? gap : word;
}

const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.,]?$/i;
const weekday = /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?[.,]?$/i;

/**
 * Removes the name of a month or a weekday next to a number, because it is a part of a date. `may`
 * without a number is a word.
 */
function withoutMonths(words: readonly string[]): readonly string[] {
  const left = [...words];
  const isGapAt = (at: number) => left[at] === gap;
  words.forEach((word, at) => {
    if ((isGapAt(at - 1) || isGapAt(at + 1)) && (month.test(word) || weekday.test(word)))
      left[at] = gap;
  });
  // In `Monday, November 22`, the weekday is next to the month, which is a gap now.
  words.forEach((word, at) => {
    if (isGapAt(at + 1) && weekday.test(word)) left[at] = gap;
  });
  return left;
}
