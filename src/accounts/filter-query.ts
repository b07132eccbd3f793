/** What a filter text asks for. */

/** Where a word is looked for: anywhere in the row, or in one column. */
type FilterColumn = "any" | "external" | "service" | "created";

/** One word of a filter; all words must hold. */
export interface FilterWord {
  readonly column: FilterColumn;
  readonly negated: boolean;
  readonly fuzzy: boolean;
  readonly text: string;
}

/** A parsed filter. Words that make no sense are left out and reported in `problem`. */
export interface FilterQuery {
  readonly words: readonly FilterWord[];
  /** In plain words; null when the whole text was understood. */
  readonly problem: string | null;
}

const columnNames: ReadonlyMap<string, FilterColumn> = new Map([
  ["ext", "external"],
  ["external", "external"],
  ["svc", "service"],
  ["service", "service"],
  ["created", "created"],
]);

/** Reads a filter text: `text`, `!text`, `ext:` `svc:` `created:text`, `~text`, in any combination. */
export function parseFilter(text: string): FilterQuery {
  const words: FilterWord[] = [];
  let problem: string | null = null;
  for (const word of text.split(/\s+/u)) {
    if (word === "") continue;
    const read = readWord(word);
    if (typeof read === "string") problem ??= read;
    else words.push(read);
  }
  return { words, problem };
}

function readWord(word: string): FilterWord | string {
  let rest = word;
  let negated = false;
  let fuzzy = false;
  let column: FilterColumn = "any";
  if (rest.startsWith("!")) {
    negated = true;
    rest = rest.slice(1);
  }
  const named = /^([a-z_]+):/iu.exec(rest);
  if (named?.[1]) {
    const found = columnNames.get(named[1].toLowerCase());
    if (!found) {
      return `There is no column "${named[1]}": use ext:, svc: or created:, as in ext:${word}.`;
    }
    column = found;
    rest = rest.slice(named[0].length);
  }
  if (rest.startsWith("~")) {
    fuzzy = true;
    rest = rest.slice(1);
  }
  return rest === ""
    ? `"${word}" has no search text: write text after it.`
    : { column, negated, fuzzy, text: rest };
}

/** Plain text as a pattern that ignores case by Unicode's simple folding. */
export function plainPattern(text: string): RegExp {
  return new RegExp(RegExp.escape(text), "iu");
}

/**
 * The characters in their order, with anything between them, ignoring case. Each gap stops at the
 * first character that goes on, so that no text, however long, makes it try again.
 */
export function fuzzyPattern(text: string): RegExp {
  const steps = Array.from(text, (one) => `[^${RegExp.escape(one)}]*${RegExp.escape(one)}`);
  return new RegExp(`^${steps.join("")}`, "iu");
}

/** Whether every row with the first word has the second one too. May say no when it is so. */
export function finds(first: FilterWord, second: FilterWord): boolean {
  if (second.column !== "any" && second.column !== first.column) return false;
  if (second.fuzzy) return fuzzyPattern(second.text).test(first.text);
  return !first.fuzzy && plainPattern(second.text).test(first.text);
}
