/**
 * Promise: what version 0.3.0 recorded is held back as well, although it compared texts as they were
 * typed and knew fewer spellings of an address.
 */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { comparableJson } from "../../src/json/normal-form.ts";
import { openFile } from "../../src/sqlite/open-file.ts";
import { askGuard } from "../../src/writes/guard.ts";
import { journalKind } from "../../src/writes/journal/schema.ts";
import { listOpenEntries } from "../../src/writes/open-entries.ts";
import { bodyFacts, prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { journalFolder } from "../helpers/folders.ts";
import { account, journalIn, request } from "./writing.ts";

const old = { ...journalKind, steps: journalKind.steps.slice(0, 1) };
/** An address as version 0.3.0 stored it, and another spelling of it. */
const [oldKey, otherSpelling] = ["https://api.example.com//v", "https://api.example.com./v"];

const payment = (reference: string, more: object = {}) =>
  request("payment-instructions create", {
    ...account,
    vendor: "V",
    reference,
    type: "CARD",
    ...more,
  });

/** The hash that version 0.3.0 stored for an item. */
function keyOf({ operation }: WriteRequest, item: unknown): string {
  const prefix = JSON.stringify([operation, "ACME", "EXT-0000001"]);
  return hash("sha256", `${prefix} ${comparableJson(item)}`, "base64url");
}

function insert(database: DatabaseSync, write: WriteRequest, state: string, purged: boolean): void {
  const { lastInsertRowid: id } = database
    .prepare(`INSERT INTO intent (profile, base_url, service, operation, import_supplier,
      external_account_number, path, query, body, sha256, created_at, ended_at, state)
      VALUES ('p', ?1, ?1, ?2, 'ACME', 'EXT-0000001', '/', '{}', ?3, '', 1, 1, ?4)`)
    .run(oldKey, write.operation, purged ? null : write.body, state);
  const { items } = bodyFacts(write.operation, write.body);
  for (const [position, item] of items.entries())
    database
      .prepare("INSERT INTO item_key (key, service, intent, position) VALUES (?, ?, ?, ?)")
      .run(keyOf(write, item), oldKey, id, position);
}

/** A journal of version 0.3.0 with these entries, opened by this version. */
async function migrated(
  entries: readonly { write: WriteRequest; state?: string; purged?: boolean; removed?: boolean }[],
) {
  const folder = journalFolder();
  const { database } = await openFile(folder, old);
  for (const { write, state = "confirmed", purged = false, removed = false } of entries) {
    insert(database, write, state, purged);
    if (removed) database.exec("DELETE FROM intent");
  }
  database.close();
  const journal = await journalIn(folder);
  const found = (write: WriteRequest) =>
    journal.read(
      (rows) => askGuard(rows, { baseUrl: otherSpelling, write: prepareWrite(write) }).kind,
    );
  return { journal, found };
}

describe("an entry of version 0.3.0", () => {
  const typed = ["R-1", " R-1", "RE\u0301F", "R\r\n1"];
  test.each(typed)("with the reference %j bars each spelling of it", async (reference) => {
    const { found } = await migrated([{ write: payment(reference) }]);
    for (const other of [reference, `${reference} `, reference.normalize("NFC").trim()])
      expect(found(payment(other))).toBe("sent-before");
    expect(found(payment(`${reference}2`))).toBe("clear");
  });

  test.each([
    ["whose body was purged", { purged: true }],
    ["that retention removed", { removed: true }],
  ])("%s bars its own spelling and, if it was normal, each other", async (_how, gone) => {
    const odd = await migrated([{ write: payment(" R-1 "), ...gone }]);
    expect(odd.found(payment(" R-1 "))).toBe("sent-before");
    const normal = await migrated([{ write: payment("R-1"), ...gone }]);
    for (const reference of ["R-1", " R-1 ", "R-1\n"])
      expect(normal.found(payment(reference))).toBe("sent-before");
  });

  test("that was rejected is no longer open after a correction of the same payment", async () => {
    const { journal } = await migrated([
      { write: payment("R-1"), state: "rejected" },
      { write: payment("R-2"), state: "rejected" },
      { write: payment("R-1", { type: "DEBIT" }) },
    ]);
    const { signal } = new AbortController();
    const open = await listOpenEntries(journal, otherSpelling, signal);
    expect(open.map(({ journal_id }) => journal_id)).toEqual([2]);
  });
});
