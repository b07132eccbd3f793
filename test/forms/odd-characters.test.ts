import { forms } from "../../src/forms/forms.ts";
import { withoutBlanks } from "../../src/forms/odd-characters.ts";
import { validateValues } from "../../src/forms/validate.ts";
import { issues as issuesOfFile } from "../bulk/input/inputs.ts";
import { account, judge, transaction } from "./judge.ts";
import { typedAt } from "./payloads.ts";

/** Messages about a payment's reference, as each way in reports them. */
async function ofReference(reference: string) {
  const form = forms["payment-instructions"];
  const fields = {
    import_supplier: "ACME",
    external_account_number: "EXT-1",
    vendor: "v",
    reference,
    type: "CARD",
  };
  const typed = validateValues(form, fields, typedAt);
  const json = judge("payment-instructions", JSON.stringify(fields));
  const header = Object.keys(fields).join(",");
  const csv = await issuesOfFile(
    "payment-instructions",
    `${header}\n${Object.values(fields).join(",")}\n`,
  );
  const words = (all: readonly { readonly message: string }[]) => all.map(({ message }) => message);
  const bare = (all: readonly string[]) =>
    all.map((line) => line.replace(/^[^:]*reference: /, "").replace(/ Found: .*$/s, ""));
  return {
    form: { issues: typed.ok ? [] : words(typed.issues), warnings: words(typed.warnings) },
    command: { issues: bare(json.issues), warnings: bare(json.warnings) },
    file: { issues: bare(csv.problems), warnings: bare(csv.warnings) },
  };
}

describe("a reference", () => {
  test.each([
    ["\u200b", "Remove U+200B at character 3: it cannot be seen."],
    ["\u00ad", "Remove U+00AD at character 3: it cannot be seen."],
    ["\u2060", "Remove U+2060 at character 3: it cannot be seen."],
    ["\ufe0f", "Remove U+FE0F at character 3: it cannot be seen."],
    ["\ufeff", "Remove U+FEFF at character 3: it cannot be seen."],
    ["\u{e0041}", "Remove U+E0041 at character 3: it cannot be seen."],
    ["\u2028", "Remove U+2028 at character 3: it cannot be seen."],
    ["\u00a0", "Write a plain space or nothing in place of U+00A0 at character 3."],
    ["\u202f", "Write a plain space or nothing in place of U+202F at character 3."],
  ])("with %j is refused alike in form, command and file", async (character, message) => {
    const refused = { issues: [message] };
    expect(await ofReference(`AB${character}C`)).toMatchObject({
      form: refused,
      command: refused,
      file: refused,
    });
  });

  test("keeps such a character at its ends, where it is refused too", async () => {
    const { form, file } = await ofReference("\ufeffABC\u00a0");
    expect(form.issues).toEqual(["Remove U+FEFF at character 1, and 1 more: it cannot be seen."]);
    expect(file.issues).toEqual(form.issues);
  });

  test.each([
    ["A\u0412C", "Sent unchanged with characters that look like others: \u0412 (U+0412)."],
    [
      "\u0415\u0425\u0422-1",
      "Sent unchanged with characters that look like others: \u0415 (U+0415), \u0425 (U+0425), \u0422 (U+0422).",
    ],
    ["AB\u201317", "Sent unchanged with characters that look like others: \u2013 (U+2013)."],
    [
      "AB\uff11\uff11",
      "Sent unchanged with characters that look like others: \uff11 (U+FF11) 2 times.",
    ],
  ])("with a look-alike, as in %j, is warned about alike", async (reference, message) => {
    const warned = { issues: [], warnings: [message] };
    expect(await ofReference(reference)).toEqual({ form: warned, command: warned, file: warned });
  });

  test.each([
    "\u201cR1\u201d",
    "\u201eR1\u201c",
    "\u2018R1\u2019",
    "\u00abR1\u00bb",
    "`R1`",
    "'R1'",
  ])("in quotation marks, as in %s, is warned about alike", async (reference) => {
    const warned = { issues: [], warnings: ["The quotation marks around it are sent, too."] };
    const { form, command } = await ofReference(reference);
    expect({ form, command }).toEqual({ form: warned, command: warned });
    // In a file, an apostrophe in front marks a text.
    if (reference.startsWith("'")) return;
    expect((await ofReference(reference)).file).toEqual(warned);
  });

  test("with a single quotation mark, or only marks, is no quotation", async () => {
    const silent = { issues: [], warnings: [] };
    for (const reference of ["O'Neill", "R1\u2019", "5\u201d", "\u201c\u201d", "\u00ab"]) {
      expect(await ofReference(reference)).toEqual({ form: silent, command: silent, file: silent });
    }
  });

  test("of another script alone, or with accents, is no mixture", async () => {
    const silent = { issues: [], warnings: [] };
    const references = [
      "\u041f\u043b\u0430\u0442\u0435\u0436-17",
      "Zo\u00eb-17 / a_b",
      "EXT-\u03a9\u00e9-13",
      "EXT-\u65e5\u672c-14",
    ];
    for (const reference of references)
      expect(await ofReference(reference)).toEqual({ form: silent, command: silent, file: silent });
  });
});

