import { startEmbeddedSandbox } from "../../src/sandbox/embedded.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { json, noon, opened, paths, tokenFor } from "./client.ts";

describe("starting a sandbox", () => {
  test("two on one port: the second says that the port is in use", async () => {
    const { sandbox } = await opened();
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toThrow(`127.0.0.1:${port}: it is in use`);
  });

  test.each([
    [{ accounts: -1 }, "Sandbox accounts -1"],
    [{ accounts: 1.5 }, "Sandbox accounts 1.5"],
    [{ port: 70_000 }, "Sandbox port 70000"],
    [{ seed: Number.NaN }, "Sandbox seed NaN"],
    [{ speed: -1 }, "Sandbox speed -1"],
    [{ brand: "Big Co" }, 'Sandbox brand "Big Co"'],
  ])("%o is refused by name", async (options, message) => {
    await expect(startSandbox(options)).rejects.toThrow(message);
  });

  test("closing twice is closing once, and nothing listens afterwards", async () => {
    const { sandbox } = await opened();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await expect(fetch(sandbox.baseUrl)).rejects.toThrow("fetch failed");
  });
});

test("each answer is dated by the sandbox's clock", async () => {
  const { get } = await opened({ now: () => noon });
  for (const path of [paths.list("all"), "/nowhere/"])
    expect(Date.parse((await get(path)).headers.get("date") ?? "")).toBe(noon);
});

describe("a sandbox in a thread of its own", () => {
  test("answers like any other, and no longer answers after it is closed", async () => {
    const sandbox = await startEmbeddedSandbox({ accounts: 20, faults: ["500@pending"] });
    onTestFinished(() => sandbox.close());
    const token = await tokenFor(sandbox.baseUrl, sandbox.apiKey);
    const get = (path: string) =>
      fetch(sandbox.baseUrl + path, { headers: { authorization: `Token ${token}` } });
    expect(await json(await get(paths.list("all")))).toHaveLength(20);
    expect((await get(paths.list("pending"))).status).toBe(500);
    await sandbox.close();
    await expect(get(paths.list("all"))).rejects.toThrow("fetch failed");
  });

  test("reports its own past, which ends before it started", async () => {
    const startedAt = Date.now();
    const sandbox = await startEmbeddedSandbox();
    onTestFinished(() => sandbox.close());
    const lists = await sandbox.pastLists();
    expect(lists.length).toBeGreaterThan(4);
    expect(Math.max(...lists.map(({ at }) => at))).toBeLessThan(startedAt);
    const rows = JSON.parse(new TextDecoder().decode(lists[0]?.body));
    expect(rows[0]).toHaveProperty("external_account_number");
  });

  test("says what is wrong when it cannot start", async () => {
    await expect(startEmbeddedSandbox({ faults: ["explode"] })).rejects.toThrow('Fault "explode"');
  });

  test("closes while a request hangs in it", async () => {
    const sandbox = await startEmbeddedSandbox({ faults: ["hang@all"] });
    const token = await tokenFor(sandbox.baseUrl, sandbox.apiKey);
    const headers = { authorization: `Token ${token}` };
    const hanging = expect(fetch(sandbox.baseUrl + paths.list("all"), { headers })).rejects.toThrow(
      "fetch failed",
    );
    await fetch(sandbox.baseUrl + paths.list("imported"), { headers });
    await sandbox.close();
    await hanging;
  });
});
