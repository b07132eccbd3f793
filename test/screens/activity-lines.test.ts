import { fitColumns } from "../../src/components/list-screen/column.ts";
import type { ListedEntry } from "../../src/hooks/journal.ts";
import { activityColumns } from "../../src/screens/activity/activity-columns.ts";
import { linesOf, outcomeCounts, outcomesText } from "../../src/screens/activity/activity-lines.ts";
import { formatInstant } from "../../src/text/dates.ts";

const sentAt = Date.parse("2026-11-22T09:19:38Z");

function entry(id: number, more: Partial<ListedEntry> = {}): ListedEntry {
  return {
    journal_id: id,
    created_at: "2026-11-22T09:00:00.000Z",
    profile: "acme-prod",
    operation: "notes create",
    import_supplier: "ACME",
    external_account_number: `EXT-000000${id}`,
    outcome: "confirmed",
    http_status: 201,
    code: null,
    attempts: 1,
    run: null,
    sentAt,
    ...more,
  };
}

test("the entries of a run are one line at the place of the most severe, and single ones stay", () => {
  const rows = [
    entry(5, { run: "r1", outcome: "unknown" }),
    entry(9),
    entry(8, { run: "r1" }),
    entry(7, { run: "r2" }),
  ];
  expect(linesOf(rows).map(({ id }) => id)).toEqual(["run r1", "9", "7"]);
  expect(outcomesText(outcomeCounts(rows))).toBe("1 unknown, 3 confirmed");
});

test("a run counts its worst rows if others ended otherwise, at any width", () => {
  const rejected = { run: "r1", outcome: "rejected" } as const;
  const mixed = [entry(1, rejected), entry(2, { run: "r1" }), entry(3, rejected)];
  const [line] = linesOf(mixed);
  const [whole] = linesOf([entry(1, rejected), entry(3, rejected)]);
  const of = { today: "2026-11-22", profile: "acme-prod" };
  if (line === undefined || whole === undefined) throw new Error("no line");
  const outcomes = [[line, whole], [whole]].map((lines) => {
    const outcome = activityColumns(lines, of).find(({ id }) => id === "outcome");
    if (outcome === undefined) throw new Error("no column");
    return [outcome.width, ...lines.map((one) => outcome.text(one, outcome.width))];
  });
  expect(outcomes).toEqual([
    [12, "✗ 2 rejected", "✗ rejected"],
    [11, "✗ rejected"],
  ]);
});

test("an entry shows when it was sent, and not when it was recorded", () => {
  const [line] = linesOf([entry(1)]);
  const [unsent] = linesOf([entry(2, { sentAt: null })]);
  const of = { today: "2026-11-22", profile: "acme-prod" };
  const sent = activityColumns([], of).find(({ id }) => id === "sent");
  if (line === undefined || unsent === undefined || sent === undefined) throw new Error("no line");
  expect(sent.text(line, 19)).toBe(formatInstant(sentAt));
  expect(sent.text(unsent, 19)).toBe("–");
});

test.each([200, 110, 80, 76, 60, 40])("another profile has its column at %d cells", (width) => {
  const lines = linesOf([entry(1), entry(2, { profile: "acme-test" })]);
  const of = { today: "2026-11-23", profile: "acme-prod" };
  const columns = fitColumns(activityColumns(lines, of), width);
  expect(columns.map(({ id }) => id)).toContain("profile");
  if (width < 60) return;
  const used = columns.reduce((sum, column) => sum + column.width + 2, 2);
  expect(used).toBeLessThanOrEqual(width);
});

test("the date and the open profile are not repeated on every line", () => {
  const lines = linesOf([entry(1), entry(2, { sentAt: null })]);
  const of = { today: formatInstant(sentAt).slice(0, 10), profile: "acme-prod" };
  const columns = fitColumns(activityColumns(lines, of), 110);
  expect(columns.map(({ id }) => id)).not.toContain("profile");
  const sent = columns.find(({ id }) => id === "sent");
  const [line] = lines;
  if (line === undefined || sent === undefined) throw new Error("no line");
  expect(sent.text(line, sent.width)).toBe(formatInstant(sentAt).slice(11));
});
