import { connect } from "node:net";
import { eventually } from "../helpers/eventually.ts";
import type { Client } from "./client.ts";
import { imported, json, obtainToken, opened, paths } from "./client.ts";

const note = { ...imported, notes: [{ body: "Once" }] };
const sendNote = (client: Client) => client.post(paths.notes, note);
const landed = (client: Client) => client.sandbox.ledger().length;

/** The bytes that come back for a request, until the server ends or resets the connection. */
function wire(client: Client, path: string): Promise<{ text: string; reset: boolean }> {
  const { port } = new URL(client.sandbox.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    let reset = false;
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {
      reset = true;
    });
    socket.on("close", () => resolve({ text, reset }));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Token ${client.token}\r\n\r\n`,
    );
  });
}

describe("answers with a status", () => {
  test.each([
    ...["302", "303", "401", "403", "408", "409", "423", "425", "429", "444", "460", "499"],
    ...["500", "502", "503", "504"],
  ])("%s comes before the effect, or after it, as often as asked for", async (status) => {
    const client = await opened({ faults: [`${status}@notesx1`] });
    expect((await sendNote(client)).status).toBe(Number(status));
    expect(landed(client)).toBe(0);
    client.sandbox.setFaults([`${status}-after@notesx1`]);
    expect((await sendNote(client)).status).toBe(Number(status));
    expect(landed(client)).toBe(1);
    expect((await json(await sendNote(client)))[0].status).toBe("NOTE_ALREADY_EXISTS");
  });

  test("429 and 503 say how long to wait; gateways answer HTML; 302 points elsewhere", async () => {
    const client = await opened({
      faults: ["429=90s@all", "503@pending", "503=2s@imported", "302@notes"],
    });
    const headers = async (state: string, name: string) =>
      (await client.get(paths.list(state))).headers.get(name);
    expect(await headers("all", "retry-after")).toBe("90");
    expect(await headers("pending", "retry-after")).toBeNull();
    expect(await headers("imported", "retry-after")).toBe("2");
    expect(await headers("imported", "content-type")).toBe("text/html");
    expect((await sendNote(client)).headers.get("location")).toBe("/elsewhere/");
  });

  test("a limit of the rate answers 429, with Retry-After if a time is given for it", async () => {
    const client = await opened({ faults: ["rate=10m/3s@all", "rate=10m@pending"] });
    const answer = async (state: string) => {
      const { status, headers } = await client.get(paths.list(state));
      return [status, headers.get("retry-after")];
    };
    expect(await answer("all")).toEqual([200, null]);
    expect(await answer("all")).toEqual([429, "3"]);
    expect(await answer("pending")).toEqual([200, null]);
    expect(await answer("pending")).toEqual([429, null]);
  });

  test.each(["400", "409"])("%s=other names another item than was sent", async (status) => {
    const client = await opened({ faults: [`${status}-after=other@notesx1`] });
    const answer = await sendNote(client);
    expect(answer.status).toBe(Number(status));
    expect(await json(answer)).toMatchObject({
      external_account_number: `${imported.external_account_number}-other`,
      body: "Once-other",
    });
    expect(landed(client)).toBe(1);
  });

  test("a fault is injected into the token call only if the spec names it", async () => {
    const client = await opened({ faults: ["500"] });
    const status = async () =>
      (await obtainToken(client.sandbox.baseUrl, client.sandbox.apiKey)).status;
    expect(await status()).toBe(200);
    client.sandbox.setFaults(["500@tokenx1"]);
    expect(await status()).toBe(500);
    expect(await status()).toBe(200);
  });
});

describe("connections that break", () => {
  test.each(["reset-headers", "reset-body", "reset-before"])(
    "%s: nothing takes effect",
    async (fault) => {
      const client = await opened({ faults: [`${fault}x1`] });
      await expect(sendNote(client)).rejects.toThrow("fetch failed");
      expect(landed(client)).toBe(0);
      expect((await sendNote(client)).status).toBe(201);
    },
  );

  test("reset-body is injected into a request without a body too", async () => {
    const client = await opened({ faults: ["reset-body@all"] });
    await expect(client.get(paths.list("all"))).rejects.toThrow("fetch failed");
  });

  test("reset-after: the write has taken effect", async () => {
    const client = await opened({ faults: ["reset-after@notesx1"] });
    await expect(sendNote(client)).rejects.toThrow("fetch failed");
    expect(landed(client)).toBe(1);
  });

  test("reset-accept: a new connection is reset at once", async () => {
    const client = await opened();
    client.sandbox.setFaults(["reset-acceptx1"]);
    expect(await wire(client, paths.list("all"))).toEqual({ text: "", reset: true });
    client.sandbox.setFaults(["reset-after@all"]);
    expect(await wire(client, paths.list("all"))).toEqual({ text: "", reset: true });
  });

  test("late: the connection is reset, and the write takes effect afterwards", async () => {
    const client = await opened({ faults: ["late=50ms@notesx1"] });
    await expect(sendNote(client)).rejects.toThrow("fetch failed");
    await eventually(() => landed(client) === 1);
  });

  test("late: what has not taken effect when the sandbox closes never does", async () => {
    const client = await opened({ faults: ["late=10m"] });
    await expect(sendNote(client)).rejects.toThrow("fetch failed");
    await client.sandbox.close();
    expect(landed(client)).toBe(0);
  });

  test.each([
    ["hang", 1],
    ["hang-after", 2],
  ])("%s: one of two requests has no answer until its client gives up", async (fault, effects) => {
    const client = await opened({ faults: [`${fault}@notesx1`] });
    const leaving = new AbortController();
    const requests = ["One", "Two"].map((body) =>
      fetch(client.sandbox.baseUrl + paths.notes, {
        method: "POST",
        headers: { authorization: `Token ${client.token}`, "content-type": "application/json" },
        body: JSON.stringify({ ...imported, notes: [{ body }] }),
        signal: leaving.signal,
      }),
    );
    expect((await Promise.race(requests)).status).toBe(201);
    await eventually(() => landed(client) === effects);
    leaving.abort();
    const outcomes = (await Promise.allSettled(requests)).map(({ status }) => status);
    expect(outcomes.toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(landed(client)).toBe(effects);
  });

  test("a hanging request does not keep the sandbox from closing", async () => {
    const client = await opened({ faults: ["hang"] });
    const answer = expect(sendNote(client)).rejects.toThrow("fetch failed");
    await client.get(paths.list("nothing"));
    await client.sandbox.close();
    await answer;
  });
});

describe("answers cut short", () => {
  const status = paths.account("EXT-0000001");

  test("against their content-length", async () => {
    const client = await opened({ faults: ["truncate@account-status"] });
    const { text } = await wire(client, status);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(body).toMatch(/^\{"status":"COM/);
    expect(body.length).toBeLessThan(promised);
    await expect(client.get(status).then((response) => response.text())).rejects.toThrow();
  });

  test("inside a chunk", async () => {
    const client = await opened({ faults: ["truncate=chunked"] });
    const { text } = await wire(client, status);
    expect(text).toMatch(/transfer-encoding: chunked/i);
    expect(text).not.toContain("\r\n0\r\n");
    await expect(client.get(status).then((response) => response.text())).rejects.toThrow();
  });

  test("by closing, which no one can distinguish from a complete answer", async () => {
    const client = await opened({ faults: ["truncate=close"] });
    expect(await (await client.get(status)).text()).toBe('{"status":"COMPLETED","service');
  });

  test("to a shorter body that is still JSON", async () => {
    const client = await opened({ faults: ["truncate=prefix"] });
    expect(await json(await client.get(status))).toEqual({ status: "COMPLETED" });
    expect(await json(await client.get(paths.list("all", "PAUSED")))).toHaveLength(20);
  });

  test("torn=prefix sends a shorter body that is valid JSON, without effect", async () => {
    const client = await opened({ faults: ["torn=prefix@notes"] });
    const response = await sendNote(client);
    expect(response.status).toBe(201);
    expect(await json(response)).toEqual({ import_supplier: imported.import_supplier });
    expect(landed(client)).toBe(0);
  });

  test("a write has still taken effect, and a long list breaks off in the middle", async () => {
    const client = await opened({ accounts: 100_000, faults: ["truncate"] });
    await expect(sendNote(client).then((response) => response.text())).rejects.toThrow();
    expect(landed(client)).toBe(1);
    const { text } = await wire(client, paths.list("all"));
    expect(text).toContain("EXT-0000001");
    expect(text).not.toContain("EXT-0099999");
  });
});

describe("bodies that are not what they should be", () => {
  const status = paths.account("EXT-0000001");

  test("malformed and HTML ones come whole and with the right status", async () => {
    const client = await opened({ faults: ["malformed@account-status", "html@notes"] });
    const broken = await client.get(status);
    expect(broken.status).toBe(200);
    await expect(broken.json()).rejects.toThrow(SyntaxError);
    const page = await sendNote(client);
    expect([page.status, page.headers.get("content-type")]).toEqual([201, "text/html"]);
    expect(await page.text()).toMatch(/^<!DOCTYPE html>/);
    expect(landed(client)).toBe(1);
  });

  const number = expect.stringMatching(/^A-[0-9A-F]{8}$/);
  test.each([
    ["null", null],
    ["text", "accepted"],
    ["wrapped", { count: null, results: { status: "COMPLETED", service_account_number: number } }],
    [
      "extra",
      {
        unheard_of: { since: [1, "two", null] },
        status: "COMPLETED",
        service_account_number: number,
      },
    ],
    ["missing", { service_account_number: number }],
    ["types", { status: 9, service_account_number: 10 }],
    ["unknown-status", { status: "AWAITING_REVIEW", service_account_number: number }],
    ["no-account", { status: "COMPLETED", service_account_number: "" }],
    [
      "other-account",
      {
        status: "COMPLETED",
        service_account_number: number,
        external_account_number: "OTHER-1",
      },
    ],
    [
      "errors",
      {
        status: "COMPLETED",
        service_account_number: number,
        errors: [{ detail: "It failed.", code: "invalid" }],
      },
    ],
    ["import-error", { status: "TRANSACTION_IMPORT_ERROR", service_account_number: number }],
  ])("shape=%s", async (shape, body) => {
    const client = await opened({ faults: [`shape=${shape}`] });
    expect(await json(await client.get(status))).toEqual(body);
  });

  test("shape=empty and shape=hostile, and a list of another shape", async () => {
    const client = await opened({
      faults: ["shape=empty@account-status", "shape=hostile@all", "shape=types@pending"],
    });
    expect(await (await client.get(status)).text()).toBe("");
    const [row] = await json(await client.get(paths.list("all")));
    expect(row.external_account_number).toContain("\u001b[31m");
    const [pending] = await json(await client.get(paths.list("pending")));
    expect(pending.external_account_number).toBe(11);
  });

  test("shape=repeated has a field twice", async () => {
    const client = await opened({ faults: ["shape=repeated"] });
    const text = await (await client.get(status)).text();
    expect(text).toMatch(/^\{"status":null,"status":"COMPLETED"/);
  });

  test("a slow drip is whole in the end, and stops when the client leaves", async () => {
    const client = await opened({ faults: ["drip=40/1ms"] });
    expect(await json(await client.get(status))).toMatchObject({ status: "COMPLETED" });
    client.sandbox.setFaults(["drip=1/10m"]);
    const slow = await client.get(paths.list("all"));
    await slow.body?.cancel();
    client.sandbox.setFaults([]);
    expect((await client.get(status)).status).toBe(200);
  });

  test("the latency fault only delays the response", async () => {
    const client = await opened({ faults: ["latency=20ms", "500@notesx1"] });
    expect((await sendNote(client)).status).toBe(500);
    expect((await sendNote(client)).status).toBe(201);
  });
});

describe("from another process", () => {
  test("faults are set and the ledger is read over HTTP, both with the token only", async () => {
    const client = await opened();
    const put = (body: unknown, authorization = `Token ${client.token}`) =>
      fetch(`${client.sandbox.baseUrl}/sandbox/faults`, {
        method: "PUT",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await put(["500"], "Token wrong")).status).toBe(401);
    expect((await put({})).status).toBe(400);
    const bad = await put(["explode"]);
    expect([bad.status, (await json(bad)).detail]).toEqual([
      400,
      expect.stringContaining("explode"),
    ]);
    expect((await put(["500-after@notes"])).status).toBe(204);
    expect((await sendNote(client)).status).toBe(500);
    expect(await json(await client.get("/sandbox/ledger"))).toEqual([
      {
        n: 1,
        at: client.sandbox.ledger()[0]?.at,
        endpoint: "notes",
        supplier: "ACME",
        identifier: "EXT-0000001",
        key: "Once",
        cause: "request",
        detail: { created_at: "2025-11-21T12:00:00Z" },
      },
    ]);
    expect((await fetch(`${client.sandbox.baseUrl}/sandbox/ledger`)).status).toBe(401);
  });
});
