import { issues, planned } from "./inputs.ts";

const notes = "import_supplier,external_account_number,body,created_at,is_pinned\n";
const money =
  "import_supplier,external_account_number,transaction_id,transaction_date,amount,type\n";
const bills = "import_supplier,external_account_number,statement_id,gross_amount\n";
const jsonNote = '{"import_supplier":"ACME","external_account_number":"E1","body":"x"}';

/** The problems of notes in CSV, the header being sound. */
const inRow = async (row: string) => (await issues("notes", `${notes}${row}`)).problems;

describe("the header", () => {
  test("reports each issue once, and rows are still checked", async () => {
    const { problems } = await issues(
      "notes",
      "import_suplier;external_account_number;Body;document_path;;external_account_number\nACME;E1;x;y;z;E1\nACME;..;x;y;z;E1\n",
    );
    expect(problems).toEqual([
      "1 import_suplier: This is not documented for notes and is never sent. Did you mean import_supplier?",
      "1 Body: This is not documented for notes and is never sent. Did you mean body?",
      "1 document_path: This is not documented for notes and is never sent. Did you mean document_paths.0.document_path?",
      "1: Column 5 has no name. Name it, or remove it.",
      "1 external_account_number: Columns 2 and 6 are both external_account_number. Remove one.",
      "1 import_supplier: The column import_supplier is missing; every row needs it.",
      "1: One of these columns is needed: body, document_paths.0.document_path.",
      '3 external_account_number: This must not be . or .., which would change the path. Found: "..".',
    ]);
  });

  test.each([
    ["line_items.2.rate_bnd", "Did you mean line_items.2.rate_band?"],
    ["line_items.rate_band", "Did you mean line_items.0.rate_band?"],
    ["line_items", "Did you mean line_items.0.rate_band?"],
    ["line_items.0.units", "Did you mean line_items.0.units.0?"],
    ["transactions", "Each row is one transaction: put its fields next to import_supplier"],
    ["check_previously_added", "This is an option of the command, not a field of a transaction."],
    ["line_items.00.rate_band", "is not documented"],
    ["constructor", "is not documented"],
  ])("a column %s is reported", async (name, words) => {
    const { problems } = await issues(
      "transactions",
      `${money.trim()},${name}\nACME,E1,T1,2026-11-20,1,CHARGE,\n`,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`1 ${name}: `);
    expect(problems[0]).toContain(words);
  });

  test("a file without one is reported at once, and no row is read", async () => {
    const { problems } = await issues("notes", "ACME,E1,hello\nACME,E2,hello\n");
    expect(problems).toEqual([
      '1: The first row names the columns, such as import_supplier, external_account_number, body, document_paths.0.document_path, created_at. This one contains "ACME", "E1", "hello".',
    ]);
  });

  test("in place of which Excel has its hint about the separator is reported as such", async () => {
    const { problems } = await issues("notes", `sep=,\n${notes}ACME,E1,x,,\n`);
    expect(problems).toEqual(["1: The first line is sep=, a hint for Excel. Remove it."]);
  });

  test("may stand after a byte order mark and with blanks around its names", async () => {
    const { problems, sent } = await issues(
      "notes",
      '\ufeff"import_supplier" , external_account_number ,body\nACME,E1,x\n',
    );
    expect(problems).toEqual([
      "1: There is text after the quote that closes the cell. Is a quote missing? Double a quote in text.",
    ]);
    expect(sent).toEqual([]);
    const sound = "\ufeff import_supplier, external_account_number ,body\nACME,E1,x\n";
    expect((await issues("notes", sound)).sent).toEqual([[2]]);
  });
});

describe("an input without rows", () => {
  test.each([
    ["", "1: The input is empty."],
    ["\n\n", "1: The input is empty."],
    [notes, "1: There is a header, but no row."],
  ])("%j is reported", async (input, problem) => {
    expect(await issues("notes", input)).toMatchObject({ problems: [problem], sent: [] });
  });

  test("also in JSONL", async () => {
    expect((await issues("notes", "  \n", { format: "jsonl" })).problems).toEqual([
      "1: There is no row.",
    ]);
  });
});

test("a header that was cut at another separator says at which one", async () => {
  const header = "supplier;account;body, long, with, commas";
  const { problems } = await issues("notes", `${header}\nACME;E1;a\n`);
  expect(problems.join()).toContain("cut at each comma");
});

