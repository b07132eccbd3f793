import type { RunCounts } from "../../src/bulk/run-record.ts";
import {
  countsText,
  countsWithin,
  openRows,
  rowsDone,
  rowsLeft,
  shareText,
} from "../../src/bulk/run-words.ts";
import { noneLeftAlone as leftAlone, none } from "./no-counts.ts";

const mixed: RunCounts = {
  ...none,
  confirmed: 190,
  exists: 4,
  rejected: 9,
  unknown: 2,
  sending: 7,
  waiting: 188,
};

test("the counts of a run begin with the most severe and omit zeros", () => {
  expect(countsText({ ...none, confirmed: 107, rejected: 5, unknown: 5 })).toBe(
    "5 unknown, 5 rejected, 107 confirmed",
  );
  expect(countsText(mixed)).toBe(
    "2 unknown, 9 rejected, 7 being sent, 188 not sent, 190 confirmed, 4 already existed",
  );
});

test("with little room the words are short, and whole counts are left out from the least grave on", () => {
  expect(countsWithin(mixed, 100)).toBe(countsText(mixed));
  expect(countsWithin(mixed, 60)).toBe("2 unk, 9 rej, 7 sending, 188 unsent, 190 conf, 4 existed");
  expect(countsWithin(mixed, 30)).toBe("2 unk, 9 rej, +4 more");
  expect(countsWithin(mixed, 1)).toBe("2 unk");
});

test("an unknown row is done, and yet left for a resume", () => {
  const counts = { ...none, confirmed: 5, unknown: 2, retryable: 1, waiting: 1, sending: 1 };
  expect(rowsDone({ counts, rows: 10 })).toBe(8);
  expect(rowsLeft({ counts, leftAlone })).toBe(5);
});

test("a row that a resume neither sends nor verifies is not left for a resume", () => {
  const counts = { ...none, unknown: 2, retryable: 2, waiting: 3 };
  const alone = { heldBack: 2, earlier: [1], retryable: 1, unknown: 2 };
  expect(rowsLeft({ counts, leftAlone: alone })).toBe(2);
});

test("the rows left of a stopped run are those that resuming handles, as every face says", () => {
  const counts = { ...none, confirmed: 5, unknown: 2, retryable: 1, waiting: 1, sending: 1 };
  expect(openRows({ counts, leftAlone, state: "stopped" })).toBe(rowsLeft({ counts, leftAlone }));
  expect(openRows({ counts, leftAlone, state: "running" })).toBe(2);
  expect(openRows({ counts, leftAlone, state: "ended" })).toBe(0);
});

test("a run with failures is never shown as 100 %", () => {
  const share = (counts: Partial<RunCounts>, rows: number) =>
    shareText({ counts: { ...none, ...counts }, rows });
  expect(share({ confirmed: 25, rejected: 12, unknown: 3 }, 40)).toBe("37.5 % failed");
  expect(share({ confirmed: 25, exists: 15 }, 40)).toBe("100.0 %");
  expect(share({ rejected: 10, waiting: 30 }, 40)).toBe("25.0 %");
});
