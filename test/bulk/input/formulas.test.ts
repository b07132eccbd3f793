import { readSource } from "../../../src/triage/source/read-source.ts";
import { bytesOf, issues, requests } from "./inputs.ts";

const header = "import_supplier,external_account_number,vendor,reference,type\n";
const quotedCell = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const payment = (reference: string, account = "E1") =>
  `${header}ACME,${quotedCell(account)},v,${quotedCell(reference)},CARD\n`;

describe("a cell that looks like a spreadsheet formula", () => {
  test.each([
    ['="00123"', 'Write "00123" there.'],
    ['= "a""b"', 'Write "a"b" there.'],
    ["=00123", 'Write "00123" there.'],
    ["=A1+B1", `Write its value, or "'=A1+B1" for this very text.`],
    ["+A1", `Write its value, or "'+A1" for this very text.`],
    ["-ABC", `Write its value, or "'-ABC" for this very text.`],
    ["@SUM(A1)", `Write its value, or "'@SUM(A1)" for this very text.`],
  ])("as a reference, %s is an error that shows the value to write", async (cell, remedy) => {
    expect(await issues("payment-instructions", payment(cell))).toEqual({
      problems: [`2 reference: This looks like a spreadsheet formula. ${remedy} Found: "${cell}".`],
      warnings: [],
      sent: [],
    });
  });

  test("is an error as an account number too", async () => {
    const { problems } = await issues("payment-instructions", payment("R", '="00123"'));
    expect(problems).toEqual([
      `2 external_account_number: This looks like a spreadsheet formula. Write "00123" there. Found: "="00123"".`,
    ]);
  });

  test("may stand behind the apostrophe of an export, which is left out", async () => {
    const [sent] = await requests("payment-instructions", payment("'-ABC", "'=7"));
    const body = JSON.parse(new TextDecoder().decode(sent?.write?.body));
    expect(body).toMatchObject({ reference: "-ABC", external_account_number: "=7" });
  });

  test("is none as a number with a sign", async () => {
    const row = (amount: string, id: string) =>
      `import_supplier,external_account_number,transaction_id,transaction_date,amount,type\nACME,E1,${id},2026-11-20,${amount},CHARGE\n`;
    for (const amount of ["-12.50", "+12.50"])
      expect(await issues("transactions", row(amount, "-17"))).toMatchObject({ problems: [] });
    expect((await issues("transactions", row('"=""5"""', "T"))).problems).toEqual([
      '2 amount: This looks like a spreadsheet formula. Write "5" there. Found: "="5"".',
    ]);
  });

  test.each(["=a", "-a", "@all"])("in a note, %s is sent with a warning", async (body) => {
    const text = `import_supplier,external_account_number,body\nACME,E1,${body}\n`;
    expect(await issues("notes", text)).toEqual({
      problems: [],
      warnings: [
        `2 body: This begins like a spreadsheet formula; it is sent unchanged. Found: "${body}".`,
      ],
      sent: [[2]],
    });
  });

  test("is no number of a list", () => {
    const list = readSource(bytesOf('external_account_number,n\n=A1,1\n"=""0012""",2\nEXT-1,3\n'), {
      name: "list.csv",
    });
    expect([0, 1, 2].map((row) => list.issueOf(row)?.kind ?? list.numberOf(row))).toEqual([
      "unreadable",
      "unreadable",
      "EXT-1",
    ]);
  });
});
