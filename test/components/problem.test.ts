import { ServiceError } from "../../src/api/errors.ts";
import { problemLines } from "../../src/components/problem.tsx";
import { errorWords } from "../../src/errors/error-words.ts";
import { widthOf } from "../../src/text/width.ts";

const words = errorWords(
  new ServiceError("unauthorized", "no", {
    httpStatus: 401,
    detail: "The token is not valid.",
  }),
  { doing: "listing the accounts of ACME", subject: { kind: "supplier", supplier: "ACME" } },
);
const more = "v shows all";
const joined = (width: number, rows: number) =>
  problemLines(words, { width, rows, more })
    .map(({ text }) => text)
    .join(" ");

test("an error in enough room says what happened, what to do and why", () => {
  const text = joined(80, 10);
  expect(text.indexOf("did not accept")).toBe(
    text.indexOf("Listing") + "Listing the accounts of ACME: the service ".length,
  );
  expect(text.indexOf("Log in again")).toBeLessThan(text.indexOf("The token is not valid"));
  expect(text).not.toContain(more);
});

test("an error in too little room begins with the remedy and says where the rest is", () => {
  const text = joined(60, 3);
  expect(text).toMatch(/^Log in again with `supplyline login --api-key-stdin`; if that/);
  expect(text).toMatch(/… v shows all$/);
});

test.each([1, 2, 3, 5])("no line of an error in %i rows is wider than its room", (rows) => {
  const lines = problemLines(words, { width: 60, rows, more });
  expect(lines.length).toBeLessThanOrEqual(rows);
  for (const { text } of lines) expect(widthOf(text)).toBeLessThanOrEqual(60);
});
