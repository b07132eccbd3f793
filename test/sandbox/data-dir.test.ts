import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { clientOf, fakeClock, imported, json, paths } from "./client.ts";

let folder = "";
beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), "sandbox-"));
  folder = join(parent, "state");
  return () => rm(parent, { recursive: true });
});

const clock = fakeClock();

async function started(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ dataDir: folder, now: clock.now, ...options });
  onTestFinished(() => sandbox.close());
  return clientOf(sandbox);
}

describe("a sandbox with a data folder", () => {
  test("remembers across a restart what was posted, and takes up where it stopped", async () => {
    const supplyPoint = {
      payload: {
        import_supplier: "ACME",
        supply_point: { identifier: "KEPT-1", supply_type: "ELECTRICITY_DISTRIBUTION" },
        accounts: [
          {
            account_type: "DOMESTIC_THIRD_PARTY_BILLED",
            customer_at_supply_address_from_date: "2025-01-01",
            customers: [{ given_name: "Ada", family_name: "Marsh" }],
          },
        ],
      },
    };
    const transaction = {
      transaction_id: "T-1",
      transaction_date: "2025-01-31",
      amount: 5,
      type: "CREDIT",
    };
    const statement = {
      bill_period_from_date: "2025-09-01",
      bill_period_to_date: "2025-09-30",
      statement_id: "ST-1",
      issued_date: "2025-10-02",
      number: "1",
      gross_amount: 1,
    };
    const instruction = { ...imported, vendor: "FLAKYPAY", reference: "R", type: "CARD" };
    const note = { ...imported, notes: [{ body: "Kept" }] };

    const first = await started();
    expect((await first.post(paths.notes, note)).status).toBe(201);
    await first.post(paths.transactions, { ...imported, transactions: [transaction] });
    await first.post(paths.statements, { ...imported, statements: [statement] });
    expect((await first.post(paths.payment, instruction)).status).toBe(500);
    expect((await first.post(paths.payment, instruction)).status).toBe(500);
    expect((await first.post(paths.create, supplyPoint)).status).toBe(201);
    await first.get(paths.account("EXT-0000007"));
    const ledger = first.sandbox.ledger();
    expect(ledger.map(({ n, endpoint }) => `${n} ${endpoint}`)).toEqual([
      "1 notes",
      "2 transactions",
      "3 notes",
      "4 statements",
      "5 supply-points-create",
    ]);
    await first.sandbox.close();
    clock.pass(15);

    const second = await started();
    expect(second.sandbox.apiKey).toBe(first.sandbox.apiKey);
    expect(second.sandbox.ledger()).toEqual(ledger);
    expect((await json(await second.post(paths.notes, note)))[0].status).toBe(
      "NOTE_ALREADY_EXISTS",
    );
    const again = await second.post(paths.transactions, {
      ...imported,
      transactions: [transaction],
    });
    expect((await json(again)).results[0].status).toBe("TRANSACTION_ALREADY_EXISTS");
    expect((await second.post(paths.payment, instruction)).status).toBe(201);
    expect(await json(await second.get(paths.supplyPoint("KEPT-1")))).toMatchObject({
      status: "PROCESSED",
    });
    for (const account of ["EXT-0000002", "EXT-0000007"]) {
      expect((await json(await second.get(paths.account(account)))).status).toBe("COMPLETED");
    }
  });

  test("keeps its files from other users", async () => {
    const { sandbox } = await started();
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(folder)).toBe(0o700);
    const files = await readdir(folder);
    expect(files).toContain("sandbox.sqlite");
    for (const file of files) expect([file, await mode(join(folder, file))]).toEqual([file, 0o600]);
    await sandbox.close();
  });

  test("does not open a folder of another world, nor one that it cannot use", async () => {
    await (await started()).sandbox.close();
    await expect(startSandbox({ dataDir: folder, seed: 2 })).rejects.toThrow(
      "has a world of seed 1, 120 accounts, not of seed 2, 120 accounts",
    );
    const file = join(folder, "a-file");
    await writeFile(file, "");
    await expect(startSandbox({ dataDir: file })).rejects.toThrow(`${file} cannot be used`);
    await writeFile(
      join(folder, "sandbox.sqlite"),
      "no database, but long enough to be read as one",
    );
    await expect(startSandbox({ dataDir: folder })).rejects.toThrow("cannot be used");
  });

  test("a migration day resumes where it was, and its folder plays nothing else", async () => {
    const first = await started({ scenario: "migration-day", faults: ["token-life=999m"] });
    const size = async ({ get }: typeof first) =>
      (await json(await get(paths.list("pending", "NORTH")))).length;
    expect(await size(first)).toBe(4);
    await first.sandbox.close();
    clock.pass(15);
    const again = await started({ scenario: "migration-day" });
    expect(await size(again)).toBe(44);
    await again.sandbox.close();
    await expect(startSandbox({ dataDir: folder })).rejects.toThrow(
      "has a world of seed 1, 120 accounts, scenario migration-day, not of seed 1, 120 accounts",
    );
  });

  test("a batch takes effect completely or not at all", async () => {
    const client = await started({ faults: ["batch=kept"] });
    const notes = [{ body: "One" }, { body: "Two" }, { colour: "red" }];
    expect((await client.post(paths.notes, { ...imported, notes })).status).toBe(400);
    expect(client.sandbox.ledger()).toEqual([]);
  });
});
