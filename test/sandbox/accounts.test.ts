import type { Client } from "./client.ts";
import { fakeClock, json, noon, opened, paths } from "./client.ts";

// The clock of these tests runs through days; the token is to outlive them.
const longToken = ["token-life=999999m"];

const statusOf = async (client: Client, account: string, supplier = "ACME") =>
  (await json(await client.get(paths.account(account, supplier)))).status;

const rows = async (client: Client, state: string, supplier = "ACME") =>
  json(await client.get(paths.list(state, supplier)));

const numbers = (list: { external_account_number: string }[]) =>
  list.map((row) => row.external_account_number);

describe("the status of one account", () => {
  test("an imported account is COMPLETED and has its number", async () => {
    const client = await opened();
    const response = await client.get(paths.account("EXT-0000001"));
    expect(response.status).toBe(200);
    expect(await json(response)).toEqual({
      status: "COMPLETED",
      service_account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/),
    });
  });

  test("a staged account is UNKNOWN with an empty number; one never staged is 404", async () => {
    const client = await opened();
    expect(await json(await client.get(paths.account("EXT-0000004")))).toEqual({
      status: "UNKNOWN",
      service_account_number: "",
    });
    for (const [account, supplier] of [
      ["EXT-9999999", "ACME"],
      ["EXT-0000000", "ACME"],
      ["EXT-00000001", "ACME"],
      ["EXT-0000010", "ACME"],
      ["EXT-0000001", "NOBODY"],
    ] as const) {
      const response = await client.get(paths.account(account, supplier));
      expect(response.status).toBe(404);
      expect(await json(response)).toEqual({ detail: expect.any(String), code: "not_found" });
    }
  });

  test("awkward account numbers come through the path unharmed", async () => {
    const client = await opened();
    const awkward = numbers(await rows(client, "all")).slice(9, 16);
    expect(awkward).toEqual([
      "EXT 0000010",
      "EXT/0000011",
      "EXT%0000012",
      "EXT-Ωé-0000013",
      "EXT-日本-0000014",
      "EXT#?&+=0000015",
      "EXT%2F0000016",
    ]);
    for (const account of awkward) expect(await statusOf(client, account)).toBe("COMPLETED");
    expect((await client.get(paths.account("EXT%2F0000011"))).status).toBe(404);
  });

  test("the brand word stands in the field names", async () => {
    const client = await opened({ brand: "acme" });
    const account = await json(await client.get(paths.account("EXT-0000001")));
    expect(Object.keys(account)).toEqual(["status", "acme_account_number"]);
    const [row] = await rows(client, "imported");
    expect(row).toHaveProperty("acme_account_number", account.acme_account_number);
  });
});

describe("accounts move while time passes", () => {
  test("one is imported, one fails, one is tried twice, one is stuck, one stays staged", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: longToken });
    const cast = ["2", "3", "9", "6", "4"].map((n) => `EXT-000000${n}`);
    const seen = async () => Promise.all(cast.map((account) => statusOf(client, account)));
    const [U, P, C] = ["UNKNOWN", "IN_PROGRESS", "COMPLETED"];
    expect(await seen()).toEqual([U, U, U, P, U]);
    clock.pass(5);
    expect(await seen()).toEqual([P, P, U, P, U]);
    clock.pass(10);
    expect(await seen()).toEqual([C, U, P, P, U]);
    clock.pass(10);
    expect(await seen()).toEqual([C, U, U, P, U]);
    clock.pass(20);
    expect(await seen()).toEqual([C, U, P, P, U]);
    clock.pass(100_000);
    expect(await seen()).toEqual([C, U, C, P, U]);
  });

  test("some start to move only when they are first asked about", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: longToken });
    clock.pass(3600);
    expect(numbers(await rows(client, "pending"))).toContain("EXT-0000007");
    expect(await statusOf(client, "EXT-0000007")).toBe("UNKNOWN");
    clock.pass(5);
    expect(await statusOf(client, "EXT-0000007")).toBe("IN_PROGRESS");
    expect(await statusOf(client, "EXT-0000008")).toBe("UNKNOWN");
    clock.pass(10);
    expect(await statusOf(client, "EXT-0000007")).toBe("COMPLETED");
    expect(await statusOf(client, "EXT-0000008")).toBe("IN_PROGRESS");
    clock.pass(10);
    expect(await statusOf(client, "EXT-0000008")).toBe("UNKNOWN");
  });

  test("speed makes them faster, and speed 0 stops them", async () => {
    const clock = fakeClock();
    const fast = await opened({ now: clock.now, faults: longToken, speed: 100 });
    const still = await opened({ now: clock.now, faults: longToken, speed: 0 });
    clock.pass(0.05);
    expect(await statusOf(fast, "EXT-0000002")).toBe("IN_PROGRESS");
    clock.pass(0.1);
    expect(await statusOf(fast, "EXT-0000002")).toBe("COMPLETED");
    clock.pass(100_000);
    expect(await statusOf(still, "EXT-0000002")).toBe("UNKNOWN");
  });

  test("the pending list shrinks as accounts are imported, with the instant of their creation", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: longToken });
    const before = await rows(client, "pending");
    clock.pass(15);
    const created = (await rows(client, "imported")).find(
      (row: { external_account_number: string }) => row.external_account_number === "EXT-0000002",
    );
    expect(created.account_created_at).toBe("2025-11-21T12:00:15Z");
    clock.pass(3600);
    const after = await rows(client, "pending");
    expect(after.length).toBeLessThan(before.length / 2);
    expect(await statusOf(client, "EXT-0000002")).toBe("COMPLETED");
  });

  test("nothing moves at a supplier that is paused or complete", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: longToken });
    const before = [await rows(client, "all", "PAUSED"), await rows(client, "all", "DONE")];
    clock.pass(10_000_000);
    expect([await rows(client, "all", "PAUSED"), await rows(client, "all", "DONE")]).toEqual(
      before,
    );
    expect(await statusOf(client, "PAUSED-0000025", "PAUSED")).toBe("UNKNOWN");
    expect(await statusOf(client, "DONE-0000035", "DONE")).toBe("COMPLETED");
  });
});

