import { ServiceError } from "../../../src/api/errors.ts";
import { recordsText } from "../../../src/rows/csv.ts";
import {
  answerWords,
  classesOf,
  classWords,
  type RowCounts,
  rowClasses,
} from "../../../src/triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../../src/triage/reconcile/reconciled.ts";
import { rowFields } from "../../../src/triage/reconcile/row-fields.ts";

function counts(given: Partial<RowCounts>): RowCounts {
  const none = Object.fromEntries(rowClasses.map((name) => [name, 0])) as unknown as RowCounts;
  return { ...none, ...given };
}

describe("the answer of a comparison", () => {
  test("the counts of the classes that have rows follow the share that is imported", () => {
    const found = counts({
      imported: 4_712,
      pending: 201,
      failed: 41,
      "not-staged": 38,
      duplicate: 5,
      extra: 799_118,
    });
    expect(answerWords(found, 4_997)).toBe(
      "4,712 of 4,997 imported. 201 pending, 41 failed, 38 not staged, 5 duplicates.",
    );
    expect(classesOf(found)).toEqual(["imported", "pending", "failed", "not-staged", "duplicate"]);
  });

  test("a list that is all imported says so, whatever else the service lists", () => {
    expect(answerWords(counts({ imported: 3, extra: 9 }), 3)).toBe("All 3 rows imported.");
  });
});

describe("rows as a file", () => {
  const row: ReconciledRow = {
    line: 2,
    external: "EXT-1",
    class: "imported",
    service: null,
    created: null,
    pendingSince: null,
    status: null,
    firstLine: null,
    suggestion: null,
    elsewhere: null,
    error: null,
    text: null,
  };

  test("they are CSV with the columns of the command, and cells that do not apply are empty", () => {
    const rows: ReconciledRow[] = [
      { ...row, service: "A-1", created: "2026-01-02T03:04:05Z" },
      { ...row, line: 3, external: "=X", class: "pending", pendingSince: Date.UTC(2026, 0, 1) },
      { ...row, line: 4, class: "duplicate", firstLine: 2 },
      {
        ...row,
        line: 5,
        external: null,
        class: "malformed",
        error: { kind: "malformed", issue: { kind: "empty" } },
        text: "no number",
      },
      {
        ...row,
        line: 6,
        class: "absent",
        suggestion: "EXT-01",
        error: {
          kind: "lookup",
          error: new ServiceError("unavailable", "no answer", { httpStatus: 503 }),
        },
      },
    ];
    expect([...recordsText(rowFields, rows, "csv")].join("")).toBe(
      [
        "line,external_account_number,class,service_account_number,account_created_at,pending_since,status,first_line,suggestion,error,elsewhere,text",
        "2,EXT-1,imported,A-1,2026-01-02T03:04:05Z,,,,,,,",
        "3,'=X,pending,,,2026-01-01T00:00:00Z,,,,,,",
        "4,EXT-1,duplicate,,,,,2,,,,",
        "5,,malformed,,,,,,,The number is empty.,,no number",
        "6,EXT-1,absent,,,,,,EXT-01,unavailable 503: no answer,,",
        "",
      ].join("\n"),
    );
  });
});

test("a class and its meaning fit the narrowest screen", () => {
  for (const { label, meaning } of Object.values(classWords)) {
    expect(`999 ${label}. ${meaning}`.length).toBeLessThanOrEqual(60);
  }
});
