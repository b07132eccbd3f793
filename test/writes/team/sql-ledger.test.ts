import { afterAll, beforeAll, describe } from "vitest";
import { ledgerContract } from "./contract.ts";
import { pgliteDatabase } from "./pglite.ts";
import { sqlWorld } from "./sql-world.ts";

let database: Awaited<ReturnType<typeof pgliteDatabase>>;

beforeAll(async () => {
  database = await pgliteDatabase();
});

afterAll(() => database.close());

describe("a ledger in PostgreSQL's SQL", () => {
  ledgerContract(() => sqlWorld(database));
});
