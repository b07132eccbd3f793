import { kindOf } from "../../src/writes/kinds/kinds.ts";

const sent = (id: string) => ({ transaction_id: id, transaction_date: "2025-11-20" });
const result = (id: string, date: string) => ({
  transaction_data: { transaction_id: id, transaction_date: date },
});
const moved = (...results: unknown[]) =>
  kindOf("transactions create").movedDates?.(
    [sent("T-1"), sent("T-2")],
    {},
    JSON.stringify({ results }),
  );

test("a date counts as moved where the answer names another one, in whatever order", () => {
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

test("dates are moved unless the request says otherwise, and of transactions alone", () => {
  const { movedDates } = kindOf("transactions create");
  const body = JSON.stringify({ results: [result("T-1", "2025-12-01")] });
  const off = { force_add_to_current_statement: "false" };
  expect(movedDates?.([sent("T-1")], {}, body)).toEqual(["2025-12-01"]);
  expect(movedDates?.([sent("T-1")], off, body)).toEqual([]);
  expect(kindOf("notes create").movedDates).toBeUndefined();
});
