import { bodyShape, fromWireBody } from "../../src/forms/fields.ts";
import { type FormKind, formKinds, forms } from "../../src/forms/forms.ts";
import { mapLeaves } from "../../src/forms/payload-places.ts";
import {
  asIntended,
  changedNumberProblem,
  numberWarnings,
  shortenedProblem,
} from "../../src/forms/spreadsheet-numbers.ts";
import { validateBody, validateValues } from "../../src/forms/validate.ts";
import { exactJsonOf, type JsonObject, toJson } from "../../src/json/exact.ts";
import { issues, requests } from "../bulk/input/inputs.ts";
import { samples } from "../helpers/kinds.ts";
import { typedAt } from "./payloads.ts";

const shortened = ["1.20006E+12", "1,20006E+12", "7E+13", "7.22e+13", "5.58199E+12"];
const decimals = ["1200060254372.0", "123456.0"];
const ordinary = [
  "EXT-1001",
  "1200060254372",
  "1.5",
  "12345.0",
  "1E5",
  "E+12",
  "1.2.3E+4",
  "A1E+5",
];

test.each(shortened)("%s is a number that lost its digits", (text) => {
  expect(shortenedProblem(text)).toContain(`'${text}`);
  expect(asIntended(`'${text}`)).toBe(text);
});

test.each(decimals)("%s became a floating-point number", (text) => {
  expect(shortenedProblem(text)).toBeNull();
  expect(numberWarnings(text)).toHaveLength(1);
  expect(changedNumberProblem(text)).toContain(text.slice(0, -2));
  expect(asIntended(`'${text}`)).toBe(text);
});

test.each(ordinary)("%s is an ordinary text, and so is its apostrophe", (text) => {
  expect(changedNumberProblem(text)).toBeNull();
  expect(asIntended(`'${text}`)).toBe(`'${text}`);
});

const exactLeaves = (kind: FormKind, body: JsonObject, value: string) => {
  const paths: string[] = [];
  // Only the leaf `at` is changed, so that each one is proved alone.
  const changedAt = (at: number) => {
    let nth = 0;
    return mapLeaves(bodyShape(forms[kind]).fields, body, (leaf, before, path) => {
      const isExact = leaf.type === "text" && (leaf.identifier || leaf.reference);
      if (!isExact) return before;
      if (nth === paths.length) paths.push(path.join("."));
      return nth++ === at ? value : before;
    });
  };
  changedAt(-1);
  return paths.map((path, at) => [path, changedAt(at)] as const);
};

const bodyOf = (kind: FormKind) =>
  fromWireBody(forms[kind], exactJsonOf(samples[kind].documented) as JsonObject) as JsonObject;

test.each(formKinds)(
  "every exact text of %s refuses a shortened number, unless it is marked",
  (kind) => {
    const form = forms[kind];
    const leaves = exactLeaves(kind, bodyOf(kind), "1.20006E+12");
    expect(leaves.length).toBeGreaterThan(1);
    for (const [path, body] of leaves) {
      const checked = validateBody(form, body);
      expect(checked.ok, path).toBe(false);
      expect(checked.ok ? [] : checked.issues.map((issue) => issue.path.join("."))).toEqual([path]);
    }
    for (const [path, body] of exactLeaves(kind, bodyOf(kind), "'1.20006E+12")) {
      const checked = validateBody(form, body);
      expect(checked.ok && toJson(checked.body), path).toContain('"1.20006E+12"');
    }
    for (const [path, body] of exactLeaves(kind, bodyOf(kind), "1200060254372.0")) {
      const checked = validateBody(form, body);
      expect(checked.ok, path).toBe(true);
      expect(checked.warnings.map(({ message }) => message).join(), path).toContain(
        "1200060254372,",
      );
    }
  },
);

test("a form, a body and a file refuse a shortened reference alike", async () => {
  const fields = {
    import_supplier: "ACME",
    external_account_number: "EXT-1",
    vendor: "v",
    reference: "1,20006E+12",
    type: "CARD",
  };
  const message = shortenedProblem(fields.reference) ?? "";
  const typed = validateValues(forms["payment-instructions"], fields, typedAt);
  expect(typed.ok ? [] : typed.issues.map((issue) => issue.message)).toEqual([message]);
  const cells = Object.values(fields).map((cell) => `"${cell}"`);
  const csv = `${Object.keys(fields).join(",")}\n${cells.join(",")}\n`;
  for (const input of [csv, `${JSON.stringify(fields)}\n`]) {
    const { problems, sent } = await issues("payment-instructions", input);
    expect(problems.join()).toContain(`reference: ${message}`);
    expect(sent).toEqual([]);
  }
  for (const input of [
    csv.replace('"1,2', `"'1,2`),
    `${JSON.stringify({ ...fields, reference: "'1,20006E+12" })}\n`,
  ]) {
    const [request] = await requests("payment-instructions", input);
    const body = new TextDecoder().decode(request?.write.body);
    expect(JSON.parse(body)).toMatchObject({ reference: "1,20006E+12" });
  }
});

test.each(["Free text 1.2E+5", "1.20006E+12"])("a note may say %s", (body) => {
  const note = { import_supplier: "ACME", external_account_number: "EXT-1", notes: [{ body }] };
  expect(validateBody(forms.notes, note)).toMatchObject({ ok: true, warnings: [] });
});

test.each([
  ["2026-02-31", "There is no 2026-02-31: the month has fewer days."],
  ["2025-02-29", "There is no 2025-02-29: the month has fewer days."],
  ["2026-13-01", "There is no 2026-13-01 in the calendar."],
  ["2026-02-31T10:00:00Z", "There is no 2026-02-31: the month has fewer days."],
])("a day that no calendar has is named: %s", (day, message) => {
  const note = { body: "a", created_at: day };
  const notes = { import_supplier: "ACME", external_account_number: "EXT-1", notes: [note] };
  const checked = validateBody(forms.notes, notes);
  expect(checked.ok ? [] : checked.issues.map((issue) => issue.message)).toEqual([message]);
  if (day.includes("T")) return;
  const statements = bodyOf("statements");
  const [first] = exactJsonOf(toJson(statements.statements)) as JsonObject[];
  const changed = { ...statements, statements: [{ ...first, issued_date: day }] };
  const dated = validateBody(forms.statements, changed);
  expect(dated.ok ? [] : dated.issues.map((issue) => issue.message)).toEqual([message]);
});

test("an amount whose point can separate thousands has a hint with the other number", async () => {
  const header =
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason\n";
  const warningsFor = async (amount: string) =>
    (
      await issues(
        "transactions",
        `${header}ACME,E1,T1,2026-11-20,${amount},CHARGE,IMPORTED_CHARGE\n`,
      )
    ).warnings.filter((words) => words.includes(" amount: "));
  expect((await warningsFor("-3.000")).join()).toContain("write -3000.");
  expect((await warningsFor("3.0001")).join()).not.toContain("thousands");
});
