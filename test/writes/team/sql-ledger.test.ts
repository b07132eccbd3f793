import { ledgerContract } from "./contract.ts";
import { compareGuards } from "./guards.ts";
import { pgliteDatabase } from "./pglite.ts";
import { sqlWorld } from "./sql-world.ts";

const database = await pgliteDatabase();

describe("a ledger in PostgreSQL's SQL", () => {
  ledgerContract(() => sqlWorld(database));

  test("its guard finds what the guard of the journal finds, in random histories", async () => {
    const found = await compareGuards(() => sqlWorld(database), 150);
    for (const kind of ["clear", "reported", "sent-before", "refused-before"])
      expect(found[kind]).toBeGreaterThan(0);
  });
});
