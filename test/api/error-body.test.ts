import { readErrorBody } from "../../src/api/error-body.ts";
import { bodyShape, type Field } from "../../src/forms/fields.ts";
import { forms } from "../../src/forms/forms.ts";
import { openService, reply } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

const read = (body: unknown) => readErrorBody(JSON.stringify(body));
const said = (attr: string | null, detail: string, code: string | null = null) => ({
  attr,
  code,
  detail,
});

describe("what an error body says (INTERFACE 7)", () => {
  test("detail, code and a list of errors", () => {
    expect(
      read({
        detail: "The account failed validation.",
        code: "account_failed_validation",
        errors: [
          {
            detail: "Not a phone number.",
            code: "invalid_phone_number",
            attr: "customers.0.landline",
          },
        ],
      }),
    ).toEqual({
      detail: "The account failed validation.",
      code: "account_failed_validation",
      errors: [said("customers.0.landline", "Not a phone number.", "invalid_phone_number")],
    });
  });

  test("items that lack a part, or are only words, are kept as far as they go", () => {
    const errors = [{ detail: "a" }, { code: "c", attr: "" }, "b", null, 7];
    expect(read({ errors }).errors).toEqual([
      said(null, "a"),
      said(null, "", "c"),
      said(null, "b"),
    ]);
  });

  test("numbers keep their digits", () => {
    const number = "12345678901234567890.10";
    const body = `{"code":${number},"errors":[{"code":${number},"detail":${number}}]}`;
    expect(readErrorBody(body)).toMatchObject({
      code: number,
      errors: [said(null, number, number)],
    });
  });

  test("a 404's detail and code", () => {
    expect(read({ detail: "No such process.", code: "not_found" })).toEqual({
      detail: "No such process.",
      code: "not_found",
      errors: [],
    });
  });

  test("non_field_errors with the supply point's identifier beside it", () => {
    expect(
      read({
        non_field_errors: {
          detail: "Imported already.",
          code: "supply_point_import_process_already_imported",
        },
        supply_point_identifier: "SP-1",
      }),
    ).toEqual({
      detail: "Imported already.",
      code: "supply_point_import_process_already_imported",
      errors: [],
      supplyPointIdentifier: "SP-1",
    });
  });

  test("non_field_errors as a list of words", () => {
    expect(read({ non_field_errors: ["Not allowed."] }).errors).toEqual([
      said(null, "Not allowed."),
    ]);
  });

  test("a transaction's error", () => {
    expect(
      read({
        status: "TRANSACTION_IMPORT_ERROR",
        error_detail: "Outside the open statement period.",
        transaction_data: { transaction_id: "T-1", note: "not a complaint" },
      }),
    ).toEqual({
      code: "TRANSACTION_IMPORT_ERROR",
      detail: "Outside the open statement period.",
      errors: [],
    });
  });

  const mirrored = [
    said("supply_point.identifier", "This field is required."),
    said("accounts.1.customers.0.landline", "Not a number."),
    said("accounts.1.customers.0.landline", "Too short."),
  ];
  const inArrays = {
    supply_point: { identifier: ["This field is required."] },
    accounts: [{}, { customers: [{ landline: ["Not a number.", "Too short."] }] }],
  };

  test.each([
    ["arrays", inArrays],
    [
      "objects keyed by index",
      {
        ...inArrays,
        accounts: { "1": { customers: { "0": { landline: ["Not a number.", "Too short."] } } } },
      },
    ],
    ["all of it under payload", { payload: inArrays }],
    ["all of it under errors", { detail: "x", code: "y", errors: inArrays }],
  ])("a mirrored payload, as %s", (_how, body) => {
    expect(read(body).errors).toEqual(mirrored);
  });

  test("a mirrored list at the top, and words for no field of an inner object", () => {
    expect(read([{}, { body: ["Empty."] }, "Bad."]).errors).toEqual([
      said("1.body", "Empty."),
      said(null, "Bad."),
    ]);
    expect(read({ supply_point: { non_field_errors: ["Odd."] } }).errors).toEqual([
      said("supply_point", "Odd."),
    ]);
  });

  test("an inner detail with its code", () => {
    expect(read({ payload: { vendor: { detail: "Unknown.", code: "no_vendor" } } }).errors).toEqual(
      [said("vendor", "Unknown.", "no_vendor")],
    );
  });

  test("an object that is named like no field of a request is detail, not an error of a field", () => {
    expect(read({ detail: ["Too long."] })).toEqual({ detail: "Too long.", errors: [] });
    expect(
      read({ error: { message: "Upstream failed." }, trace_id: "a1", vendor: ["Unknown."] }),
    ).toEqual({
      detail: "error.message: Upstream failed.; trace_id: a1",
      errors: [said("vendor", "Unknown.")],
    });
    expect(read({ detail: "No.", error: { message: "Upstream failed." } })).toEqual({
      detail: "No.; error.message: Upstream failed.",
      errors: [],
    });
  });

  test("the type and title of a problem document are no errors of fields", () => {
    expect(read({ type: "about:blank", title: "Bad request", detail: "No." })).toEqual({
      detail: "No.; type: about:blank; title: Bad request",
      errors: [],
    });
    expect(read({ type: ["Unknown."] }).errors).toEqual([said("type", "Unknown.")]);
  });

  test("every field of every form may be mirrored", () => {
    for (const form of Object.values(forms)) {
      for (const name of namesIn([...bodyShape(form).fields, ...form.query])) {
        expect(read({ [name]: ["Wrong."] }).errors, name).toEqual([said(name, "Wrong.")]);
      }
    }
  });

  test("a leading payload is taken off a listed path, and only there", () => {
    const errors = [
      { attr: "payload.accounts.0", detail: "a" },
      { attr: "x.payload.y", detail: "b" },
    ];
    expect(read({ errors }).errors).toEqual([said("accounts.0", "a"), said("x.payload.y", "b")]);
  });

  test.each([
    ["nothing", ""],
    ["HTML", "<html></html>"],
    ["half of its JSON", '{"detail":"x'],
    ["a text", '"no"'],
    ["null", "null"],
    ["nesting without end", `{"a":${"[".repeat(9999)}${"]".repeat(9999)}}`],
  ])("%s says nothing", (_what, body) => {
    expect(readErrorBody(body)).toEqual({ errors: [] });
  });
});

