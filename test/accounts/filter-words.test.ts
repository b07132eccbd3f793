/** Both engines, the offered words, the help and the problems have the same words of a filter. */
import { accountColumnNames, parseFilter } from "../../src/accounts/filter-query.ts";
import {
  commandFilterWords,
  filterHelp,
  type ListKind,
  offeredWords,
} from "../../src/accounts/filter-words.ts";
import { column } from "../../src/components/list-screen/column.ts";
import { rowFilter } from "../../src/components/list-screen/row-filter.ts";
import { helpLines } from "../../src/components/overlays/help-lines.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const columns = [column<string>("name", "Name", 8, (row) => row)];
const timed = [column<string>("name", "Name", 8, (row) => row, { time: { at: () => now, now } })];

/** The examples of the help that are not text, one for each word. */
const examples = filterHelp()
  .slice(4)
  .flatMap(([words]) => words.split(" "))
  .map((word) => word.replace("NAME", "wave"));

const engines = {
  rows: { of: (text: string) => rowFilter(text, columns).problem, columns: ["name"] },
  times: { of: (text: string) => rowFilter(text, timed).problem, columns: ["name"] },
  accounts: { of: (text: string) => parseFilter(text, now).problem, columns: accountColumnNames },
} as const;

describe.each(Object.entries(engines))("a list of %s", (kind, { of, columns }) => {
  const offered = offeredWords(kind as keyof typeof engines, columns);

  test.each(examples)("takes %s if a word for it is offered, and not otherwise", (example) => {
    const isOffered = offered.some((word) => example.startsWith(word.replace(/[<>]$/, "")));
    for (const word of [
      example,
      `!${example}`,
      example.replace(/^[a-z]+/, (name) => name.toUpperCase()),
    ])
      expect([word, of(word) === null]).toEqual([word, isOffered]);
  });

  test("names each offered word in the problem of an unknown prefix", () => {
    const problem = of("color:red") ?? "";
    for (const word of offered) expect(problem).toContain(word.replace(/:.*$/, ":"));
  });
});

test("the help and the option of the command have each word, without the marks of the console", () => {
  const help = helpLines("filters", { columns: 80 } as Parameters<typeof helpLines>[1])
    .flat()
    .map(({ text }) => text)
    .join("");
  for (const word of offeredWords("accounts", [])) {
    expect(help).toContain(word);
    expect(commandFilterWords.includes(word)).toBe(word !== "is:marked");
  }
});

test("the help of a list has the words that are offered there, and no other", () => {
  const shown = (list: ListKind) => filterHelp(offeredWords(list, [])).map(([word]) => word);
  const always = ["text", "!text", "~text", "col:text", "is:marked"];
  expect(shown("rows")).toEqual(always);
  expect(shown("times")).toEqual([...always, "age:>2d age:<1h", "since:2026-11-20"]);
  expect(filterHelp()).toEqual(filterHelp(offeredWords("accounts", [])));
});
