/** The words that a message shares with other rows of the same cause. */

/** Number of compared characters of a message. No message for people is longer. */
const longest = 1000;
/** Shorter values are words of any sentence. */
const shortestValue = 3;
const mostValues = 100;

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
  const some = text.length > longest ? text.slice(0, longest) : text;
  return isPlain.test(some) ? some : some.replace(/[\p{C}\s]+/gu, " ");
}

/**
 * Removes the values of the row itself, but only whole words, because a value must not remove a
 * part of another word.
 */
function withoutValues(text: string, values: readonly string[]): string {
  let left = text;
  const wanted = values
    .slice(0, mostValues)
    .map((value) =>
      value
        .slice(0, longest)
        .replace(/[\p{C}\s]+/gu, " ")
        .trim(),
    )
    .filter((value) => value.length >= shortestValue && text.includes(value))
    .sort((one, other) => other.length - one.length);
  for (const value of wanted) left = withoutValue(left, value);
  return left;
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** Returns true if there is a letter or a digit at this index. Outside the text there is none. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  if (code > 0x7f) return wordCharacter.test(text.charAt(at));
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

function withoutValue(text: string, value: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const at = text.indexOf(value, from);
    if (at === -1) return kept + text.slice(from);
    const end = at + value.length;
    const isWhole =
      !(isWordAt(text, at - 1) && isWordAt(value, 0)) &&
      !(isWordAt(text, end) && isWordAt(value, value.length - 1));
    kept += text.slice(from, at) + (isWhole ? gap : value);
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

/**
 * Removes quoted parts. An apostrophe inside a word opens no quotation, and one that is not closed
 * stays.
 */
function withoutQuoted(text: string): string {
  if (!anyQuote.test(text)) return text;
  let kept = "";
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
    kept += text.slice(from, at) + gap;
    at = end;
    from = end + 1;
  }
  return kept + text.slice(from);
}

function endOfQuoted(text: string, close: string, from: number): number {
  for (let end = text.indexOf(close, from); end !== -1; end = text.indexOf(close, end + 1))
    if (!isWordAt(text, end + 1)) return end;
  return -1;
}

/** A path to a field, such as `customers.0.landline:`; its names are part of the cause. */
const fieldPath = /^(?:[a-z_]+|\d+)(?:\.(?:[a-z_]+|\d+))+[:.,;]?$/;

function hasNumber(word: string): boolean {
  return /[0-9]/.test(word) || (!isPlain.test(word) && /\p{N}/u.test(word));
}

/** Removes a word with a digit: a number, a date, an account number or an identifier. */
function withoutNumber(word: string): string {
  if (hasNumber(word))
    return /[a-z]/.test(word) && fieldPath.test(word) ? word.replace(/\d+/g, gap) : gap;
  // A remainder next to a value or a quotation is no word.
  return word.includes(gap) && !/\p{L}/u.test(word) ? gap : word;
}

const month =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[.,]?$/i;
const weekday = /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?[.,]?$/i;

/**
 * Removes the name of a month or a day beside a number, which is a part of a date. `may` alone is a
 * word.
 */
function withoutMonths(words: readonly string[]): readonly string[] {
  const left = [...words];
  const isGapAt = (at: number) => left[at] === gap;
  words.forEach((word, at) => {
    if ((isGapAt(at - 1) || isGapAt(at + 1)) && (month.test(word) || weekday.test(word)))
      left[at] = gap;
  });
  // Monday, November 22: the day is beside the month, which is a gap now.
  words.forEach((word, at) => {
    if (isGapAt(at + 1) && weekday.test(word)) left[at] = gap;
  });
  return left;
}
