import { AccountRowReader } from "../../../src/accounts/ingest/reader.ts";
import * as fc from "../../helpers/fast-check.ts";

function read(body: string | Uint8Array, size = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(body);
  const reader = new AccountRowReader();
  let rows = 0;
  const step = Math.min(size, Math.max(1, bytes.length));
  for (let at = 0; at < bytes.length; at += step)
    rows += reader.push(bytes.subarray(at, at + step))?.count ?? 0;
  const end = reader.end();
  return { ...end, rows: rows + (end.batch?.count ?? 0) };
}

const item = '{"external_account_number":"EXT-1","service_account_number":null}';

/** Answers that are JSON and report an error, or are something else than a list of accounts. */
const otherAnswers = [
  '{"detail":"Service temporarily unavailable","errors":[]}',
  '{"errors":["Not allowed"]}',
  '{"messages":["maintenance until 18:00"]}',
  '{"status":"error","code":503,"details":[]}',
  '{"errors":[]}',
  '{"warnings":[],"accounts":null}',
  '{"a":[]}',
  '{"results":[]}',
  '{"count":0,"next":null,"results":[]}',
  "{}",
  '{"results":null}',
  '{"results":{"items":[]}}',
  '{"data":{"accounts":["EXT-1"]}}',
  `{"data":{"accounts":[${item}]}}`,
  '{"detail":"sorry"}',
  '{"external_account_number":"EXT-1"}',
  '{"errors":[{"detail":"Not allowed","code":"forbidden","attr":null}]}',
  '{"results":[1,2,3]}',
  '{"results":[[]]}',
  '{"results":[{}]}',
  '{"results":["EXT-1","EXT-2"]}',
  '["Not allowed"]',
  '["EXT-1","EXT-2"]',
  '[""]',
  "[[]]",
  "[{}]",
  "[null]",
  "[1200060254372]",
  '[{"detail":"Not allowed"}]',
  '[{"external_account_number":""}]',
  '[{"external_account_number":{"value":"EXT-1"}}]',
];

/** Objects that report an error around a list that has an account, before it or after it. */
const errorsAround = [
  ...["detail", "message", "error", "title", "status", "reason", "fault"].map(
    (name) => [name, '"Not allowed"'] as const,
  ),
  ["code", "503"],
  ["errors", '["Not allowed"]'],
  ["errors", '{"detail":"Not allowed"}'],
  ["messages", '["maintenance"]'],
  ["details", "[[]]"],
  ["Error", '"Not allowed"'],
  ["status_code", "503"],
  ["success", "false"],
  ["meta", '{"error":"partial"}'],
] as const;

/** Texts that are not JSON, or that end early or go on after the list. */
const invalidTexts = [
  "",
  " ",
  "null",
  "true",
  "0",
  '"EXT-1"',
  "[",
  "]",
  "[,]",
  `[${item}`,
  `[${item},]`,
  `[,${item}]`,
  `[${item} ${item}]`,
  `[${item}]]`,
  `[${item}][]`,
  `[${item}],`,
  `[${item}]#`,
  `[${item}\u0000]`,
  `[${item}]\u0000`,
  `[${item.replaceAll('"', "'")}]`,
  "[{external_account_number:'EXT-1'}]",
  '[{"external_account_number":"EXT-1",}]',
  '[{"external_account_number" "EXT-1"}]',
  '[{"external_account_number"::"EXT-1"}]',
  '[{"external_account_number":"EXT\t1"}]',
  '[{"external_account_number":"EXT-1\\x20"}]',
  '[{"external_account_number":"\\u00g0"}]',
  '[{"external_account_number":01}]',
  '[{"external_account_number":1.}]',
  '[{"external_account_number":+1}]',
  '[{"external_account_number":NaN}]',
  `// a comment\n[${item}]`,
  `[${item}/* a comment */]`,
  `)]}',\n[${item}]`,
  `${item}\n${item}`,
  `<list>${item}</list>`,
  "<!doctype html><title>503</title>",
  `{"results":[${item}]`,
  `{"results":[${item}],}`,
  `{results:[${item}]}`,
  `{"results":[${item}]}{}`,
];

test.each(otherAnswers)("JSON that is no list of accounts has a problem and no row: %s", (body) => {
  for (const size of [1, 7, 1000]) {
    const { rows, problem, text } = read(body, size);
    expect([rows, typeof problem]).toEqual([0, "string"]);
    // Nothing is read after the problem.
    expect(body.startsWith(text ?? "-")).toBe(true);
    if (size === 1000) expect(text).toBe(body);
  }
});

test.each(errorsAround)("an object with %s beside a list is no list: %s", (name, value) => {
  for (const size of [1, 7, 1000]) {
    const before = read(`{"${name}":${value},"results":[${item}]}`, size);
    expect(before).toMatchObject({ rows: 0, problem: expect.any(String) });
    const after = read(`{"results":[${item}],"${name}":${value}}`, size);
    expect(after.problem).not.toBeNull();
  }
});

test.each(["errors", "details", "messages", "warnings"])(
  "items under the name %s are no accounts",
  (name) => {
    for (const size of [1, 7, 1000])
      expect(read(`{"${name}":[${item}]}`, size)).toMatchObject({
        rows: 0,
        problem: expect.any(String),
      });
  },
);

test.each(["null", "[]", "{}", '""', "false", "0"])(
  "an empty errors field says no error: %s",
  (value) => {
    const body = `{"errors":${value},"results":[${item}]}`;
    expect(read(body)).toMatchObject({ rows: 1, problem: null, text: null });
  },
);

test.each(invalidTexts)("a text that is not JSON has a problem: %j", (body) => {
  for (const size of [1, 3, 1000]) expect(read(body, size).problem).not.toBeNull();
});

test("a repeated field of the object hides no error", () => {
  const body = `{"detail":"Not allowed","detail":null,"results":[${item}]}`;
  expect(read(body).problem).toContain('"detail" twice');
});

test("an object that is not UTF-8 and a large one are no lists", () => {
  const latin = Buffer.from(`{"note":"\u00e9","results":[${item}]}`, "latin1");
  expect(read(latin).problem).toContain("UTF-8");
  const note = "x".repeat(70_000);
  for (const body of [`{"note":"${note}","a":[${item}]}`, `{"a":[${item}],"note":"${note}"}`])
    expect(read(body).problem).toContain("64 KiB");
});

test("an empty array is a list, with white space and a byte order mark too", () => {
  for (const body of ["[]", " [ \n] ", "\ufeff[]"])
    expect(read(body)).toMatchObject({ rows: 0, problem: null, text: null });
});

test("no JSON without an item of the documented shape is a list, except an empty array", () => {
  const isItem = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "external_account_number");
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      fc.pre(!JSON.stringify(value).includes("external_account_number") && !isItem(value));
      const isEmptyList = Array.isArray(value) && value.length === 0;
      const { rows, problem } = read(JSON.stringify(value), 5);
      expect(rows).toBe(0);
      expect(problem === null).toBe(isEmptyList);
    }),
    { numRuns: 500 },
  );
});
