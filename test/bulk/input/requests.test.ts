import type { Grouping } from "../../../src/bulk/run-settings.ts";
import { fromWireBody } from "../../../src/forms/fields.ts";
import { formKinds, forms } from "../../../src/forms/forms.ts";
import { validateJson } from "../../../src/forms/parse-json.ts";
import { bytesOf, isJsonObject, type Json, type JsonObject } from "../../../src/json/exact.ts";
import { scanJson } from "../../../src/json/scan.ts";
import { operationOf } from "../../../src/writes/kinds/kinds.ts";
import { prepareWrite } from "../../../src/writes/prepare.ts";
import { compact } from "../../forms/payloads.ts";
import * as fc from "../../helpers/fast-check.ts";
import { samples } from "../../helpers/kinds.ts";
import { bodyText, cell, dotted, planned, requests } from "./inputs.ts";

function objectOf(text: string): JsonObject {
  const scan = scanJson(text);
  if (!scan.ok || !isJsonObject(scan.value)) throw new Error(text);
  return scan.value;
}

/** A documented body as the rows that say the same. */
function rowsOf(kind: (typeof formKinds)[number]): JsonObject[] {
  const form = forms[kind];
  const body = fromWireBody(form, objectOf(samples[kind].documented));
  if (!isJsonObject(body)) throw new Error(kind);
  if (form.itemsField === null) return [body];
  const { [form.itemsField]: items, ...account } = body;
  return (items as readonly JsonObject[]).map((item) => ({ ...account, ...item }));
}

function csvOf(rows: readonly Json[], separator = ","): string {
  const named = rows.map((row) => new Map(dotted(row)));
  const names = [...new Set(named.flatMap((row) => [...row.keys()]))];
  const lines = named.map((row) => names.map((name) => cell(row.get(name) ?? "")));
  return [names, ...lines].map((cells) => `${cells.join(separator)}\r\n`).join("");
}

