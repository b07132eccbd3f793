import {
  emptyForm,
  type FormState,
  isFolded,
  textAt,
  valueAt,
} from "../../src/forms/form-values.ts";
import { forms } from "../../src/forms/forms.ts";
import { type FormAction, reduceForm } from "../../src/forms/reduce-form.ts";
import { restoreForm, toValues } from "../../src/forms/values-json.ts";
import { jsonNumber } from "../../src/json/exact.ts";
import * as fc from "../helpers/fast-check.ts";

const form = forms.transactions;
const acted = (draft: FormState, ...actions: readonly FormAction[]) =>
  actions.reduce((current, action) => reduceForm(form, current, action), draft);
const rows = (...ids: readonly string[]): FormState => ({
  values: { transactions: ids.map((id) => ({ transaction_id: id })) },
  folded: [],
});
const ids = (draft: FormState) => {
  const transactions = valueAt(draft.values, ["transactions"]);
  return Array.isArray(transactions)
    ? transactions.map((_, at) => textAt(draft.values, ["transactions", at, "transaction_id"]))
    : [];
};

describe("a new form", () => {
  test("begins with one row where one is needed", () => {
    expect(emptyForm(form, { import_supplier: "ACME" })).toEqual({
      values: { import_supplier: "ACME", transactions: [{}] },
      folded: [],
    });
  });

  test("of a supply point begins with an account and a customer", () => {
    expect(emptyForm(forms["supply-points"]).values).toEqual({ accounts: [{ customers: [{}] }] });
  });
});

describe("typing", () => {
  test("sets a field, and emptying it takes it away", () => {
    const path = ["transactions", 0, "amount"];
    const typed = acted(rows("a"), { type: "set", path, text: "1.10" });
    expect(typed.values).toEqual({ transactions: [{ transaction_id: "a", amount: "1.10" }] });
    expect(acted(typed, { type: "set", path, text: "" }).values).toEqual(rows("a").values);
    expect(acted(typed, { type: "clear", path }).values).toEqual(rows("a").values);
  });

  test("makes the objects on its way", () => {
    const path = ["supply_point", "identifier"];
    const supplyPoint = forms["supply-points"];
    const draft = reduceForm(
      supplyPoint,
      { values: {}, folded: [] },
      { type: "set", path, text: "SP-1" },
    );
    expect(draft.values).toEqual({ supply_point: { identifier: "SP-1" } });
  });

  test("an unknown field path does not change the draft", () => {
    const draft = rows("a");
    for (const path of [
      ["nothing"],
      [],
      ["transactions"],
      ["transactions", 0],
      ["transactions", 1, "amount"],
      ["transactions", -1, "amount"],
      ["transactions", 0.5, "amount"],
      ["transactions", 0, "__proto__"],
      ["transactions", 0, "amount", "x"],
    ]) {
      expect(acted(draft, { type: "set", path, text: "x" })).toBe(draft);
    }
  });

  test("the options of the request are typed like fields", () => {
    const path = ["check_previously_added"];
    expect(textAt(acted(rows(), { type: "set", path, text: "no" }).values, path)).toBe("no");
  });
});

