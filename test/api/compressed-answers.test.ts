import { gzipSync } from "node:zlib";
import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import type { Service } from "../../src/api/service.ts";
import {
  completed,
  openService,
  openSocketService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, errorFrom, listed } from "./connected.ts";

const once = { retries: 0 };
const gzip = { "content-encoding": "gzip" };
const list = JSON.stringify([
  { external_account_number: "EXT-1", service_account_number: "A-1", account_created_at: null },
  { external_account_number: "EXT-2", service_account_number: null, account_created_at: null },
]);
const calls: readonly (readonly [string, (service: Service) => Promise<unknown>])[] = [
  ["the status of an account", ({ accounts }) => accounts.status("ACME", "EXT-1", once)],
  ["a supply point", ({ supplyPoints }) => supplyPoints.status("ACME", "SP-1", once)],
  [
    "a list",
    async (service) => {
      const { error, rows } = await listed(service, "ACME", "all", once);
      if (error !== null) throw error;
      return rows;
    },
  ],
];

describe("what is asked for", () => {
  test("reads accept gzip; the token call and writes do not", async () => {
    const { baseUrl, received } = await openService(
      ({ path }, response) =>
        reply(response, 200, path.includes("graphql") ? tokenAnswer("a-new-token") : completed),
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key" });
    for (const [, call] of calls.slice(0, 2)) await call(service);
    const { signal } = new AbortController();
    const request = { path: "/v1/data-import/notes/create/", query: {}, body: Buffer.from("{}") };
    await service.post(request, { signal, timeoutMs: 30_000, onHeadersSent: () => {} });
    expect(received.map(({ path, headers }) => [path.split("/")[3], headers["accept-encoding"]]))
      // The call for the token, two reads and the write.
      .toEqual([
        ["", "identity"],
        ["account-transfer-status", "gzip"],
        ["supply-points", "gzip"],
        ["notes", "identity"],
      ]);
  });

  test("without compression reads do not accept it either", async () => {
    const { baseUrl, received } = await openService((_, response) =>
      reply(response, 200, completed),
    );
    const { service } = connected(baseUrl, { acceptsGzip: false });
    await service.accounts.status("ACME", "EXT-1", once);
    expect(received[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

describe.each(calls)("%s", (_what, call) => {
  const body = _what === "a list" ? list : JSON.stringify(completed);
  const served = async (send: Parameters<typeof openService>[0]) =>
    connected((await openService(send)).baseUrl).service;

  test("is the same compressed as plain", async () => {
    const plain = await served((_, response) => reply(response, 200, body));
    const small = await served((_, response) => {
      response.writeHead(200, gzip);
      response.end(gzipSync(body));
    });
    const seen = (value: unknown) => JSON.stringify(value).replace(/"receivedAt":\d+/, "");
    expect(seen(await call(small))).toBe(seen(await call(plain)));
  });

  test.each([
    ["is cut off", gzipSync(body).subarray(0, -3), /was cut short/],
    ["has something behind it", Buffer.concat([gzipSync(body), gzipSync(body)]), /continues/],
    ["is plain and said to be compressed", Buffer.from(body), /damaged/],
  ])("is unreadable when it %s", async (_why, bytes, words) => {
    const service = await served((_, response) => {
      response.writeHead(200, gzip);
      response.end(bytes);
    });
    const error = await errorFrom(call(service));
    expect(error).toMatchObject({ kind: "unreadable", facts: { httpStatus: 200 } });
    expect(error.message).toMatch(words);
  });

  test("a body is unreadable if its encoding header is missing or wrong", async () => {
    for (const encoding of [null, "br", "deflate"]) {
      const service = await served((_, response) => {
        response.writeHead(200, encoding === null ? {} : { "content-encoding": encoding });
        response.end(gzipSync(body));
      });
      expect((await errorFrom(call(service))).kind).toBe("unreadable");
    }
  });
});

test.each([
  ["a length", (body: Buffer) => [`content-length: ${body.length}`, body]],
  ["chunks", (body: Buffer) => ["transfer-encoding: chunked", chunked(body)]],
  ["nothing but its end", (body: Buffer) => ["connection: close", body]],
] as const)("a compressed list that is framed by %s comes whole", async (_how, framed) => {
  const [header, body] = framed(gzipSync(list)) as [string, Buffer];
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n${header}\r\n\r\n`;
  const { baseUrl } = await openSocketService((socket) => {
    socket.write(head);
    socket.end(body);
  });
  const { error, rows } = await listed(connected(baseUrl).service, "ACME", "all", once);
  expect(error).toBeNull();
  expect(rows).toHaveLength(2);
});

test("a compressed list that is cut off anywhere is never a shorter list", async () => {
  const whole = gzipSync(list);
  let at = 0;
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(200, { ...gzip, connection: "close" });
    response.end(whole.subarray(0, at));
  });
  const { service } = connected(baseUrl);
  for (; at < whole.length; at++) {
    const { end, error } = await listed(service, "ACME", "all", once);
    expect({ end, kind: (error as { kind?: string } | null)?.kind }).toEqual({
      end: null,
      kind: "unreadable",
    });
  }
  expect((await listed(service, "ACME", "all", once)).end?.rows).toBe(2);
});

test("the bytes of a list are those of the wire", async () => {
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(200, gzip);
    response.end(gzipSync(list));
  });
  const batches = readAccountList(connected(baseUrl).service, "ACME", "all", once);
  for (;;) {
    const { done, value } = await batches.next();
    if (!done) continue;
    expect(value.bytes).toBe(gzipSync(list).length);
    return;
  }
});

test("the words of a refusal are read though they come compressed", async () => {
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(403, gzip);
    response.end(gzipSync(JSON.stringify({ detail: "Not for you.", code: "permission_denied" })));
  });
  const { service } = connected(baseUrl);
  const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
  expect(error).toMatchObject({
    kind: "forbidden",
    facts: { detail: "Not for you.", code: "permission_denied" },
  });
});

test("a status that expands beyond the size of any answer is too large", async () => {
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(200, gzip);
    response.end(gzipSync(JSON.stringify({ status: "a".repeat(2 * 1024 * 1024) })));
  });
  const { service } = connected(baseUrl);
  const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
  expect(["too-large", "unreadable"]).toContain(error.kind);
});

function chunked(body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
}
