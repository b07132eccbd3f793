import { type Client, fakeClock, json, opened, paths } from "./client.ts";

const all = paths.list("all", "PAUSED");
const whole = async (client: Client) => (await client.get(all)).text();

describe("lists that are complete and wrong", () => {
  test("rows=0 answers an empty list and rows=N the first rows, as often as asked for", async () => {
    const client = await opened({ faults: ["rows=0@allx1", "rows=3@allx1"] });
    expect(await json(await client.get(all))).toEqual([]);
    expect(await json(await client.get(all))).toHaveLength(3);
    expect(await json(await client.get(all))).toHaveLength(40);
  });

  test("the first rows are those of the list that was asked for", async () => {
    const client = await opened({ faults: ["rows=2@lists"] });
    const numbers = async (state: string) =>
      (await json(await client.get(paths.list(state, "PAUSED")))).map(
        (row: { external_account_number: string }) => row.external_account_number,
      );
    expect(await numbers("pending")).toEqual(["PAUSED-0000025", "PAUSED-0000026"]);
    expect(await numbers("imported")).toEqual(["PAUSED-0000001", "PAUSED-0000002"]);
  });

  test("only lists use up the count", async () => {
    const client = await opened({ faults: ["rows=0x1"] });
    expect((await client.get(paths.account("EXT-0000001"))).status).toBe(200);
    expect(await json(await client.get(all))).toEqual([]);
  });

  test("lag gives the pending and the imported list of different moments", async () => {
    const clock = fakeClock();
    const client = await opened({ now: clock.now, faults: ["lag=10s@pending"] });
    clock.pass(16);
    const has = async (state: string) =>
      (await json(await client.get(paths.list(state)))).some(
        (row: { external_account_number: string }) => row.external_account_number === "EXT-0000002",
      );
    // Imported after 15 seconds, and still on the list of 6 seconds.
    expect([await has("pending"), await has("imported"), await has("all")]).toEqual([
      true,
      true,
      true,
    ]);
    clock.pass(10);
    expect(await has("pending")).toBe(false);
  });

  test("4.9 can be missing while 4.10 and 4.11 answer", async () => {
    const client = await opened({ faults: ["404@all"] });
    const statuses = ["all", "pending", "imported"].map(
      async (state) => (await client.get(paths.list(state, "PAUSED"))).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 200, 200]);
  });
});

describe("lists that are cut off", () => {
  test("cut=N breaks off inside a chunk after N bytes, and the client notices", async () => {
    const client = await opened();
    const text = await whole(client);
    for (const bytes of [0, 1, 100, text.length - 1]) {
      client.sandbox.setFaults([`cut=${bytes}@all`]);
      const response = await client.get(all);
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    }
  });

  test("cut-close=N ends an answer without a length after N bytes", async () => {
    const client = await opened();
    const text = await whole(client);
    for (const bytes of [0, 1, 100, text.length - 1]) {
      client.sandbox.setFaults([`cut-close=${bytes}@all`]);
      expect(await whole(client)).toBe(text.slice(0, bytes));
    }
  });

  test("what is not longer than that comes whole", async () => {
    const client = await opened();
    const text = await whole(client);
    for (const kind of ["cut", "cut-close"]) {
      client.sandbox.setFaults([`${kind}=${text.length}@all`]);
      expect(await whole(client)).toBe(text);
    }
  });

  test("a long list is cut far behind its beginning, and a client that leaves stops it", async () => {
    const client = await opened({ accounts: 50_000, faults: ["cut-close=3000000"] });
    const response = await client.get(paths.list("all"));
    expect((await response.arrayBuffer()).byteLength).toBe(3_000_000);
    const leaving = await client.get(paths.list("all"));
    const reader = leaving.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    client.sandbox.setFaults([]);
    expect((await client.get(all)).status).toBe(200);
  });
});
