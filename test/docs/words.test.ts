import { generatedPages } from "../../scripts/reference/pages.ts";
import { pages, pageText } from "./pages.ts";

const mostOfPage = 1400;
const mostOfAll = 25_800;

const generated = generatedPages.map(({ file }) => file);
/** The changelog grows with every release. */
const byHand = pages.filter((page) => !generated.includes(page) && page !== "CHANGELOG.md");

/** Counts the words of a page with its tables and blocks: the pieces that have a letter or a digit. */
function wordsOf(page: string): number {
  return pageText(page)
    .split(/\s+/)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;
}

test.each(byHand)(`%s has at most ${mostOfPage} words`, (page) => {
  expect(wordsOf(page)).toBeLessThanOrEqual(mostOfPage);
});

test(`the pages written by hand have at most ${mostOfAll} words together`, () => {
  expect(generated.every((file) => pages.includes(file))).toBe(true);
  const words = byHand.map((page) => ({ page, words: wordsOf(page) }));
  const sum = words.reduce((all, one) => all + one.words, 0);
  expect(sum, JSON.stringify(words, null, 1)).toBeLessThanOrEqual(mostOfAll);
});
