import * as z from "zod";
import { formKinds, forms, isFormKind } from "../../src/forms/forms.ts";
import { type JsonSchema, jsonSchema } from "../../src/forms/schema.ts";
import { samples } from "../helpers/kinds.ts";

const passes = (schema: JsonSchema, value: unknown) =>
  z.fromJSONSchema(JSON.parse(JSON.stringify(schema))).safeParse(value).success;

describe.each(formKinds)("the schema of %s", (kind) => {
  const schema = jsonSchema(forms[kind]);
  const body = JSON.parse(samples[kind].documented);

  test("lets a fully documented body pass, and no other field", () => {
    expect(passes(schema, body)).toBe(true);
    expect(passes(schema, { ...body, other: 1 })).toBe(false);
    expect(passes(schema, {})).toBe(false);
  });

  test("is plain JSON with a title", () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema).toMatchObject({ title: forms[kind].title, type: "object" });
  });
});

test("a note needs a body or documents", () => {
  const schema = jsonSchema(forms.notes);
  const note = (fields: object) => ({
    import_supplier: "A",
    external_account_number: "E",
    notes: [fields],
  });
  expect(passes(schema, note({ body: "a" }))).toBe(true);
  expect(passes(schema, note({ document_paths: [{ document_path: "a.pdf" }] }))).toBe(true);
  expect(passes(schema, note({ is_pinned: true }))).toBe(false);
  for (const path of ["../a", "a/../b", "a/..", "/a", "\\a", "s3://a", "C:\\a"]) {
    expect(passes(schema, note({ document_paths: [{ document_path: path }] }))).toBe(false);
  }
});

test("values never seen pass, and the ones seen are offered", () => {
  const schema = jsonSchema(forms["payment-instructions"]);
  const body = JSON.parse(samples["payment-instructions"].documented);
  expect(passes(schema, { ...body, type: "BANK" })).toBe(true);
  expect(passes(schema, { ...body, type: 5 })).toBe(false);
  expect(schema).toMatchObject({ properties: { type: { examples: ["CARD"] } } });
});

test("fields are described", () => {
  expect(jsonSchema(forms.transactions)).toMatchObject({
    properties: {
      transactions: {
        items: {
          properties: {
            product_code: { description: "Shown with type SUPPLY_CHARGE." },
            display_note: { description: expect.stringContaining("Shown to the customer.") },
          },
        },
      },
    },
  });
});

test("a kind is distinguished from any other word", () => {
  expect(Object.values(forms).map(({ kind }) => kind)).toEqual(formKinds);
  expect(formKinds.every(isFormKind)).toBe(true);
  expect(["note", "status", "toString", ""].some(isFormKind)).toBe(false);
});