describe("rows", () => {
  const path = ["transactions"];

  test("are added at the end or at a number", () => {
    expect(ids(acted(rows("a", "b"), { type: "add-row", path }))).toEqual(["a", "b", ""]);
    expect(ids(acted(rows("a", "b"), { type: "add-row", path, at: 1 }))).toEqual(["a", "", "b"]);
    expect(ids(acted(rows(), { type: "add-row", path }))).toEqual([""]);
  });

  test("are copied without what no two may share", () => {
    const draft = acted(rows("a", "b"), { type: "set", path: [...path, 0, "amount"], text: "5" });
    const copied = acted(draft, { type: "duplicate-row", path: [...path, 0] });
    expect(copied.values).toEqual({
      transactions: [
        { transaction_id: "a", amount: "5" },
        { amount: "5" },
        { transaction_id: "b" },
      ],
    });
  });

  test("are moved both ways", () => {
    const draft = rows("a", "b", "c", "d");
    expect(ids(acted(draft, { type: "move-row", path: [...path, 0], to: 2 }))).toEqual([
      "b",
      "c",
      "a",
      "d",
    ]);
    expect(ids(acted(draft, { type: "move-row", path: [...path, 3], to: 1 }))).toEqual([
      "a",
      "d",
      "b",
      "c",
    ]);
    expect(acted(draft, { type: "move-row", path: [...path, 0], to: 4 })).toBe(draft);
  });

  test("are removed; without any the field is as if never filled in", () => {
    expect(ids(acted(rows("a", "b"), { type: "remove-row", path: [...path, 0] }))).toEqual(["b"]);
    expect(acted(rows("a"), { type: "remove-row", path: [...path, 0] }).values).toEqual({});
  });

  test("are cleared without losing their number", () => {
    expect(ids(acted(rows("a", "b"), { type: "clear", path: [...path, 0] }))).toEqual(["", "b"]);
  });

  test("of numbers are edited like rows", () => {
    const units = [...path, 0, "line_items", 0, "units"];
    const draft = acted(
      rows("a"),
      { type: "add-row", path: [...path, 0, "line_items"] },
      { type: "add-row", path: units },
      { type: "set", path: [...units, 0], text: "4.5" },
      { type: "duplicate-row", path: [...units, 0] },
      { type: "set", path: [...units, 1], text: "" },
    );
    expect(valueAt(draft.values, units)).toEqual(["4.5", ""]);
  });

  test("take their folds along", () => {
    const fold = (at: number): FormAction => ({ type: "fold", at: [...path, at] });
    const deep: FormAction = { type: "fold", at: [...path, 1, "line_items", 0] };
    const section: FormAction = { type: "fold", at: "transactions" };
    const draft = acted(rows("a", "b", "c"), fold(1), deep, section);
    const movedDown = acted(draft, { type: "move-row", path: [...path, 1], to: 2 });
    expect(isFolded(movedDown, [...path, 2])).toBe(true);
    expect(isFolded(movedDown, [...path, 1])).toBe(false);
    expect(isFolded(movedDown, [...path, 2, "line_items", 0])).toBe(true);
    const gone = acted(draft, { type: "remove-row", path: [...path, 1] });
    expect(gone.folded).toEqual(['"transactions"']);
    expect(acted(gone, { type: "unfold", at: "transactions" }).folded).toEqual([]);
  });

  test("no row gets lost or doubled by moving, whatever the order", () => {
    const moves = fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { maxLength: 20 });
    fc.assert(
      fc.property(moves, (steps) => {
        const start = acted(rows("a", "b", "c", "d", "e"), { type: "fold", at: [...path, 2] });
        const end = steps.reduce(
          (draft, [from, to]) => acted(draft, { type: "move-row", path: [...path, from], to }),
          start,
        );
        expect(ids(end).sort()).toEqual(["a", "b", "c", "d", "e"]);
        expect(isFolded(end, [...path, ids(end).indexOf("c")])).toBe(true);
        expect(end.folded).toHaveLength(1);
      }),
    );
  });
});

describe("a whole new body", () => {
  test("a new body replaces the old one and keeps the options", () => {
    const draft = acted(rows("a"), { type: "set", path: ["check_previously_added"], text: "no" });
    const values = { import_supplier: "ACME" };
    expect(acted(draft, { type: "replace", values }).values).toEqual({
      import_supplier: "ACME",
      check_previously_added: "no",
    });
  });

  test("keeps what fits the form and names the rest", () => {
    const { values, unfit } = toValues(form, {
      import_supplier: 5 as never,
      other: "x",
      transactions: [
        { amount: jsonNumber("1.10"), note: null, line_items: {}, type: { a: "b" } },
        "no row",
        { line_items: [{ units: [jsonNumber("4"), null] }] },
      ],
    });
    expect(values).toEqual({
      transactions: [{ amount: "1.10" }, {}, { line_items: [{ units: ["4", ""] }] }],
    });
    expect(unfit.map((path) => path.join("."))).toEqual([
      "import_supplier",
      "other",
      "transactions.0.note",
      "transactions.0.line_items",
      "transactions.0.type",
      "transactions.1",
      "transactions.2.line_items.0.units.1",
    ]);
  });
});

describe("a draft that was kept", () => {
  test("a saved draft is restored unchanged", () => {
    const draft = acted(
      rows("a"),
      { type: "set", path: ["check_previously_added"], text: "no" },
      { type: "fold", at: ["transactions", 0] },
    );
    expect(restoreForm(form, JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  });

  test("loses only what the form has no place for", () => {
    const kept = {
      values: {
        other: "x",
        import_supplier: 5,
        transactions: [{ amount: "1" }, "x", { line_items: "y" }],
      },
      folded: ["a", 5],
    };
    expect(restoreForm(form, kept)).toEqual({
      values: { transactions: [{ amount: "1" }, {}, {}] },
      folded: ["a"],
    });
  });

  test.each([null, "x", [], {}, { values: [] }, { values: null }])("%j is not a draft", (kept) => {
    expect(restoreForm(form, kept)).toBeNull();
  });
});
