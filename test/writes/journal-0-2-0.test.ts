/** Promise: what version 0.2.0 recorded is held back as well, whatever its journal still has of it. */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { parseExact } from "../../src/json/exact.ts";
import { canonicalJson } from "../../src/json/normal-form.ts";
import { openFile } from "../../src/sqlite/open-file.ts";
import { askGuard } from "../../src/writes/guard.ts";
import type { State } from "../../src/writes/journal/entry.ts";
import { journalKind } from "../../src/writes/journal/schema.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { applyRetention } from "../../src/writes/retention.ts";
import { journalFolder } from "../helpers/folders.ts";
import { account, instruction, journalIn, request, statement, transactions } from "./writing.ts";

const baseUrl = "http://127.0.0.1:9";
const old = { ...journalKind, steps: journalKind.steps.slice(0, 3) };

/** The hash that version 0.2.0 stored for a request. */
function formOf({ operation, query = {}, body }: WriteRequest): string {
  return createHash("sha256")
    .update(JSON.stringify([operation, query]))
    .update(canonicalJson(parseExact(new TextDecoder().decode(body))))
    .digest("hex");
}

interface OldEntry {
  readonly write: WriteRequest;
  readonly state?: State;
  readonly doubt?: string;
  readonly purged?: boolean;
  readonly blocked?: boolean;
  readonly items?: readonly string[];
  /** The outcome of its last attempt. */
  readonly ended?: string;
}

function insert(database: DatabaseSync, entry: OldEntry): void {
  const { write, state = "confirmed", doubt = "none", purged, blocked, items = [], ended } = entry;
  const { lastInsertRowid: id } = database
    .prepare(`INSERT INTO intent (profile, base_url, operation, import_supplier,
      external_account_number, path, query, body, sha256, form, created_at, state, doubt)
      VALUES ('p', ?, ?, 'ACME', 'EXT-0000001', '/', ?, ?, '', ?, 1, ?, ?)`)
    .run(
      baseUrl,
      write.operation,
      JSON.stringify(write.query ?? {}),
      purged === true ? null : write.body,
      formOf(write),
      state,
      doubt,
    );
  if (blocked === true)
    database
      .prepare("INSERT INTO blocked_form VALUES (?, ?, ?, 1)")
      .run(baseUrl, formOf(write), id);
  for (const [position, outcome] of items.entries())
    database.prepare("INSERT INTO item VALUES (?, ?, '', ?, NULL)").run(id, position, outcome);
  if (ended !== undefined)
    database
      .prepare("INSERT INTO attempt (intent, n, started_at, outcome) VALUES (?, 1, 1, ?)")
      .run(id, ended);
}

/** A journal of version 0.2.0 with these entries, opened by this version. */
async function migrated(...entries: readonly OldEntry[]) {
  const folder = journalFolder();
  const { database } = await openFile(folder, old);
  for (const entry of entries) insert(database, entry);
  database.close();
  const journal = await journalIn(folder);
  const found = (write: WriteRequest) =>
    journal.read((rows) => askGuard(rows, { baseUrl, write: prepareWrite(write) }));
  return { journal, found };
}

const off = { check_previously_added: "false" };
const twoOf = (...ids: string[]) =>
  request("statements create", {
    ...account,
    statements: ids.map((statement_id) => ({ statement_id })),
  });

