import { sumOfTyped } from "../../src/forms/decimals.ts";
import * as fc from "../helpers/fast-check.ts";
import { judge, supplyPoint, transaction } from "./judge.ts";

const line = (net: string) =>
  `{"rate_band":"CONSUMPTION_STANDARD","start_date":"2026-09-01","end_date":"2026-09-30","number_of_units":1,"net_amount":${net},"price_per_unit":1}`;
const tax = (amount: string) =>
  `{"amount":${amount},"tax_type":"VAT","value_taxed":1,"rate":0.2,"unit_type":"PROPORTION"}`;

/** The issues of the amount of a supply charge. */
function saidOf(amount: string, lines: readonly string[], taxes: readonly string[]) {
  const items = `,"product_code":"P","line_items":[${lines}]${taxes.length === 0 ? "" : `,"tax_items":[${taxes}]`}`;
  const text = transaction(items).replace("1.00", amount).replace("CHARGE", "SUPPLY_CHARGE");
  const { issues, warnings } = judge("transactions", text);
  expect(issues).toEqual([]);
  return warnings.filter((one) => one.includes(".amount:"));
}

describe("line items and tax items", () => {
  test("that differ from the amount are warned of, with both sums", () => {
    expect(saidOf("12.50", [line("12")], [tax("2.5")])).toEqual([
      "transactions.0.amount: Line items 12 + tax items 2.5 = 14.5; the amount is 12.50.",
    ]);
    expect(saidOf("12.50", [line("12"), line("0.40")], [])).toEqual([
      "transactions.0.amount: Line items add up to 12.40; the amount is 12.50.",
    ]);
  });

  test("that come to the amount are not warned of, however many places each has", () => {
    expect(saidOf("14.50", [line("12"), line("-0.000")], [tax("2.5")])).toEqual([]);
    expect(saidOf("0.3", [line("0.1"), line("0.2")], [])).toEqual([]);
    expect(saidOf("-14.5", [line("-12.00")], [tax("-2.50")])).toEqual([]);
  });

  test("that lack an amount have no sum, and tax alone is no total", () => {
    const open = line("1").replace(',"net_amount":1', "");
    expect(saidOf("12.50", [open], [])).toEqual([]);
    expect(saidOf("12.50", [], [tax("2.5")])).toEqual([]);
  });

  test("are added up digit for digit", () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const text = (units: bigint) => {
      const digits = String(units < 0n ? -units : units).padStart(3, "0");
      return `${units < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 5 }), cents, (lines, vat) => {
        const sum = lines.reduce((total, one) => total + one, vat);
        const items = lines.map((one) => line(text(one)));
        expect(saidOf(text(sum), items, [tax(text(vat))])).toEqual([]);
        expect(saidOf(text(sum + 1n), items, [tax(text(vat))])).toHaveLength(1);
      }),
    );
  });
});

test("a sum of typed amounts leaves out empty ones and waits for what cannot be read", () => {
  expect(sumOfTyped(["12", "", " 0.50 ", "+1"])).toBe("13.50");
  expect(sumOfTyped(["12", "1,5"])).toBeNull();
  expect(sumOfTyped(["", " "])).toBeNull();
});

test.each([
  ["Ann", ["This does not look like an e-mail address; it is sent unchanged."]],
  ["ann@example", ["This does not look like an e-mail address; it is sent unchanged."]],
  ["ann lee@example.org", ["This does not look like an e-mail address; it is sent unchanged."]],
  ["ann@example.org", []],
  ["ann+x@mail.example.co.uk", []],
])("the e-mail %s of a customer gives %j", (email, said) => {
  expect(contact(`"email":"${email}"`)).toEqual(said);
});

test.each([
  ["Smith", ["This does not look like a phone number; it is sent unchanged."]],
  ["12", ["This does not look like a phone number; it is sent unchanged."]],
  ["+44 (0)20 7946-0018", []],
  ["07700900123", []],
])("the mobile %s of a customer gives %j", (mobile, said) => {
  expect(contact(`"mobile":"${mobile}"`)).toEqual(said);
});

function contact(field: string): readonly string[] {
  const customer = `{"given_name":"A","family_name":"B",${field}}`;
  const account = `{"account_type":"DOMESTIC_THIRD_PARTY_BILLED","customer_at_supply_address_from_date":"2026-01-01","customers":[${customer}]}`;
  const point = '{"identifier":"SP","supply_type":"ELECTRICITY_DISTRIBUTION"}';
  const { issues, warnings } = judge(
    "supply-points",
    supplyPoint(point, `,"accounts":[${account}]`),
  );
  expect(issues).toEqual([]);
  return warnings.map((one) => one.replace(/^\S+: /, ""));
}
