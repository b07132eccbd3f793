import { asciiCells } from "../../src/text/ascii-cells.ts";
import { accountStatusWords, supplyPointStatusWords } from "../../src/text/describe-status.ts";
import { widthOf } from "../../src/text/width.ts";

const POINT_STATES = [
  "IN_PROGRESS",
  "PENDING",
  "CANCELLED",
  "DRY_RUN_SUCCEEDED",
  "PROCESSED",
  "ERRORED",
  "DRY_RUN_ERRORED",
];

describe("statuses in words", () => {
  test.each(["UNKNOWN", "COMPLETED", "IN_PROGRESS"])("account %s is known", (status) => {
    expect(accountStatusWords(status).label).toBe(status);
    expect(accountStatusWords(status).tone).not.toBe("unknown");
  });

  test.each(POINT_STATES)("supply point %s is known", (status) => {
    expect(supplyPointStatusWords(status).label).toBe(status);
    expect(supplyPointStatusWords(status).tone).not.toBe("unknown");
  });

  test("each tone has its own mark of one cell, in ASCII too", () => {
    const all = [...POINT_STATES.map(supplyPointStatusWords), accountStatusWords("NEW")];
    const marks = new Map(all.map((words) => [words.tone, words]));
    expect(marks.size).toBe(6);
    expect(new Set([...marks.values()].map((words) => words.mark)).size).toBe(6);
    expect(new Set([...marks.values()].map(({ mark }) => asciiCells(mark))).size).toBe(6);
    for (const { mark } of marks.values()) {
      expect(widthOf(mark)).toBe(1);
      expect(asciiCells(mark)).toMatch(/^[\x21-\x7e]$/);
    }
  });

  test.each(["SOMETHING_NEW", "completed", "__proto__", "constructor"])(
    "%s is shown as received, as one that supplyline does not know",
    (status) => {
      expect(accountStatusWords(status)).toMatchObject({ label: status, tone: "unknown" });
      expect(accountStatusWords(status).meaning).toContain("Not a status that supplyline knows");
    },
  );

  test("a hostile or empty status is shown safely", () => {
    expect(accountStatusWords("\u001b[2J").label).toBe("␛[2J");
    expect(supplyPointStatusWords("")).toMatchObject({ label: "(empty)", tone: "unknown" });
  });
});