describe("an entry of version 0.2.0", () => {
  test("is found by each of its items", async () => {
    const { found } = await migrated({ write: twoOf("S-1", "S-2") });
    expect(found(twoOf("S-2"))).toMatchObject({
      kind: "sent-before",
      earlier: { journalId: 1, state: "confirmed", isRemoved: false },
    });
    expect(found(twoOf("S-3")).kind).toBe("clear");
  });

  test.each<[string, WriteRequest, WriteRequest]>([
    ["a payment", instruction(), instruction()],
    ["a statement", statement(), statement()],
    ["checked transactions", transactions(["T-1"]), transactions(["T-1"], off)],
    [
      "transactions with another option",
      transactions(["T-1"], { force_add_to_current_statement: "false" }),
      transactions(["T-1"], { ...off, force_add_to_current_statement: "false" }),
    ],
  ])("whose body was purged is found by its whole request: %s", async (_what, before, now) => {
    const { found } = await migrated({ write: before, purged: true });
    expect(found(now)).toMatchObject({ kind: "sent-before", position: null });
  });

  test.each([
    ["confirmed", "none", "sent-before"],
    ["unknown", "unknown", "sent-before"],
    ["closed", "unknown", "sent-before"],
    ["closed", "none", "clear"],
    ["rejected", "none", "clear"],
    ["unsent", "none", "clear"],
  ] as const)("that is %s with doubt %s: %s", async (state, doubt, kind) => {
    for (const purged of [false, true]) {
      const { found } = await migrated({ write: instruction(), state, doubt, purged });
      expect(found(instruction()).kind).toBe(kind);
    }
  });

  test("stays blocked after a 400, with and without its body and its row", async () => {
    for (const purged of [false, true]) {
      const { journal, found } = await migrated({
        write: instruction(),
        state: "rejected",
        blocked: true,
        purged,
      });
      expect(found(instruction()).kind).toBe("refused-before");
      await applyRetention(journal, Date.now());
      expect(found(instruction())).toMatchObject({
        kind: "refused-before",
        earlier: { journalId: 1, isRemoved: true },
      });
    }
  });

  test("a deleted entry of version 0.2.0 still blocks its form", async () => {
    const folder = journalFolder();
    const { database } = await openFile(folder, old);
    insert(database, { write: instruction(), state: "rejected", blocked: true });
    database.exec("DELETE FROM intent");
    database.close();
    const journal = await journalIn(folder);
    const write = prepareWrite(instruction());
    expect(journal.read((rows) => askGuard(rows, { baseUrl, write }))).toMatchObject({
      kind: "refused-before",
      earlier: { journalId: 1, isRemoved: true },
    });
  });

  test("counts its items by their outcomes, unless a later attempt had no answer", async () => {
    const write = transactions(["T-1", "T-2"]);
    const entry = {
      write,
      state: "unknown",
      doubt: "unknown",
      items: ["unknown", "rejected"],
    } as const;
    const answered = await migrated({ ...entry, ended: "400" });
    expect(answered.found(transactions(["T-1"], off)).kind).toBe("sent-before");
    expect(answered.found(transactions(["T-2"], off)).kind).toBe("clear");
    const cut = await migrated({ ...entry, ended: "no-answer" });
    expect(cut.found(transactions(["T-2"], off)).kind).toBe("sent-before");
  });

  test("with a body that cannot be read keeps the hash of its request", async () => {
    const write = { ...instruction(), body: new TextEncoder().encode("[]") };
    const { journal } = await migrated({ write });
    expect(journal.read((rows) => rows.all("SELECT position FROM item_key"))).toEqual([
      { position: -1 },
    ]);
  });
});

test("a journal of 5,000 entries gets its keys within seconds", async () => {
  const folder = journalFolder();
  const { database } = await openFile(folder, old);
  database.exec("BEGIN");
  for (let n = 0; n < 5_000; n++) insert(database, { write: transactions([`T-${n}`]) });
  database.exec("COMMIT");
  database.close();
  const began = performance.now();
  const journal = await journalIn(folder);
  // A slow machine, and a busy one; it takes less than a second.
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(journal.read((rows) => rows.number("SELECT count(*) FROM item_key"))).toBe(5_000);
  const write = prepareWrite(transactions(["T-4999"], off));
  const asked = performance.now();
  for (let n = 0; n < 1_000; n++) journal.read((rows) => askGuard(rows, { baseUrl, write }));
  expect(performance.now() - asked).toBeLessThan(1_000);
});