test.each([203, 206, 207])(
  "the rows of a list with the status %d are not errors",
  async (status) => {
    const { baseUrl } = await openService((_request, response) =>
      reply(response, status, [{ external_account_number: "X-0", detail: "row" }]),
    );
    const error = await errorFrom(connected(baseUrl).service.accounts.list("ACME", "all"));
    expect(error).toMatchObject({ kind: "unexpected-status", facts: { httpStatus: status } });
    expect(error.facts.errors).toBeUndefined();
    expect(error.facts.detail).toBeUndefined();
  },
);

test("a refusal carries the service's words, code, complaints and its raw body", async () => {
  const body = { detail: "No.", code: "c", errors: [{ detail: "d", code: "e", attr: "f.0" }] };
  const { baseUrl } = await openService((_request, response) => reply(response, 400, body));
  const error = await errorFrom(connected(baseUrl).service.accounts.status("ACME", "EXT-1"));
  expect(error.kind).toBe("rejected");
  expect(error.facts).toMatchObject({
    httpStatus: 400,
    detail: "No.",
    code: "c",
    errors: [said("f.0", "d", "e")],
    body: JSON.stringify(body),
  });
});

function namesIn(fields: readonly Field[]): readonly string[] {
  return fields.flatMap((field) => [
    field.name,
    ...(field.type === "object" ? namesIn(field.fields) : []),
    ...(field.type === "rows" ? namesIn(field.item.fields) : []),
  ]);
}
