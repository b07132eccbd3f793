import { expect, test } from "vitest";
import { plannedFor, requestsFor, type Template } from "../../src/bulk/for-accounts.ts";
import type { PlannedRequest } from "../../src/bulk/planned.ts";
import { jsonNumber } from "../../src/json/exact.ts";

function template(kind: "notes" | "transactions", items: Template["body"][string]): Template {
  const account = "{external_account_number}";
  return {
    kind,
    importSupplier: "ACME",
    query: {},
    allowMissing: false,
    body: { import_supplier: "ACME", external_account_number: account, [kind]: items },
  };
}

const bodyOf = ({ write }: PlannedRequest) => new TextDecoder().decode(write?.body);

async function all(planned: AsyncIterable<PlannedRequest>): Promise<PlannedRequest[]> {
  const found: PlannedRequest[] = [];
  for await (const one of planned) found.push(one);
  return found;
}

test("notes go in one request for each account, a row for each note", async () => {
  const notes = template("notes", [{ body: "For {external_account_number}" }, { body: "Second" }]);
  const planned = await all(plannedFor(notes, ["EXT-1", "EXT-2"]));
  expect(planned.map(({ lines }) => lines)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(planned.map(bodyOf)).toEqual(
    ["EXT-1", "EXT-2"].map((account) =>
      JSON.stringify({
        import_supplier: "ACME",
        external_account_number: account,
        notes: [{ body: `For ${account}` }, { body: "Second" }],
      }),
    ),
  );
});

test("several transactions go one by one, their digits as they were typed", async () => {
  const one = (id: string) => ({
    transaction_id: `${id}-{external_account_number}`,
    transaction_date: "2026-11-20",
    amount: jsonNumber("1.50"),
    type: "CREDIT",
  });
  const planned = await all(plannedFor(template("transactions", [one("A"), one("B")]), ["EXT-1"]));
  expect(planned.map(({ lines }) => lines)).toEqual([[1], [2]]);
  expect(planned.map((request) => bodyOf(request).match(/"[AB]-EXT-1".*1\.50/)?.length)).toEqual([
    1, 1,
  ]);
});

test("requests are made as they are asked for, also of a million accounts", async () => {
  let asked = 0;
  const accounts = {
    *[Symbol.iterator]() {
      for (; asked < 1_000_000; ) yield `EXT-${++asked}`;
    },
  };
  const planned = plannedFor(template("notes", [{ body: "Hello" }]), accounts);
  await planned.next();
  await planned.next();
  expect(asked).toBe(2);
});

test("an account whose number does not fit where it is put is refused by name", () => {
  const notes = template("notes", [
    { document_paths: [{ document_path: "letters/{external_account_number}/welcome.pdf" }] },
  ]);
  expect(() => requestsFor(notes, "EXT-1", 1)).not.toThrow();
  expect(() => requestsFor(notes, "..", 1)).toThrow(/^\.\.: /);
});
