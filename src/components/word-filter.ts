import { fuzzyPattern, plainPattern } from "../accounts/filter-query.ts";

/** What a column of a row says, as shown and as on the wire. */
export type FilterTexts<Row> = (row: Row) => readonly (string | null)[];

/** What a filter text asks of a row, and what is wrong with it in words. */
export interface WordFilter<Row> {
  matches(row: Row): boolean;
  readonly problem: string | null;
}

function columnOf<Row>(columns: Readonly<Record<string, FilterTexts<Row>>>, name: string) {
  return Object.hasOwn(columns, name) ? columns[name] : undefined;
}

/** Reads `text`, `!text`, `~text` and `col:text`; all words must match, as on every list. */
export function wordFilter<Row>(
  text: string,
  columns: Readonly<Record<string, FilterTexts<Row>>>,
  anywhere: FilterTexts<Row>,
): WordFilter<Row> {
  const tests: ((row: Row) => boolean)[] = [];
  let problem: string | null = null;
  for (const word of text.split(/\s+/u)) {
    const [, not = "", name, fuzzy = "", wanted = ""] =
      /^(!?)(?:([a-z]+):)?(~?)(.*)$/iu.exec(word) ?? [];
    const texts = name === undefined ? anywhere : columnOf(columns, name.toLowerCase());
    if (texts === undefined) {
      problem ??= `There is no column "${name}": use ${Object.keys(columns).join(":, ")}:.`;
      continue;
    }
    if (wanted === "") continue;
    const pattern = fuzzy === "" ? plainPattern(wanted) : fuzzyPattern(wanted);
    const found = (row: Row) => texts(row).some((one) => one !== null && pattern.test(one));
    tests.push(not === "" ? found : (row) => !found(row));
  }
  return { matches: (row) => tests.every((test) => test(row)), problem };
}