test.each(["transaction_id", "external_account_number"])("%s is refused likewise", (field) => {
  const item = JSON.parse(transaction())[0];
  const body = { ...item, transaction_id: "T\u200b1" };
  const text =
    field === "transaction_id"
      ? JSON.stringify([body])
      : JSON.stringify({
          import_supplier: account.importSupplier,
          external_account_number: "EXT-\u200b1",
          transactions: [item],
        });
  expect(judge("transactions", text).issues).toContainEqual(
    expect.stringMatching(new RegExp(`${field}: Remove U\\+200B`)),
  );
});

describe("a text", () => {
  test("goes out with a warning that names the code points", () => {
    const text = JSON.stringify([{ body: "a\u200bb\u200bc\u00a0d" }]);
    expect(judge("notes", text)).toEqual({
      issues: [],
      warnings: [
        "notes.0.body: Sent unchanged with characters that cannot be seen: U+200B 2 times, U+00A0.",
      ],
    });
  });

  test("may have emoji, which are made of such characters", () => {
    const text = JSON.stringify([{ body: "\u2764\ufe0f \ud83d\udc69\u200d\ud83d\ude80" }]);
    expect(judge("notes", text)).toEqual({ issues: [], warnings: [] });
  });
});

describe("a byte order mark", () => {
  const row = (amount: string) =>
    `import_supplier,external_account_number,transaction_id,transaction_date,amount,type\nACME,E1,T1,2026-11-20,${amount},CHARGE\n`;

  test("before an amount is refused in form and file", async () => {
    const { problems } = await issuesOfFile("transactions", row("\ufeff10.00"));
    expect(problems).toEqual([
      '2 amount: Remove U+FEFF at character 1: it cannot be seen. Found: "\ufeff10.00".',
    ]);
    const values = {
      import_supplier: "ACME",
      external_account_number: "E1",
      transactions: [
        {
          transaction_id: "T1",
          transaction_date: "2026-11-20",
          amount: "\ufeff10.00",
          type: "CHARGE",
        },
      ],
    };
    const typed = validateValues(forms.transactions, values, typedAt);
    expect(typed.ok ? [] : typed.issues.map(({ message }) => message)).toEqual([
      "Remove U+FEFF at character 1: it cannot be seen.",
    ]);
  });

  test("at the start of a file is accepted", async () => {
    expect(await issuesOfFile("transactions", `\ufeff${row("10.00")}`)).toMatchObject({
      problems: [],
      sent: [[2]],
    });
  });
});

test("blanks inside a long text cost no time", () => {
  const long = `a${" ".repeat(1_000_000)}b`;
  const started = performance.now();
  expect(withoutBlanks(` \t${long}\n`)).toBe(long);
  expect(withoutBlanks(" \u00a0 ")).toBe("\u00a0");
  expect(performance.now() - started).toBeLessThan(1_000);
});
