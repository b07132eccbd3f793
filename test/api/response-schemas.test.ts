import {
  accountStatus,
  graphqlResponse,
  supplyPointProcess,
  transactionError,
  validationError,
} from "../../src/api/response-schemas.ts";
import type { FormKind } from "../../src/forms/forms.ts";
import { parseExact } from "../../src/json/exact.ts";
import { isDocumentedSuccess } from "../../src/writes/kinds/read-response.ts";

/** A number that no float holds. */
const huge = "12345678901234567890.10";

/** The value that a schema makes of JSON text; undefined for a body that does not fit. */
function read<T>(
  schema: { safeParse(value: unknown): { readonly data?: T | undefined } },
  text: string,
) {
  return schema.safeParse(parseExact(text)).data;
}

/** JSON text with the JSON of one field replaced, or without the field. */
function textWith(fields: Readonly<Record<string, string>>, name: string, json?: string): string {
  const { [name]: _replaced, ...others } = fields;
  const all = json === undefined ? others : { ...others, [name]: json };
  const members = Object.entries(all).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return `{${members.join(",")}}`;
}

describe("an account status (INTERFACE 4.8)", () => {
  const fields = { status: '"COMPLETED"', service_account_number: '"A-1"' };
  const whole = { status: "COMPLETED", service_account_number: "A-1" };

  test.each([
    ["another status", "status", '"QUEUED"', { ...whole, status: "QUEUED" }],
    ["an undocumented field", "more", '{"a":[1]}', whole],
    ["a number", "service_account_number", huge, { ...whole, service_account_number: huge }],
    ["null", "service_account_number", "null", { ...whole, service_account_number: "" }],
    ["an empty text", "service_account_number", '""', { ...whole, service_account_number: "" }],
    ["no status", "status", undefined, undefined],
    ["null for a status", "status", "null", undefined],
    ["a number for a status", "status", "7", undefined],
    ["no account number", "service_account_number", undefined, undefined],
    ["a list for an account number", "service_account_number", "[]", undefined],
    ["true for an account number", "service_account_number", "true", undefined],
  ])("with %s", (_what, name, json, value) => {
    expect(read(accountStatus, textWith(fields, name, json))).toEqual(value);
  });

  test.each(["null", "[]", '"COMPLETED"', huge])("is not %s", (json) => {
    expect(read(accountStatus, json)).toBeUndefined();
  });
});

describe("a supply point import process (INTERFACE 4.7)", () => {
  const fields = {
    status: '"PROCESSED"',
    service_identifier: '"S-1"',
    created_at: '"2026-01-15T09:00:00Z"',
    modified_at: '"2026-01-15T09:00:01Z"',
    latest_error: "null",
  };
  const whole = {
    status: "PROCESSED",
    service_identifier: "S-1",
    latest_error: null,
    created_at: "2026-01-15T09:00:00Z",
    modified_at: "2026-01-15T09:00:01Z",
  };
  const error = (code: string, detail: string, domain: string) => ({ code, detail, domain });

  test.each([
    ["another status", "status", '"QUEUED"', { ...whole, status: "QUEUED" }],
    ["an undocumented field", "more", huge, whole],
    ["no identifier", "service_identifier", undefined, { ...whole, service_identifier: null }],
    ["a number", "service_identifier", huge, { ...whole, service_identifier: huge }],
    ["no time", "created_at", undefined, { ...whole, created_at: null }],
    ["a number for a time", "created_at", huge, { ...whole, created_at: huge }],
    ["an object for a time", "modified_at", '{"a":1.0}', { ...whole, modified_at: '{"a":1.0}' }],
    [
      "an error without parts",
      "latest_error",
      `{"code":${huge},"detail":null}`,
      { ...whole, latest_error: error(huge, "null", "") },
    ],
    ["a text", "latest_error", '"no"', { ...whole, latest_error: error("", "no", "") }],
    ["a number", "latest_error", huge, { ...whole, latest_error: error("", huge, "") }],
    ["a list", "latest_error", '["no"]', { ...whole, latest_error: error("", '["no"]', "") }],
    ["no status", "status", undefined, undefined],
    ["null for a status", "status", "null", undefined],
    ["a list for an identifier", "service_identifier", "[]", undefined],
    ["false for an identifier", "service_identifier", "false", undefined],
  ])("with %s", (_what, name, json, value) => {
    expect(read(supplyPointProcess, textWith(fields, name, json))).toEqual(value);
  });
});

describe("the refusal of transactions (INTERFACE 4.2)", () => {
  const fields = {
    status: '"TRANSACTION_IMPORT_ERROR"',
    error_detail: '"Outside."',
    transaction_data: '{"transaction_id":"T-1"}',
  };
  const whole = {
    status: "TRANSACTION_IMPORT_ERROR",
    error_detail: "Outside.",
    transaction_data: { transaction_id: "T-1" },
  };
  const named = (transaction_id: string | null) => ({
    ...whole,
    transaction_data: { transaction_id },
  });

  test.each([
    ["an undocumented field", "more", "[]", whole],
    ["no detail", "error_detail", undefined, { ...whole, error_detail: null }],
    ["a number for a detail", "error_detail", huge, { ...whole, error_detail: huge }],
    ["a list for a detail", "error_detail", "[]", { ...whole, error_detail: null }],
    ["a number", "transaction_data", `{"transaction_id":${huge}}`, named(huge)],
    ["a transaction without an ID", "transaction_data", "{}", named(null)],
    [
      "a transaction without a shape",
      "transaction_data",
      huge,
      { ...whole, transaction_data: null },
    ],
    ["no transaction", "transaction_data", undefined, { ...whole, transaction_data: null }],
    ["no status", "status", undefined, undefined],
    ["null for a status", "status", "null", undefined],
    ["another status", "status", '"TRANSACTION_QUEUED"', undefined],
  ])("with %s", (_what, name, json, value) => {
    expect(read(transactionError, textWith(fields, name, json))).toEqual(value);
  });
});

