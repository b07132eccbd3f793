import { expect, it } from "vitest";
import { mayMoveDates, movedDates } from "../../src/writes/outcomes/moved-dates.ts";

const sent = (id: string) => ({ transaction_id: id, transaction_date: "2025-11-20" });
const result = (id: string, date: string) => ({
  transaction_data: { transaction_id: id, transaction_date: date },
});
const moved = (...results: unknown[]) =>
  movedDates(
    { operation: "transactions create", items: [sent("T-1"), sent("T-2")] },
    JSON.stringify({ results }),
  );

it("a date is told as moved where the answer names another one, in whatever order", () => {
  expect(moved(result("T-1", "2025-11-20"), result("T-2", "2025-12-01"))).toEqual([
    null,
    "2025-12-01",
  ]);
  expect(moved(result("T-2", "2025-12-01"), result("T-1", "2025-11-20"))).toEqual([
    null,
    "2025-12-01",
  ]);
  expect(moved({}, {})).toEqual([null, null]);
});

it("dates are moved unless the request says otherwise, and of transactions alone", () => {
  const operation = "transactions create";
  expect(mayMoveDates({ operation, query: {} })).toBe(true);
  expect(mayMoveDates({ operation, query: { force_add_to_current_statement: "false" } })).toBe(
    false,
  );
  expect(mayMoveDates({ operation: "notes create", query: {} })).toBe(false);
});
