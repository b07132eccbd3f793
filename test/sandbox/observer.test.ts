import { createHash } from "node:crypto";
import { type ObservedRequest, startSandbox } from "../../src/sandbox/index.ts";

async function observed(faults: readonly string[]) {
  const arrivals: ObservedRequest[] = [];
  const ends = new Map<number, number | null>();
  const sandbox = await startSandbox({
    faults,
    observer: {
      arrived: (arrival) => arrivals.push(arrival),
      ended: (n, status) => ends.set(n, status),
    },
  });
  onTestFinished(() => sandbox.close());
  const post = (body: string) =>
    fetch(`${sandbox.baseUrl}/v1/data-import/notes/create/?x=1`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  return { sandbox, arrivals, ends, post };
}

describe("a sandbox that is observed", () => {
  test("reports what arrived in each request, the injected fault and the answer", async () => {
    const { arrivals, ends, post } = await observed(["404@notesx1"]);
    expect((await post('{"a":1}')).status).toBe(404);
    expect((await post('{"a":2}')).status).toBe(401);
    const digest = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(arrivals).toMatchObject([
      {
        n: 1,
        endpoint: "notes",
        path: "/v1/data-import/notes/create/?x=1",
        sha256: digest('{"a":1}'),
        fault: "404",
      },
      { n: 2, endpoint: "notes", sha256: digest('{"a":2}'), fault: null },
    ]);
    expect(ends).toEqual(
      new Map([
        [1, 404],
        [2, 401],
      ]),
    );
  });

  test("reports no answer and no bytes where there were none", async () => {
    const { arrivals, ends, post } = await observed([
      "reset-headers@notesx1",
      "torn=close@notesx1",
    ]);
    await expect(post("{}")).rejects.toThrow();
    expect(arrivals[0]).toMatchObject({ sha256: null, fault: "reset-headers" });
    const torn = await post('{"a":[1,2,3]}');
    expect(torn.status).toBe(201);
    expect(await torn.text()).toBe('{"a":[');
    expect(ends).toEqual(
      new Map([
        [1, null],
        [2, null],
      ]),
    );
  });

  test("reports a connection that was reset before anything was read", async () => {
    const { arrivals, post } = await observed(["reset-accept"]);
    await expect(post("{}")).rejects.toThrow();
    expect(arrivals[0]).toMatchObject({ endpoint: "connection", fault: "reset-accept" });
  });
});

test("a port that is closed refuses connections until it is opened again, and keeps the ledger", async () => {
  const { sandbox, post } = await observed([]);
  expect((await post("{}")).status).toBe(401);
  await sandbox.setListening(false);
  await expect(post("{}")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await sandbox.setListening(true);
  expect((await post("{}")).status).toBe(401);
});