const jsonlOf = (rows: readonly Json[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** The bytes that a `create` command sends for a JSON file. */
function sentFor(kind: (typeof formKinds)[number], body: Json): string {
  const checked = validateJson(forms[kind], JSON.stringify(body));
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return bytesOf(checked.body).toString("utf8");
}

describe.each(formKinds)("%s with every documented field", (kind) => {
  const rows = rowsOf(kind);
  const { itemsField } = forms[kind];
  const bodies = rows.map((row) => {
    if (itemsField === null) return row;
    const { import_supplier = "", external_account_number = "", ...item } = row;
    return { import_supplier, external_account_number, [itemsField]: [item] };
  });
  const expected = bodies.map((body) => sentFor(kind, body));

  test("JSONL rows are sent as the create command sends them", async () => {
    const found = await requests(kind, jsonlOf(rows));
    expect(found.map(bodyText)).toEqual(expected);
    expect(found.map(({ lines }) => lines)).toEqual(rows.map((_, at) => [at + 1]));
  });

  test.each([",", ";", "\t"])(
    "CSV rows between %j are sent as the same bytes",
    async (separator) => {
      const found = await requests(kind, csvOf(rows, separator), {}, [1, 5, 3]);
      // An empty cell is an absent field; only this one may be there and be empty by itself.
      const withoutEmpty = expected.map((text) => text.replace(',"prefix":""', ""));
      expect(found.map(bodyText)).toEqual(withoutEmpty);
    },
  );

  test("every request is one that the write path takes, about whom it says", async () => {
    for (const { target, write } of await requests(kind, jsonlOf(rows))) {
      if (write === null) throw new Error("no write");
      const prepared = prepareWrite(write);
      expect(prepared.operation).toBe(operationOf(kind));
      expect(target).toEqual(prepared.facts.target);
    }
  });

  test("rows of one account together are the whole documented body", async () => {
    if (itemsField === null) return;
    const [one, ...more] = await requests(kind, csvOf(rows), { group: "account" });
    expect(more).toEqual([]);
    expect(one && bodyText(one)).toBe(compact(samples[kind].documented));
    expect(one?.lines.length).toBe(rows.length);
  });
});

test("a supply point stands in its payload or not, in JSONL and in columns", async () => {
  const bare = { import_supplier: "ACME", supply_point: rowsOf("supply-points")[0]?.supply_point };
  const point = { ...bare, accounts: [] } as unknown as Json;
  const forms = [jsonlOf([point]), jsonlOf([{ payload: point }])];
  const [first, second] = await Promise.all(forms.map((text) => requests("supply-points", text)));
  expect(first?.map(bodyText)).toEqual(second?.map(bodyText));
  const csv = csvOf(rowsOf("supply-points"));
  const prefixed = csv.replaceAll(
    /(?<=^|,)(?=(?:import_supplier|supply_point|accounts)\b)/g,
    "payload.",
  );
  expect(prefixed).not.toBe(csv);
  const [bareCsv, prefixedCsv] = await Promise.all(
    [csv, prefixed].map((text) => requests("supply-points", text)),
  );
  expect(prefixedCsv?.map(bodyText)).toEqual(bareCsv?.map(bodyText));
});

describe("what rows hold", () => {
  // Without blanks around: a form's texts leave those out.
  const text = fc
    .array(fc.constantFrom("a", "B", "é", "宽", "😀", '"', ",", ";", "\n", "=", "'"), {
      minLength: 1,
      maxLength: 10,
    })
    .map((parts) => parts.join(""))
    .filter((words) => words.trim() === words && words !== "");
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.stringMatching(/^\d{0,12}$/))
    .map(([whole, places]) => ({ digits: places === "" ? `${whole}` : `${whole}.${places}` }));
  const row = fc.record({
    account: fc.constantFrom("EXT-1", "EXT-2"),
    id: text.map((words) => words.replaceAll("\n", "a").replace(/^[='](?==)?/, "B")),
    amount: decimal,
    note: fc.option(text, { nil: undefined }),
    units: fc.array(decimal, { maxLength: 3 }),
  });

  test("values from CSV and JSONL are sent unchanged, digit for digit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 5 }),
        fc.constantFrom<Grouping>("none", "account"),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        async (rows, group, sizes) => {
          const json = rows.map(({ account, id, amount, note, units }) => {
            const items = units.map(({ digits }) => digits).join(",");
            const lines = units.length === 0 ? "" : `,"line_items":[{"units":[${items}]}]`;
            const said = note === undefined ? "" : `,"note":${JSON.stringify(note)}`;
            return `{"import_supplier":"ACME","external_account_number":"${account}","transaction_id":${JSON.stringify(id)},"transaction_date":"2026-11-20","amount":${amount.digits},"type":"CHARGE"${said}${lines}}`;
          });
          const read = async (input: string) => {
            const all = await planned("transactions", input, { group }, sizes);
            expect(
              all.filter((one) => one.kind === "issue" && one.issue.severity === "error"),
            ).toEqual([]);
            return all.flatMap((one) => (one.kind === "request" ? [bodyText(one.request)] : []));
          };
          const fromJsonl = await read(`${json.join("\n")}\n`);
          expect(await read(csvOf(json.map(objectOf)))).toEqual(fromJsonl);
          const items = fromJsonl.map(
            (sent) => /"transactions":\[(.*)\]\}$/s.exec(sent)?.[1] ?? "",
          );
          const expected = json.map((line) =>
            line.replace(/"import_supplier":"ACME","external_account_number":"EXT-\d",/, ""),
          );
          expect(items.join(",")).toBe(expected.join(","));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("rows of one account together", () => {
  const csv = (accounts: readonly string[]) =>
    `import_supplier,external_account_number,body\n${accounts.map((one, at) => `ACME,${one},note ${at}\n`).join("")}`;
  const lines = async (accounts: readonly string[]) =>
    (await requests("notes", csv(accounts), { group: "account" })).map((one) => one.lines);

  test("only neighbours share a request", async () => {
    expect(await lines(["A", "A", "B", "A"])).toEqual([[2, 3], [4], [5]]);
  });

  test("at most a hundred share one", async () => {
    const found = await lines(Array.from({ length: 250 }, () => "A"));
    expect(found.map((one) => one.length)).toEqual([100, 100, 50]);
    expect(found.flat()).toEqual(Array.from({ length: 250 }, (_, at) => at + 2));
  });

  test("without being asked for, each row goes out alone", async () => {
    const found = await requests("notes", csv(["A", "A"]));
    expect(found.map((one) => one.lines)).toEqual([[2], [3]]);
  });

  test("kinds with one item per request are never grouped", async () => {
    const text =
      "import_supplier,external_account_number,vendor,reference,type\nACME,A,V,1,CARD\nACME,A,V,2,CARD\n";
    const found = await requests("payment-instructions", text, { group: "account" });
    expect(found.map((one) => one.lines)).toEqual([[2], [3]]);
  });
});

test("the options of transactions go with each request", async () => {
  const [row] = rowsOf("transactions");
  const query = { check_previously_added: "false" };
  const found = await requests("transactions", jsonlOf(row ? [row] : []), { query });
  expect(found.map(({ write }) => write?.query)).toEqual([query]);
});
