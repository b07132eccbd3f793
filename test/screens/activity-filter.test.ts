import { rowFilter } from "../../src/components/list-screen/row-filter.ts";
import { activityColumns } from "../../src/screens/activity/activity-columns.ts";
import { entryLine } from "../../src/screens/activity/activity-lines.ts";
import type { ActivityRow } from "../../src/writes/activity.ts";

const row = (extra: Partial<ActivityRow>): ActivityRow => ({
  journal_id: 1,
  created_at: "2026-11-20T14:00:00.000Z",
  profile: "north",
  operation: "notes create",
  import_supplier: "ACME",
  external_account_number: "EXT-1",
  outcome: "confirmed",
  http_status: 201,
  code: null,
  attempts: 1,
  run: null,
  ...extra,
});

const rows: readonly ActivityRow[] = [
  row({ journal_id: 1 }),
  row({ journal_id: 2, outcome: "unknown", http_status: null }),
  row({ journal_id: 3, operation: "payment-instructions create", profile: "south" }),
  row({ journal_id: 4, outcome: "unsent", external_account_number: "EXT-2", http_status: null }),
];

const columns = activityColumns([], { today: "2026-11-20", profile: "acme-test" });
const filter = (text: string) => rowFilter(text, columns);

const found = (text: string) => {
  const { matches } = filter(text);
  return rows
    .filter((one) => matches(entryLine({ ...one, sentAt: null })))
    .map((one) => one.journal_id);
};

test.each([
  ["", [1, 2, 3, 4]],
  ["unknown", [2]],
  ["outcome:uns", [4]],
  ["outcome:unsent", [4]],
  ["PAYMENT", [3]],
  ["acme/ext-2", [4]],
  ["!profile:south ext:ext-1", [1, 2]],
  ["~pmtins", [3]],
  ["status:201 notes", [1]],
  ["[", []],
  ["profile:", [1, 2, 3, 4]],
])("the filter %j finds %j", (text, ids) => {
  expect(found(text)).toEqual(ids);
});

test("a column that does not exist is reported, and the other words still count", () => {
  expect(filter("color:red").problem).toMatch(/"color": use id:.* outcome:/);
  expect(found("color:red unknown")).toEqual([2]);
  // What every object has is no column either.
  expect(filter("constructor:red").problem).toMatch(/Unknown prefix "constructor"/);
  expect(found("constructor:red unknown")).toEqual([2]);
});
