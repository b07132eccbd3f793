import { type FormKind, forms } from "../../src/forms/forms.ts";
import { atPlace, placeWords } from "../../src/forms/payload-places.ts";
import { attrWords } from "../../src/forms/service-errors.ts";
import type { Path } from "../../src/json/exact.ts";

test.each<[FormKind, Path, string]>([
  [
    "transactions",
    ["transactions", 0, "tax_items", 0, "value_taxed"],
    "Transaction 1 › Tax item 1 › Value taxed",
  ],
  ["transactions", ["transactions", 19], "Transaction 20"],
  ["transactions", ["transactions"], "Transactions"],
  ["transactions", ["transactions", 2, "line_items"], "Transaction 3 › Line items"],
  [
    "transactions",
    ["transactions", 2, "line_items", 0, "units", 1],
    "Transaction 3 › Line item 1 › Unit 2",
  ],
  ["transactions", ["check_previously_added"], "Skip transactions already added"],
  ["supply-points", ["supply_point", "identifier"], "Supply point › Identifier"],
  [
    "supply-points",
    ["accounts", 0, "outage_contact", "phone_1", "number"],
    "Account 1 › Outage contact › Phone 1 › Number",
  ],
  ["notes", ["notes", 0, "color", "hue", 3], "Note 1 › color.hue.3"],
  ["notes", ["color"], "color"],
])("%s %j is read as %s", (kind, path, words) => {
  expect(placeWords(forms[kind], path)).toBe(words);
});

test("a path inside a known place has only the rest of it", () => {
  const path = ["transactions", 0, "tax_items", 1, "rate"];
  expect(placeWords(forms.transactions, path, 2)).toBe("Tax item 2 › Rate");
  expect(placeWords(forms.transactions, path, 1)).toBe("Transaction 1 › Tax item 2 › Rate");
  expect(placeWords(forms.transactions, path, 5)).toBe("");
});

test("an issue about the whole form has no place in front", () => {
  expect(atPlace(forms.notes, { path: [], message: "Wrong." })).toBe("Wrong.");
  expect(atPlace(forms.notes, { path: ["notes", 1, "body"], message: "Wrong." })).toBe(
    "Note 2 › Body: Wrong.",
  );
});

test.each<[string, string]>([
  ["transactions.0.tax_items.0.value_taxed", "Transaction 1 › Tax item 1 › Value taxed"],
  ["payload.transactions[1].amount", "Transaction 2 › Amount"],
  ["transactions.1.non_field_errors", "Transaction 2"],
  ["color", "color"],
])("the service's %s is read as %s", (attr, words) => {
  expect(attrWords(forms.transactions, null, attr)).toBe(words);
});

test("a path of the service that begins further inside is completed from the body", () => {
  const body = { supply_point: {}, accounts: [{ customers: [{ landline: "1" }] }] };
  expect(attrWords(forms["supply-points"], body, "customers.0.landline")).toBe(
    "Account 1 › Customer 1 › Landline",
  );
  expect(attrWords(forms["supply-points"], null, "customers.0.landline")).toBe(
    "customers.0.landline",
  );
});