describe("a CSV row", () => {
  test.each([
    ["ACME,E1,   ,,\n", "2 body: This cell has only blanks. Leave it empty to omit the field."],
    ["ACME,E1,x,,\t \n", "2 is_pinned: This cell has only blanks"],
    [
      "ACME,E1\n",
      "2: This row has 2 cells, the header 5. Add the missing cells, even if they are empty.",
    ],
    [
      "ACME,E1,x,,,\n",
      "2: This row has 6 cells, the header 5. Put a cell with a separator in it in quotes.",
    ],
    ["ACME,E1,x,,maybe\n", '2 is_pinned: Write yes or no. Found: "maybe".'],
    ["ACME,E1,x,tomorrow,\n", "2 created_at: A datetime such as 2026-11-20T14:00:00+01:00 is"],
    ["ACME,E1,x,2026-11-20T14:00:00,\n", "2 created_at: Name the time zone"],
    ["ACME,E1,x,2026-11-20 14:00Z,\n", "2 created_at: A datetime such as"],
    ["ACME,,x,,\n", "2 external_account_number: This field is required."],
    ["ACME,E1,,,\n", "2 body: One of these is needed: body, document_paths."],
    ['ACME,E1,5" pipe,,\n', "2 body: A quote is inside a cell that does not begin with one"],
    ['ACME,E1,"a"b,,\n', "2 body: There is text after the quote that closes the cell"],
    ["ACME,E1,a\0b,,\n", "2: This row contains a NUL character"],
  ])("%j is reported with its line and column", async (row, problem) => {
    const problems = await inRow(row);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test.each([
    ["1E400", "Write the number out, without an exponent."],
    ["1,5", "Write the number with a point"],
    ["007", "Write the number without leading zeros."],
    ["−5", "Write the minus sign as a plain hyphen (-)."],
    ["NaN", "Write a number such as -12.50."],
  ])("an amount of %s is reported", async (amount, words) => {
    const { problems } = await issues(
      "transactions",
      `${money}ACME,E1,T1,2026-11-20,"${amount}",CHARGE\n`,
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`2 amount: ${words}`);
    expect(problems[0]).toContain(`Found: "${amount}"`);
  });

  test.each(["today", "2026-2-3", "20.11.2026", "11/20/2026"])(
    "a date %s is reported: a file's dates are exact",
    async (date) => {
      const { problems } = await issues("transactions", `${money}ACME,E1,T1,${date},1,CHARGE\n`);
      expect(problems).toEqual([
        `2 transaction_date: A date such as 2026-11-20 is expected here. Found: "${date}".`,
      ]);
    },
  );

  test("a gap in numbered columns is reported", async () => {
    const { problems } = await issues(
      "transactions",
      `${money.trim()},line_items.0.rate_band,line_items.1.rate_band\nACME,E1,T1,2026-11-20,1,SUPPLY_CHARGE,,X\n`,
    );
    expect(problems).toEqual([
      "2 line_items: line_items.1 is filled in while line_items.0 is not.",
    ]);
  });

  test("all that is wrong with all rows comes in one reading, and sound rows are planned", async () => {
    const { problems, sent } = await issues(
      "transactions",
      `${money}ACME,E1,,2026-11-20,x,\nACME,E1,T2,2026-11-20,1,CHARGE\nACME,E1\nACME,E1,T4,nope,1,CHARGE\n`,
    );
    expect(problems.map((one) => one.split(":", 1)[0])).toEqual([
      "2 amount",
      "2 transaction_id",
      "2 type",
      "4",
      "5 transaction_date",
    ]);
    expect(sent).toEqual([[3]]);
  });

  test("a long value is repeated in part", async () => {
    const [problem = ""] = await inRow(`ACME,E1,x,${"😀".repeat(500)},\n`);
    expect(problem.isWellFormed()).toBe(true);
    expect(problem).toContain(`Found: "${"😀".repeat(59)}…".`);
  });

  test("a row of empty cells is left out with a warning", async () => {
    const { problems, warnings, sent } = await issues("notes", `${notes},,,,\nACME,E1,x,,\n`);
    expect({ problems, warnings, sent }).toEqual({
      problems: [],
      warnings: ["2: This row is empty; it is skipped."],
      sent: [[3]],
    });
  });

  test("an account number that a spreadsheet was kept from computing is itself again", async () => {
    const [found] = await planned("notes", `${notes}ACME,'-7,x,,\n`);
    expect(found).toMatchObject({ request: { target: { externalAccountNumber: "-7" } } });
  });
});

describe("quotes that do not close", () => {
  test("at the end: it is said where the quote opened, and the rows behind it are read", async () => {
    const { problems, sent } = await issues(
      "notes",
      `${notes}ACME,E1,ok,,\nACME,E2,"open,,\r\nACME,E3,x,,\r\nACME,E4,,,\r\n`,
    );
    expect(problems).toEqual([
      "3 body: The quote that opens on line 3 is never closed. Close it, or write a quote in a text twice.",
      "5 body: One of these is needed: body, document_paths.",
    ]);
    expect(sent).toEqual([[2], [4]]);
  });

  test("in a row that began earlier: both lines are reported", async () => {
    const { problems } = await issues("notes", `${notes}ACME,E1,"a\nb","open\nACME,E3,x,,\n`);
    expect(problems[0]).toBe(
      "2 created_at: The quote that opens on line 3 is never closed. Close it, or write a quote in a text twice.",
    );
  });

  test("closed by a later row's quote: both lines are reported", async () => {
    const { problems, sent } = await issues(
      "notes",
      `${notes}ACME,E1,"open,,\nACME,E2,"x",,\nACME,E3,y,,\n`,
    );
    expect(problems).toEqual([
      "2 body: There is text after the quote on line 3 that closes the one of line 2. Is a quote missing? Double a quote in text.",
    ]);
    expect(sent).toEqual([[4]]);
  });
});

describe("lines", () => {
  test.each(["\n", "\r\n", "\r"])("are those on which rows begin, with %j", async (end) => {
    const rows = [`ACME,E1,"two${end}lines${end}",,`, "", "ACME,E2,x,,", "ACME,..,x,,"];
    const { problems, sent } = await issues("notes", [notes.trim(), ...rows].join(end));
    expect(sent).toEqual([[2], [6]]);
    expect(problems[0]).toMatch(/^7 external_account_number/);
  });
});

describe("bytes that are no text", () => {
  const bytes = (...parts: (string | number)[]) =>
    Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))),
    );

  test("a row that is not UTF-8 is reported with the line of the byte", async () => {
    const { problems, sent } = await issues(
      "notes",
      bytes(notes, 'ACME,E1,"x\n', 0xe4, '",,\nACME,E2,', 0xff, ",,\nACME,E3,ä,,\n"),
    );
    expect(problems).toEqual([
      "2: Line 3 is not UTF-8. Save the file as UTF-8.",
      "4: This is not UTF-8. Save the file as UTF-8.",
    ]);
    expect(sent).toEqual([[5]]);
  });

  test.each([
    ["a workbook", bytes("PK", 3, 4, 0x14, 0)],
    ["an old workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
  ])("%s is named, with what to save instead", async (_, workbook) => {
    const { problems } = await issues("notes", workbook);
    expect(problems).toEqual([
      "1: This is no text, but a workbook such as .xlsx, or an archive. Save its sheet as CSV in UTF-8.",
    ]);
  });

  test("UTF-16 is reported at once", async () => {
    const { problems } = await issues("notes", Buffer.from(`\ufeff${notes}`, "utf16le"));
    expect(problems).toEqual(["1: This is UTF-16 text. Save the file as UTF-8."]);
    const unmarked = await issues("notes", Buffer.from(notes, "utf16le"));
    expect(unmarked.problems).toHaveLength(1);
    expect(unmarked.problems[0]).toContain("UTF-16");
  });
});

