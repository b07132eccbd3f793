import { expect, test } from "vitest";
import { fitColumns } from "../../src/components/list-screen/column.ts";
import type { ListedEntry } from "../../src/hooks/journal.ts";
import {
  activityColumns,
  linesOf,
  outcomesText,
} from "../../src/screens/activity/activity-list.ts";
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
  expect(outcomesText(rows)).toBe("1 unknown, 3 confirmed");
});

test("an entry shows when it was sent, and not when it was recorded", () => {
  const [line] = linesOf([entry(1)]);
  const [unsent] = linesOf([entry(2, { sentAt: null })]);
  const sent = activityColumns("2026-11-22").find(({ id }) => id === "sent");
  if (line === undefined || unsent === undefined || sent === undefined) throw new Error("no line");
  expect(sent.text(line, 19)).toBe(formatInstant(sentAt));
  expect(sent.text(unsent, 19)).toBe("–");
});

test.each([200, 110, 80, 76, 60, 40])("the profile has its column at %d cells", (width) => {
  const columns = fitColumns(activityColumns("2026-11-22"), width);
  expect(columns.map(({ id }) => id)).toContain("profile");
  if (width < 60) return;
  const used = columns.reduce((sum, column) => sum + column.width + 2, 2);
  expect(used).toBeLessThanOrEqual(width);
});
