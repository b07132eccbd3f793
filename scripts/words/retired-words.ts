/** A word or phrase that the project no longer uses, and what stands in its place. */
interface RetiredWord {
  readonly pattern: RegExp;
  readonly use: string;
}

/** The words of the older prose. The vocabulary that replaces them is in docs/glossary.md. */
const retired: readonly RetiredWord[] = [
  { pattern: /\b(?:told|tells?|telling|untold)\b/i, use: "report, show, say who reports what" },
  { pattern: /\b(?:says?|said) of\b/i, use: "report, describe" },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, use: "fix, remedy" },
  { pattern: /\bput (?:by|aside)\b/i, use: "saved, paused" },
  { pattern: /\bland(?:s|ed)\b/i, use: "took effect" },
  { pattern: /\b(?:is|are) there already\b|\bthere already\b/i, use: "already exists" },
  { pattern: /\bonce more\b/i, use: "again" },
  { pattern: /\bby now\b/i, use: "yet, already" },
  { pattern: /\b(?:nobody|somebody)\b/i, use: "no one, another user, you" },
  { pattern: /\bas (?:it|they) came\b/i, use: "raw" },
  { pattern: /\banew\b/i, use: "again, from the start" },
  { pattern: /\bput on record\b/i, use: "recorded, saved to the journal" },
  { pattern: /\bgravest\b/i, use: "most severe" },
  { pattern: /\bbecame of\b/i, use: "outcome" },
  { pattern: /\bso (?:many|long|old) (?!as\b)(?=\w+(?: ago|\b))/i, use: "N, that long" },
  { pattern: /\b(?:lend|lends|lent|lending)\b/i, use: "borrow and release" },
  { pattern: /\b(?:teller|tellers)\b/i, use: "progress reporter" },
  { pattern: /\b(?:goes|going|went|gone|go) on (?:with|where|again)\b/i, use: "resume, continue" },
  { pattern: /\b(?:tried|tries|try) anew\b/i, use: "retry" },
  { pattern: /\bcancelled\b|\bcolour\w*|\bbehaviour\w*/, use: "American spelling" },
];

/** Words retired only in what users read: in code they may be names. */
const retiredForUsers: readonly RetiredWord[] = [
  { pattern: /\bkept\b/i, use: "saved, stored" },
  { pattern: /\bremarks?\b/i, use: "issue, with a severity" },
  { pattern: /\blooked\b/i, use: "checked" },
];

/** A use of a retired word. */
export interface Finding {
  readonly word: string;
  readonly use: string;
  readonly text: string;
}

/** The retired words in one text; `forUsers` also looks for those retired only in what users read. */
export function retiredIn(text: string, forUsers: boolean): Finding[] {
  const words = forUsers ? [...retired, ...retiredForUsers] : retired;
  return words.flatMap(({ pattern, use }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ word: found[0], use, text: text.trim().slice(0, 160) }];
  });
}
