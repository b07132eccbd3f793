import type { ServerResponse } from "node:http";
import { maxBodyBytes } from "../../src/api/read-body.ts";
import { deeperThan } from "../../src/json/exact.ts";
import { completed, openService, openSocketService, reply } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

const once = { retries: 0 };
const json = { "content-type": "application/json" };

/** Returns the status of an account if the service answers so. */
async function statusFrom(answer: (response: ServerResponse) => void) {
  const { baseUrl, received } = await openService((_request, response) => answer(response));
  const { service } = connected(baseUrl);
  return { call: service.accounts.status("ACME", "EXT-1", once), received };
}

async function errorOfBody(body: string, headers?: Readonly<Record<string, string>>) {
  const { call } = await statusFrom((response) => reply(response, 200, body, headers));
  return errorFrom(call);
}

/** Bytes as they are on the connection, which then ends. */
async function errorOfBytes(bytes: string) {
  const { baseUrl } = await openSocketService((socket) => socket.end(bytes));
  return errorFrom(connected(baseUrl).service.accounts.status("ACME", "EXT-1", once));
}

describe("a success that cannot be read", () => {
  test.each([
    ["nothing at all", ""],
    ["white space", " \n"],
    ["half of its JSON", '{"status":"COMPL'],
    ["JSON and more", '{"status":"COMPLETED"} {}'],
    ["an array", '[{"status":"COMPLETED"}]'],
    ["a number for a status", '{"status":7}'],
    ["no status", '{"service_account_number":"A-1"}'],
    ["no account number", '{"status":"COMPLETED"}'],
    ["an object for an account number", '{"status":"COMPLETED","service_account_number":{}}'],
    ["two account numbers", '{"status":"COMPLETED","a_account_number":"1","b_account_number":"2"}'],
  ])("%s is unreadable, its text kept", async (_what, body) => {
    const error = await errorOfBody(body);
    expect(error.kind).toBe("unreadable");
    expect(error.facts).toMatchObject({ body, httpStatus: 200, sent: true });
  });

  test("a page of HTML is named as one", async () => {
    const error = await errorOfBody("<html>login</html>", { "content-type": "text/html" });
    expect(error.kind).toBe("unreadable");
    expect(error.message).toContain("HTML");
    expect(error.facts.body).toBe("<html>login</html>");
  });

  test("fewer bytes than announced are unreadable, even when they are whole JSON", async () => {
    const body = JSON.stringify(completed);
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
    const error = await errorOfBytes(`${head}content-length: ${body.length + 1}\r\n\r\n${body}`);
    expect(error.kind).toBe("unreadable");
    expect(error.facts.httpStatus).toBe(200);
  });

  test("a chunked body without its last chunk is unreadable even if its JSON is complete", async () => {
    const body = JSON.stringify(completed);
    const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    const error = await errorOfBytes(`${head}${body.length.toString(16)}\r\n${body}\r\n`);
    expect(error.kind).toBe("unreadable");
  });

  test("a body ended by closing is unreadable when its JSON is not whole", async () => {
    const head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
    const error = await errorOfBytes(`${head}{"status":"COMPLETED"`);
    expect(error.kind).toBe("unreadable");
    expect(error.facts.body).toBe('{"status":"COMPLETED"');
  });

  test("64 levels are read and 65 are too many", async () => {
    const nested = (levels: number) =>
      `{"status":"COMPLETED","service_account_number":"","deep":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    const { call } = await statusFrom((response) => reply(response, 200, nested(64)));
    expect((await call).value.status).toBe("COMPLETED");
    expect((await errorOfBody(nested(65))).kind).toBe("too-large");
  });

  test("brackets inside texts do not count as nesting", () => {
    expect(deeperThan(JSON.stringify({ text: `${"[{".repeat(99)}"\\` }), 1)).toBe(false);
    expect(deeperThan('"\\"[[[" ', 0)).toBe(false);
  });

  test("an answer over the limit is given up, and the connection with it", async () => {
    let ended = Promise.resolve();
    const { call } = await statusFrom((response) => {
      ended = new Promise((resolve) => response.once("close", () => resolve()));
      response.writeHead(200, json);
      response.write(Buffer.alloc(maxBodyBytes + 1, " "));
    });
    const error = await errorFrom(call);
    expect(error.kind).toBe("too-large");
    await ended;
  });
});

describe("bodies that are accepted unchanged", () => {
  test("keys called __proto__ are only keys", async () => {
    const body =
      '{"__proto__":{"status":"EVIL","x":1},"status":"COMPLETED","service_account_number":""}';
    const { call } = await statusFrom((response) => reply(response, 200, body));
    const { value, raw } = await call;
    expect(value).toEqual({ status: "COMPLETED", service_account_number: "" });
    expect(raw).toBe(body);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    const error = await errorOfBody('{"__proto__":{"status":"EVIL"}}');
    expect(error.kind).toBe("unreadable");
  });

  test("a number for the account number is its text, and null is none", async () => {
    for (const [given, shown] of [
      [17, "17"],
      [null, ""],
    ] as const) {
      const body = { status: "COMPLETED", service_account_number: given };
      const { call } = await statusFrom((response) => reply(response, 200, body));
      expect((await call).value.service_account_number).toBe(shown);
    }
  });

  test("parts of a supply point process of another type are shown raw", async () => {
    const { baseUrl } = await openService((_request, response) =>
      reply(response, 200, {
        status: "ERRORED",
        created_at: 5,
        latest_error: { code: 3, detail: "no substation" },
      }),
    );
    const { value } = await connected(baseUrl).service.supplyPoints.status("ACME", "SP-1");
    expect(value).toEqual({
      status: "ERRORED",
      service_identifier: null,
      created_at: "5",
      modified_at: null,
      latest_error: { code: "3", detail: "no substation", domain: "" },
    });
  });

  test("a byte order mark before the JSON does no harm", async () => {
    const body = `\ufeff${JSON.stringify(completed)}`;
    const { call } = await statusFrom((response) => reply(response, 200, body));
    expect((await call).value.status).toBe("COMPLETED");
  });
});

describe("a failure whose words cannot be read", () => {
  test.each([
    [400, "rejected"],
    [404, "not-found"],
    [500, "unavailable"],
    [418, "unexpected-status"],
    [204, "unexpected-status"],
  ])("status %i is reported as %s even without a body", async (status, kind) => {
    const { call } = await statusFrom((response) => reply(response, status));
    expect(await errorFrom(call)).toMatchObject({ kind, facts: { httpStatus: status } });
  });

  test("a truncated 404 is reported as a 404, with the bytes that arrived", async () => {
    const error = await errorOfBytes(
      'HTTP/1.1 404 Not Found\r\ncontent-length: 99\r\n\r\n{"detail":',
    );
    expect(error.kind).toBe("not-found");
    expect(error.facts.body).toBe('{"detail":');
  });

  test("an oversized 500 is reported as a 500 with a truncated text", async () => {
    const { call } = await statusFrom((response) =>
      reply(response, 500, "x".repeat(maxBodyBytes + 99)),
    );
    const error = await errorFrom(call);
    expect(error.kind).toBe("unavailable");
    expect(error.facts.body).toHaveLength(maxBodyBytes);
  });
});