describe("the answer to ObtainToken (INTERFACE 5.2)", () => {
  test.each([
    ["no field", "{}", { data: null, errors: null }],
    ["null", '{"data":null,"errors":null}', { data: null, errors: null }],
    ["other types", '{"data":[],"errors":{}}', { data: null, errors: null }],
    ["a number for its data", `{"data":${huge}}`, { data: null, errors: null }],
    [
      "data",
      '{"data":{"a":{"token":"t"}},"more":1}',
      { data: { a: { token: "t" } }, errors: null },
    ],
    [
      "errors",
      '{"errors":[{"message":"No.","path":[]},{"message":7},null,"no"]}',
      { data: null, errors: ["No.", null, null, null] },
    ],
  ])("with %s", (_what, json, value) => {
    expect(read(graphqlResponse, json)).toEqual(value);
  });
});

describe("a documented success of a write", () => {
  const fits = (form: FormKind, json: string) => isDocumentedSuccess(form, parseExact(json));

  test.each([
    ["a note", '[{"status":"X","body":"b","created_at":null,"more":1}]', true],
    ["a note of a number", `[{"status":"X","body":${huge}}]`, true],
    ["no note", "[]", true],
    ["a note without a status", '[{"body":"b"}]', false],
    ["a note whose status is null", '[{"status":null}]', false],
    ["notes in an object", '{"notes":[{"status":"X"}]}', false],
  ])("INTERFACE 4.1: %s", (_what, json, isDocumented) => {
    expect(fits("notes", json)).toBe(isDocumented);
  });

  test.each([
    ["a result", '{"results":[{"status":"X","more":1}]}', true],
    [
      "a result with numbers",
      `{"results":[{"status":"X","transaction_data":{"transaction_id":1,"amount":${huge}}}]}`,
      true,
    ],
    [
      "a result without a transaction",
      '{"results":[{"status":"X","transaction_data":null}]}',
      true,
    ],
    ["a number for a transaction", '{"results":[{"status":"X","transaction_data":1}]}', false],
    ["a result without a status", '{"results":[{}]}', false],
    ["null for the results", '{"results":null}', false],
    ["no results", "{}", false],
    ["a list", '[{"status":"X"}]', false],
  ])("INTERFACE 4.2: %s", (_what, json, isDocumented) => {
    expect(fits("transactions", json)).toBe(isDocumented);
  });

  test.each([
    ["a list", `[{"statement_id":${huge},"more":1}]`, true],
    ["an object around the list", '{"statements":[{}]}', true],
    ["null for an ID", '[{"statement_id":null}]', true],
    ["true for an ID", '[{"statement_id":true}]', false],
    ["null for a statement", "[null]", false],
    ["an empty object", "{}", false],
  ])("INTERFACE 4.3: %s", (_what, json, isDocumented) => {
    expect(fits("statements", json)).toBe(isDocumented);
  });

  test.each([
    ["text", '{"service_account_number":"A-1","reference":"R","more":1}', true],
    ["another brand word", '{"acme_account_number":"A-1","reference":"R"}', true],
    ["numbers", `{"service_account_number":${huge},"reference":${huge}}`, true],
    ["no account number", '{"reference":"R"}', false],
    ["only the external number", '{"external_account_number":"E","reference":"R"}', false],
    ["null for a reference", '{"service_account_number":"A-1","reference":null}', false],
    ["no reference", '{"service_account_number":"A-1"}', false],
    ["a list", '[{"service_account_number":"A-1","reference":"R"}]', false],
  ])("INTERFACE 4.4: %s", (_what, json, isDocumented) => {
    expect(fits("payment-instructions", json)).toBe(isDocumented);
  });

  test("INTERFACE 4.6: any body, because the success of a supply point has none", () => {
    expect(fits("supply-points", "7")).toBe(true);
  });
});

describe("a payload that failed validation (INTERFACE 7.1, 7.3)", () => {
  test.each([
    ["listed errors", '{"errors":[{"code":"new"}],"more":1}', true],
    ["its code", '{"code":"account_failed_validation"}', true],
    ["a mirrored list", '{"transactions":[{}]}', true],
    ["a mirrored object", '{"payload":{"vendor":["No."]}}', true],
    ["another code", '{"code":"busy"}', false],
    ["a number in place of a mirrored field", `{"payload":${huge}}`, false],
    ["null for its errors", '{"errors":null}', false],
    ["no field", "{}", false],
    ["a list", "[]", false],
  ])("%s", (_what, json, isValidation) => {
    expect(validationError.safeParse(parseExact(json)).success).toBe(isValidation);
  });
});
