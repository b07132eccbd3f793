/**
 * Promise: no page says that production is locked without saying for whom. The console locks it, a
 * read-only profile refuses every write, and a command writes after a confirmation. The pages of keys,
 * commands and settings are made from the program's own words.
 */
import { pages, proseOf } from "./pages.ts";

/** Returns the sentences of a text. An item of a list and a row of a table are at least one each. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .replace(/\n(?!\s*(?:[-|#]|\d+\. |\n))\s*/g, " ")
    .split(/\n|(?<=[.:;!?]) +(?=[A-Z*`[])/)
    .filter((sentence) => sentence.trim() !== "");

const isPromise = (sentence: string) =>
  /\bproduction\b/i.test(sentence) && /\b(?:locked|read-only|refused?|refuses)\b/i.test(sentence);

/** Returns true if a sentence names who keeps the promise. */
const namesWhoKeepsIt = (sentence: string) =>
  /\bconsole\b|`U`|`--read-only`|read-only profile/i.test(sentence);

const promises = pages
  .filter((page) => page !== "CHANGELOG.md")
  .flatMap((page) => sentencesOf(proseOf(page)).map((sentence) => ({ page, sentence })))
  .filter(({ sentence }) => isPromise(sentence));

test("each promise about production says who keeps it", () => {
  expect(promises.length).toBeGreaterThan(5);
  expect(promises.filter(({ sentence }) => !namesWhoKeepsIt(sentence))).toEqual([]);
});

test.each([
  "3. `profiles add` saves it; production is locked until you unlock it.",
  "| **environment** | Production is read-only until you unlock it |",
  "Production is red and locked until you unlock it.",
])("a promise to every reader is found: %s", (sentence) => {
  const found = sentencesOf(`Before it.\n${sentence}\n`).filter(isPromise);
  expect(found.filter((text) => !namesWhoKeepsIt(text))).toHaveLength(1);
});