describe("the lists", () => {
  test("all is pending and imported together; pending rows carry nulls", async () => {
    const client = await opened();
    const [all, pending, done] = [
      await rows(client, "all"),
      await rows(client, "pending"),
      await rows(client, "imported"),
    ];
    expect(all).toHaveLength(120);
    expect(pending.length).toBeGreaterThan(20);
    expect(done.length).toBeGreaterThan(60);
    expect(new Set([...numbers(pending), ...numbers(done)])).toEqual(new Set(numbers(all)));
    for (const row of pending) {
      expect(row).toEqual({
        external_account_number: expect.any(String),
        service_account_number: null,
        account_created_at: null,
      });
    }
    for (const row of done) {
      expect(row.service_account_number).toMatch(/^A-[0-9A-F]{8}$/);
      expect(Date.parse(row.account_created_at)).toBeLessThan(noon);
      expect(Date.parse(row.account_created_at)).toBeGreaterThan(noon - 57 * 86_400_000);
    }
  });

  test("agree with the status of each account", async () => {
    const client = await opened();
    const all = await rows(client, "all");
    for (const row of all.slice(0, 40)) {
      const status = await json(await client.get(paths.account(row.external_account_number)));
      expect(status.service_account_number).toBe(row.service_account_number ?? "");
    }
  });

  test("an unknown supplier is 404, a supplier with nothing to list an empty array", async () => {
    const client = await opened({
      suppliers: [{ code: "FRESH", status: "Ongoing", imported: 0, staged: 3 }],
    });
    for (const state of ["all", "pending", "imported"]) {
      expect((await client.get(paths.list(state, "NOBODY"))).status).toBe(404);
    }
    expect(await rows(client, "imported", "FRESH")).toEqual([]);
    expect(await rows(client, "pending", "FRESH")).toHaveLength(3);
    const empty = await opened({ accounts: 0 });
    expect(await rows(empty, "all")).toEqual([]);
  });

  test("the same seed gives the same world, another seed another one", async () => {
    const [one, same, other] = [await opened(), await opened(), await opened({ seed: 2 })];
    expect(await rows(one, "all")).toEqual(await rows(same, "all"));
    expect(await rows(one, "all")).not.toEqual(await rows(other, "all"));
  });

  test("50,000 accounts stream, each once and each with a number of its own", async () => {
    const client = await opened({ accounts: 50_000 });
    const all = await rows(client, "all");
    expect(all).toHaveLength(50_000);
    expect(new Set(numbers(all)).size).toBe(50_000);
    const done = all.filter((row: { account_created_at: unknown }) => row.account_created_at);
    const service = done.map(
      (row: { service_account_number: string }) => row.service_account_number,
    );
    expect(new Set(service).size).toBe(done.length);
    expect(done.length / all.length).toBeCloseTo(0.64, 2);
    expect((await rows(client, "imported")).length).toBe(done.length);
    expect((await rows(client, "pending")).length).toBe(all.length - done.length);
  });

  test("a client that leaves in the middle does not disturb the next one", async () => {
    const client = await opened({ accounts: 200_000 });
    const leaving = await client.get(paths.list("all"));
    const reader = leaving.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    expect(await statusOf(client, "EXT-0000001")).toBe("COMPLETED");
  });
});
