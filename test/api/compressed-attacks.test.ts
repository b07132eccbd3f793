/** Bodies that are compressed wrongly, or where no one asked for it: unreadable, never a shorter list. */
import { gzipSync } from "node:zlib";
import type { Service } from "../../src/api/service.ts";
import {
  completed,
  isTokenCall,
  openService,
  openSocketService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, errorFrom, listed } from "./connected.ts";

const once = { retries: 0 };
const rows = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    external_account_number: `EXT-${first + n}`,
    service_account_number: null,
    account_created_at: null,
  }));
const list = JSON.stringify(rows(1, 500));
const status = JSON.stringify(completed);

const calls: readonly (readonly [string, string, (service: Service) => Promise<unknown>])[] = [
  [
    "a list",
    list,
    async (service) => {
      const { error, end } = await listed(service, "ACME", "all", once);
      expect(end === null).toBe(error !== null);
      if (error !== null) throw error;
      return end?.rows;
    },
  ],
  ["a status", status, ({ accounts }) => accounts.status("ACME", "EXT-1", once)],
  ["a raw read", list, (service) => service.read("/v1/data-import/anything/", once)],
];

type Encoding = string | readonly string[] | null;

async function served(bytes: Uint8Array, encoding: Encoding = "gzip", code = 200) {
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(code, encoding === null ? {} : { "content-encoding": encoding as string });
    response.end(bytes);
  });
  return connected(baseUrl).service;
}

const cut = (body: Buffer, at: number) => body.subarray(0, at);
const flipped = (body: Buffer, at: number) => {
  const copy = Buffer.from(body);
  const place = at < 0 ? body.length + at : at;
  copy[place] = (copy[place] ?? 0) ^ 0x41;
  return copy;
};

describe.each(calls)("%s", (what, body, call) => {
  const whole = gzipSync(body);
  const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024, " "), { level: 9 });
  test.each<[string, Uint8Array]>([
    ["cut in its header", cut(whole, 5)],
    ["cut in the middle", cut(whole, whole.length >> 1)],
    ["without its checksum", cut(whole, whole.length - 8)],
    ["without half of its length", cut(whole, whole.length - 2)],
    ["of another checksum", flipped(whole, -8)],
    ["of another length", flipped(whole, -4)],
    ["changed in the middle", flipped(whole, whole.length >> 1)],
    ["followed by zeros", Buffer.concat([whole, Buffer.alloc(512)])],
    ["followed by text", Buffer.concat([whole, Buffer.from("\r\n")])],
    ["followed by an empty member", Buffer.concat([whole, gzipSync("")])],
    ["in two members", Buffer.concat([gzipSync(body.slice(0, 20)), gzipSync(body.slice(20))])],
    ["of an empty member", gzipSync("")],
    ["of nothing", Buffer.alloc(0)],
    ["that is plain", Buffer.from(body)],
    ["that is compressed twice", gzipSync(whole)],
    ["before a mass of spaces", Buffer.concat([whole, bomb])],
    ["inside a mass of spaces", bomb],
  ])("%s", async (how, bytes) => {
    // A raw read has no shape that is expected: whatever is unpacked whole is its answer.
    if (what === "a raw read" && ["of an empty member", "that is compressed twice"].includes(how))
      return;
    const error = await errorFrom(call(await served(bytes)));
    expect(["unreadable", "too-large"]).toContain(error.kind);
  });

  test.each<[Encoding]>([
    ["gzip, gzip"],
    ["gzip,"],
    ["gzip;q=1"],
    ["identity, gzip"],
    [["gzip", "gzip"]],
    [["gzip", "identity"]],
    ["gzipped"],
    ["br"],
    ["*"],
  ])("called %j", async (encoding) => {
    const error = await errorFrom(call(await served(whole, encoding)));
    expect(error).toMatchObject({ kind: "unreadable", facts: { httpStatus: 200 } });
    expect(error.message).toContain("has an encoding that was not asked for");
  });

  test.each<[Encoding]>([["gzip"], ["GZIP"], ["x-gzip"], [" gzip "]])(
    "called %j is read",
    async (e) => {
      await call(await served(whole, e));
    },
  );

  test.each([
    ["a length that is too large", `content-length: ${whole.length + 9}`, whole],
    [
      "chunks without an end",
      "transfer-encoding: chunked",
      Buffer.concat([Buffer.from(`${whole.length.toString(16)}\r\n`), whole, Buffer.from("\r\n")]),
    ],
    [
      "a transfer coding",
      "transfer-encoding: gzip, chunked",
      Buffer.concat([
        Buffer.from(`${whole.length.toString(16)}\r\n`),
        whole,
        Buffer.from("\r\n0\r\n\r\n"),
      ]),
    ],
  ])("whole, framed by %s, is unreadable", async (how, frame, bytes) => {
    if (what === "a raw read" && how === "a transfer coding") return;
    const coding = how === "a transfer coding" ? "" : "content-encoding: gzip\r\n";
    const { baseUrl } = await openSocketService((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${coding}${frame}\r\n\r\n`);
      socket.end(bytes);
    });
    expect((await errorFrom(call(connected(baseUrl).service))).kind).toBe("unreadable");
  });
});

describe("where identity was asked for", () => {
  const note = [{ body: "one", status: "NOTE_CREATION_SUCCESS" }];
  const post = (service: Service) =>
    service.post(
      { path: "/v1/data-import/notes/create/", query: {}, body: Buffer.from("{}") },
      { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent: () => {} },
    );

  test.each([
    ["compressed", gzipSync(JSON.stringify(note))],
    ["plain", Buffer.from(JSON.stringify(note))],
  ])("a write that is answered as gzip, and is %s, is unreadable", async (_, bytes) => {
    const error = await errorFrom(post(await served(bytes, "gzip", 201)));
    expect(error).toMatchObject({ kind: "unreadable", facts: { httpStatus: 201, sent: true } });
    expect(error.message).toContain("encoding that was not asked for (gzip)");
  });

  test("the status of a refused write is kept, and its bytes are not shown as words", async () => {
    const refusal = gzipSync(JSON.stringify({ detail: "No." }));
    const error = await errorFrom(post(await served(refusal, "gzip", 400)));
    expect(error).toMatchObject({ kind: "rejected", facts: { httpStatus: 400, body: "" } });
  });

  test("a service that compresses its front page can be reached", async () => {
    await (await served(gzipSync("<html>"), "gzip", 404)).reach();
    await (await served(Buffer.from("<html>"), "br", 200)).reach();
  });

  test("a compressed token response is rejected", async () => {
    const { baseUrl } = await openService(
      (request, response) => {
        if (!isTokenCall(request)) return reply(response, 200, completed);
        response.writeHead(200, { "content-encoding": "gzip" });
        response.end(gzipSync(JSON.stringify(tokenAnswer("token-0123456789"))));
      },
      { ownTokens: true },
    );
    const { service, keptTokens } = connected(baseUrl, { apiKey: "key-0123456789" });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error.kind).toBe("unreadable");
    expect(error.message).toContain("encoding that was not asked for (gzip)");
    expect(keptTokens).toEqual([]);
  });
});

test("a rejection is reported even if its body expands beyond the limit", async () => {
  const mass = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "), { level: 9 });
  const service = await served(mass, "gzip", 403);
  const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
  expect(error).toMatchObject({ kind: "forbidden", facts: { httpStatus: 403 } });
  expect(error.facts.body?.length ?? 0).toBeLessThanOrEqual(1024 * 1024);
});