describe("a JSONL line", () => {
  test.each([
    ["nope", "2: A value is expected here"],
    ['{"body":', "2 body: The JSON ends too early here. (character 9)"],
    ["[1]", "2: A row is an object in { }."],
    ["null", "2: A row is an object in { }."],
    [`${"[".repeat(65)}${"]".repeat(65)}`, "2 "],
    [
      '{"import_supplier":"A","external_account_number":"E","body":"x","body":"y"}',
      "2 body: This field appears here for the second time. (character 65)",
    ],
    [
      '{"import_supplier":"A","external_account_number":"E","body":"x","extra":1}',
      "2 extra: This is not documented for notes and is never sent.",
    ],
    [
      '{"import_supplier":"A","external_account_number":"E","notes":[{"body":"x"}]}',
      "2 notes: Each row is one note: put its fields next to import_supplier, not under notes.",
    ],
    [
      '{"import_supplier":"A","external_account_number":7,"body":"x"}',
      "2 external_account_number: Text in quotes is expected here. Found: 7.",
    ],
    [
      '{"import_supplier":"A","external_account_number":"E","body":null}',
      "2 body: null is never sent: leave the field out. Found: null.",
    ],
    [
      '{"import_supplier":"A","external_account_number":"E","document_paths":[{"document_path":"a"},{"document_path":"/b"}]}',
      "2 document_paths.1.document_path: The path is relative",
    ],
    [
      '{"import_supplier":"A","external_account_number":"E","body":"x","__proto__":{"body":"y"}}',
      "2 __proto__: This is not documented",
    ],
  ])("%s is reported, and the lines around it are read", async (line, problem) => {
    const { problems, sent } = await issues("notes", `${jsonNote}\n${line}\n${jsonNote}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
    expect(sent).toEqual([[1], [3]]);
  });

  test("a number out of bounds is reported", async () => {
    const line =
      '{"import_supplier":"A","external_account_number":"E","transaction_id":"T","transaction_date":"2026-11-20","amount":1E400,"type":"CHARGE"}';
    expect((await issues("transactions", line)).problems).toEqual([
      "1 amount: Write the number out, without an exponent. Found: 1E400.",
    ]);
  });

  test("fields next to a payload are reported", async () => {
    const line =
      '{"payload":{"import_supplier":"A","supply_point":{"identifier":"S"},"accounts":[]},"dry":true}';
    const { problems } = await issues("supply-points", line);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("1 dry: This is not documented for supply-points");
  });

  test.each([['[{"body":"x"}]'], ['{\n  "body": 1\n}']])(
    "JSON that is no JSONL is reported once: %j",
    async (input) => {
      const { problems } = await issues("notes", input);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain("one object in { } on each line");
    },
  );
});

describe("warnings", () => {
  test("duplicate rows are reported with the earlier line, whatever is between", async () => {
    const between = Array.from({ length: 3000 }, (_, at) => `ACME,E${at},y,,\n`).join("");
    const { warnings, problems } = await issues(
      "notes",
      `${notes}ACME,E1,x,,\n${between}ACME,E1,x,,\nACME,E1,x,,yes\nACME,E2,x,,\n`,
    );
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      "3003: The same note as line 2: the service keeps one of them.",
      "3004: The same note as line 2: the service keeps one of them.",
    ]);
  });

  test("a transaction's id may stand once for an account", async () => {
    const row = (account: string, id: string, amount: string) =>
      `ACME,${account},${id},2026-11-20,${amount},CHARGE\n`;
    const input = `${money}${row("E1", "T1", "1")}${row("E2", "T1", "1")}${row("E1", "T1", "2")}`;
    expect((await issues("transactions", input)).warnings).toEqual([
      "4: The same account and transaction_id as line 2: the service treats it as the same transaction and skips it.",
    ]);
    const unchecked = { query: { check_previously_added: "false" } };
    expect((await issues("transactions", input, unchecked)).warnings).toEqual([
      "4: The same account and transaction_id as line 2: both would be added, because nothing checks for duplicates.",
    ]);
  });

  test.each([
    [
      "supply-points",
      '{"import_supplier":"A","supply_point":{"identifier":"S","supply_type":"ELECTRICITY_DISTRIBUTION"},"accounts":[]}\n'.repeat(
        2,
      ),
      "2: The same supply point as line 1: the service refuses a second import.",
    ],
    [
      "statements",
      '{"import_supplier":"A","external_account_number":"E","bill_period_from_date":"2026-09-01","bill_period_to_date":"2026-09-30","statement_id":"S","issued_date":"2026-10-02","number":"1","gross_amount":1}\n' +
        '{"import_supplier":"A","external_account_number":"E","bill_period_from_date":"2026-09-01","bill_period_to_date":"2026-09-30","statement_id":"S","issued_date":"2026-10-02","number":"1","gross_amount":2}\n',
      "2: The same account and statement_id as line 1.",
    ],
  ] as const)("%s too", async (kind, input, warning) => {
    expect((await issues(kind, input)).warnings).toEqual([warning]);
  });

  test.each([
    [
      "payment-instructions",
      {},
      "import_supplier,external_account_number,vendor,reference,type\nA,E,V,R,CARD\nA,E2,V,R,CARD\nA,E,V,R,CARD\n",
      "4: The same payment instruction as line 2: each can appear once.",
    ],
    [
      "statements",
      {},
      `${bills}A,E,S,10\nA,E,S2,10\nA,E,S,10.00\n`,
      "4: The same statement as line 2: each can appear once.",
    ],
    [
      "transactions",
      { query: { check_previously_added: "false" } },
      `${money}ACME,E1,T1,2026-11-20,1,CHARGE\nACME,E1,T2,2026-11-20,1,CHARGE\nACME,E1,T1,2026-11-20,1.0,CHARGE\n`,
      "4: The same transaction as line 2: each can appear once.",
    ],
    [
      "notes",
      {},
      '{"import_supplier":"A","external_account_number":"E","document_paths":[{"document_path":"a.pdf"}]}\n'.repeat(
        2,
      ),
      "2: The same note as line 1: each can appear once.",
    ],
  ] as const)(
    "%s that nothing would recognize are a problem when they are equal, whatever is between",
    async (kind, options, input, problem) => {
      const { problems, warnings, sent } = await issues(kind, input, {
        allowMissing: true,
        ...options,
      });
      expect(problems).toEqual([problem]);
      expect(warnings.filter((words) => words.includes("same"))).toEqual([]);
      expect(sent.flat()).not.toContain(Number.parseInt(problem, 10));
    },
  );

  test("two equal statements in one request are a problem, with their lines", async () => {
    const input = `${bills}A,E,S,10\nA,E,S,10.0\nA,E,S2,10\n`;
    const { problems, sent } = await issues("statements", input, {
      group: "account",
      allowMissing: true,
    });
    expect(problems).toEqual(["3: The same statement as line 2: each can appear once."]);
    expect(sent).toEqual([[2, 4]]);
  });

  test("two equal notes in one request are a problem, with their lines", async () => {
    const input = `${notes}ACME,E1,x,,\nACME,E1,y,,\nACME,E1,x,,\n`;
    const { problems, sent } = await issues("notes", input, { group: "account" });
    expect(problems).toEqual(["4: The same note as line 2: the service keeps one of them."]);
    expect(sent).toEqual([[2, 3]]);
  });

  test("two transactions of one id in one request are a problem, with their lines", async () => {
    const row = "ACME,E1,T1,2026-11-20,1,CHARGE\n";
    const { problems } = await issues("transactions", money + row + row, { group: "account" });
    expect(problems).toEqual([
      '3 transaction_id: The same transaction ID as line 2: each can appear once in a request. Found: "T1".',
    ]);
  });

  test("an omission of every row is reported for the first, a value for each row", async () => {
    const point = (id: string) =>
      `{"import_supplier":"A","supply_point":{"identifier":"${id}","supply_type":"GAS"},"accounts":[{"account_type":"DOMESTIC_THIRD_PARTY_BILLED"}]}\n`;
    const { warnings } = await issues("supply-points", point("1") + point("2"));
    const leftOut =
      "1 accounts.0: customer_at_supply_address_from_date, customers are empty; the service may need them. Reported once, for the first such row.";
    const unseen = (line: number) =>
      `${line} supply_point.supply_type: Unknown value, sent as typed. Known: ELECTRICITY_DISTRIBUTION. Found: "GAS".`;
    expect(warnings).toEqual([unseen(1), leftOut, unseen(2)]);
  });
});

test("issues and requests of joined rows come in the order of their lines", async () => {
  const input = `${notes}ACME,E1,a,,\nACME,E1\nACME,E1,  ,,\n,,,,\nACME,E1,b,,\nACME,E2,c,,\n`;
  const all = await planned("notes", input, { group: "account" });
  expect(
    all.map((one) => {
      if (one.kind === "request") return one.request.lines;
      return one.issue.line;
    }),
  ).toEqual([[2, 6], 3, 4, 5, [7]]);
});

test("a row does not wait for its neighbours behind any number of broken ones", async () => {
  const input = `${notes}ACME,E1,a,,\n${"ACME,E1\n".repeat(1000)}ACME,E1,b,,\n`;
  const all = await planned("notes", input, { group: "account" });
  expect(all[0]).toMatchObject({ kind: "request", request: { lines: [2] } });
  expect(all).toHaveLength(1002);
});

describe("fields that the interface does not call required", () => {
  const header = "import_supplier,external_account_number,transaction_id,amount\n";
  const rows = `${header}ACME,E1,T1,1.00\n`;

  test("stop a run, by their columns, while it is not allowed to lack them", async () => {
    const { problems, sent } = await issues("transactions", rows);
    const words =
      "is missing. supplyline expects it, but the interface does not say whether it is required.";
    expect(problems).toEqual([
      `1 transaction_date: The column transaction_date ${words}`,
      `1 type: The column type ${words}`,
    ]);
    expect(sent).toEqual([]);
  });

  test("are warnings in a run that is allowed to lack them", async () => {
    const { problems, warnings, sent } = await issues("transactions", rows, {
      allowMissing: true,
    });
    expect(problems).toEqual([]);
    expect(sent).toEqual([[2]]);
    expect(warnings).toEqual([
      expect.stringMatching(/^2 transaction_date: supplyline expects this field/),
      expect.stringMatching(/^2 type: supplyline expects this field/),
    ]);
  });
});
