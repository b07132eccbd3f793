import { bodyShape, type Field, fromWireBody } from "../../src/forms/fields.ts";
import { formKinds, forms } from "../../src/forms/forms.ts";
import { validateJson } from "../../src/forms/parse-json.ts";
import type { Validation } from "../../src/forms/validate.ts";
import { validateValues } from "../../src/forms/validate.ts";
import { jsonText, toValues, valuesJsonText } from "../../src/forms/values-json.ts";
import { bytesOf, isJsonArray, isJsonObject, type Json } from "../../src/json/exact.ts";
import { samples } from "../helpers/kinds.ts";
import { compact, typedAt } from "./payloads.ts";

function sound(validation: Validation) {
  if (!validation.ok) throw new Error(JSON.stringify(validation.issues, null, 1));
  return validation;
}

function names(fields: readonly Field[], path = ""): string[] {
  return fields.flatMap((field) => {
    const here = `${path}${field.name}`;
    if (field.type === "object") return [here, ...names(field.fields, `${here}.`)];
    if (field.type === "rows") return [here, ...names(field.item.fields, `${here}.`)];
    return [here];
  });
}

function namesIn(value: Json, path = ""): string[] {
  if (isJsonArray(value)) return value.flatMap((row) => namesIn(row, path));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${path}${name}`,
    ...namesIn(inner, `${path}${name}.`),
  ]);
}

describe.each(formKinds)("%s", (kind) => {
  const form = forms[kind];
  const { body, warnings } = sound(validateJson(form, samples[kind].documented));
  const wire = compact(samples[kind].documented);

  test("every documented field has its place in the form, and no other", () => {
    const inside = fromWireBody(form, body);
    expect([...new Set(namesIn(inside))].sort()).toEqual(names(bodyShape(form).fields).sort());
  });

  test("a fully documented body is sent as it is written, without a warning", () => {
    expect(bytesOf(body).toString("utf8")).toBe(wire);
    expect(warnings).toEqual([]);
  });

  test("what is typed into the form leaves as the same bytes", () => {
    const draft = toValues(form, fromWireBody(form, body));
    expect(draft.unfit).toEqual([]);
    const typed = sound(validateValues(form, draft.values, typedAt));
    expect(bytesOf(typed.body).toString("utf8")).toBe(wire);
    expect(typed.warnings).toEqual([]);
  });

  test("the editor's text comes back as the same bytes", () => {
    const { values } = toValues(form, fromWireBody(form, body));
    for (const text of [jsonText(body), valuesJsonText(form, values, typedAt)]) {
      expect(bytesOf(sound(validateJson(form, text)).body).toString("utf8")).toBe(wire);
    }
  });

  test("fields in any order are sent in the documented one", () => {
    const shuffled = JSON.stringify(reversed(body));
    expect(shuffled).not.toBe(wire);
    expect(bytesOf(sound(validateJson(form, shuffled)).body).toString("utf8")).toBe(wire);
  });

  test("two makings of one body are the same bytes", () => {
    const again = sound(validateJson(form, samples[kind].documented)).body;
    expect(bytesOf(again).equals(bytesOf(body))).toBe(true);
  });
});

function reversed(value: Json): Json {
  if (isJsonArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, inner]) => [name, reversed(inner)]));
}

describe("what is not filled in", () => {
  const form = forms["supply-points"];
  const start = { import_supplier: "ACME", supply_point: { identifier: "SP-1" } };
  const sent = (values: object) =>
    JSON.parse(
      bytesOf(sound(validateValues(form, { ...start, ...values }, typedAt)).body).toString("utf8"),
    ).payload;

  test("is absent, never null or an empty text", () => {
    const customer = { given_name: "Ada", family_name: "", email: "  ", account_roles: [] };
    const outage_contact = { title: "", phone_1: { number: "" } };
    const accounts = [{ account_type: "X", customers: [customer], outage_contact }];
    expect(sent({ accounts })).toEqual({
      ...start,
      accounts: [{ account_type: "X", customers: [{ given_name: "Ada" }] }],
    });
  });

  test("of a customer's address, is an empty text once any part is filled in", () => {
    const customers = [{ given_name: "Ada", postal_address: { locality: "London" } }];
    const [account] = sent({ accounts: [{ account_type: "X", customers }] }).accounts;
    expect(account.customers[0].postal_address).toEqual({
      administrative_area: "",
      country: "",
      delivery_point_identifier: "",
      dependent_locality: "",
      locality: "London",
      postal_code: "",
      sorting_code: "",
      street_address: "",
    });
  });

  test("of a file is sent as it stands, with a warning where it holds nothing", () => {
    const text = `{"import_supplier":"ACME","supply_point":{"identifier":"SP-1","substation":""},
      "accounts":[{"account_type":"X","customers":[{"given_name":"Ada","account_roles":[],"landline":""}],
      "outage_contact":{"name_type":"","phone_2":{"number":"","prefix":""},"postal_address":{}}}]}`;
    const { body, warnings } = sound(validateJson(form, text));
    expect(JSON.parse(bytesOf(body).toString("utf8")).payload).toEqual(JSON.parse(text));
    const empty = warnings.filter(({ message }) => message.startsWith("This is empty"));
    expect(empty.map(({ path, line }) => [path.join("."), line])).toEqual([
      ["supply_point.substation", 1],
      ["accounts.0.customers.0.landline", 2],
      ["accounts.0.customers.0.account_roles", 2],
      ["accounts.0.outage_contact.name_type", 3],
      ["accounts.0.outage_contact.phone_2.number", 3],
      ["accounts.0.outage_contact.postal_address", 3],
    ]);
  });

  test("of a file is refused where nothing is left to send, or a date or number belongs", () => {
    const problems = (notes: string) => {
      const checked = validateJson(forms.notes, `[${notes}]`, {
        importSupplier: "ACME",
        externalAccountNumber: "EXT-1",
      });
      return checked.ok ? [] : checked.issues.map(({ path }) => path.join("."));
    };
    expect(problems('{"body":""}')).toEqual(["notes.0.body"]);
    expect(problems('{"body":"","document_paths":[]}')).toEqual(["notes.0.body"]);
    expect(problems('{"body":"a","created_at":""}')).toEqual(["notes.0.created_at"]);
    expect(problems('{"body":"","document_paths":[{"document_path":"a.pdf"}]}')).toEqual([]);
    expect(problems('{"body":"a","document_paths":[]}')).toEqual([]);
  });
});

describe("options of a transactions request", () => {
  const form = forms.transactions;
  const values = toValues(
    form,
    fromWireBody(form, sound(validateJson(form, samples.transactions.documented)).body),
  );

  test("optional fields are sent only if the user filled them in", () => {
    expect(sound(validateValues(form, values.values, typedAt)).query).toEqual({});
    const asked = { ...values.values, check_previously_added: "no" };
    const checked = sound(validateValues(form, asked, typedAt));
    expect(checked.query).toEqual({ check_previously_added: "false" });
    expect(bytesOf(checked.body).toString("utf8")).toBe(compact(samples.transactions.documented));
  });

  test("have no place in the body", () => {
    const text = samples.transactions.documented.replace("{", '{ "check_previously_added": true,');
    const checked = validateJson(form, text);
    expect(checked.ok ? [] : checked.issues).toMatchObject([
      { path: ["check_previously_added"], line: 1, column: 3 },
    ]);
  });
});
