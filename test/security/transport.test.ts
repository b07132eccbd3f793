/**
 * Promise: a service, or whoever stands in its way, cannot have a credential sent elsewhere, a
 * request changed, an answer taken for that of another request, or memory filled.
 */
import { gzipSync } from "node:zlib";
import type { Service } from "../../src/api/service.ts";
import { connected, errorFrom, listed } from "../api/connected.ts";
import * as fc from "../helpers/fast-check.ts";
import {
  completed,
  isTokenCall,
  openProxy,
  openService,
  openSocketService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";

const once = { retries: 0 };

const note = (service: Service) =>
  service.post(
    {
      path: "/v1/data-import/notes/create/",
      query: {},
      body: Buffer.from('{"notes":[{"body":"personal"}]}'),
    },
    { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent: () => {} },
  );

describe.each([301, 302, 303, 307, 308])("a redirect (%i)", (status) => {
  test.each(["another host", "the same host", "http in place of https", "no place at all"])(
    "to %s: neither a read, a write nor the token call is sent on",
    async (where) => {
      const other = await openService((_request, response) => reply(response, 200, completed));
      const answer = async (withToken: boolean) => {
        const { baseUrl, received } = await openService(
          (request, response) => {
            if (withToken && isTokenCall(request)) {
              return reply(response, 200, tokenAnswer("token-12345678"));
            }
            const to: Record<string, string> = {
              "another host": `${other.baseUrl}/elsewhere/`,
              "the same host": "/elsewhere/",
              "http in place of https": "http://service.example/",
            };
            const location = to[where];
            reply(response, status, "", location === undefined ? {} : { location });
          },
          { ownTokens: true },
        );
        return { received, ...connected(baseUrl, { apiKey: "key-12345678" }) };
      };
      const reached = await answer(true);
      for (const call of [
        () => reached.service.accounts.status("ACME", "EXT-1"),
        () => reached.service.supplyPoints.status("ACME", "SP-1"),
        () => note(reached.service),
      ]) {
        expect((await errorFrom(call())).kind).toBe("redirect");
      }
      expect((await listed(reached.service, "ACME", "all")).error).toMatchObject({
        kind: "redirect",
      });
      expect(reached.received).toHaveLength(5);
      const refused = await answer(false);
      expect((await errorFrom(refused.service.authenticate())).kind).toBe("redirect");
      expect(refused.received).toHaveLength(1);
      expect(other.received).toEqual([]);
    },
  );
});

describe("an answer that is compressed", () => {
  test.each(["deflate", "br", "zstd"])(
    "with %s, which was not asked for, is unreadable",
    async (coding) => {
      const { baseUrl } = await openService((_request, response) => {
        response.writeHead(200, { "content-encoding": coding, "content-type": "application/json" });
        response.end(gzipSync(JSON.stringify(completed)));
      });
      const { service } = connected(baseUrl);
      expect((await errorFrom(service.accounts.status("ACME", "EXT-1", once))).kind).toBe(
        "unreadable",
      );
      expect((await listed(service, "ACME", "all")).error).toMatchObject({ kind: "unreadable" });
    },
  );

  test("reading stops at the size limit if a compressed body expands beyond it", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const { baseUrl } = await openService((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    const { service } = connected(baseUrl);
    expect((await errorFrom(service.accounts.status("ACME", "EXT-1", once))).kind).toBe(
      "too-large",
    );
    expect((await listed(service, "ACME", "all")).error).toMatchObject({ kind: "unreadable" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });
});

/** Returns the result of a read whose answer is these bytes. */
async function errorOfBytes(bytes: string) {
  const { baseUrl } = await openSocketService((socket) => socket.end(bytes, "latin1"));
  return errorFrom(connected(baseUrl).service.accounts.status("ACME", "EXT-1", once));
}

describe("an answer that breaks HTTP", () => {
  const body = JSON.stringify(completed);
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
  test.each([
    [
      "two lengths that differ",
      `${head}content-length: ${body.length}\r\ncontent-length: 5\r\n\r\n${body}`,
    ],
    [
      "a length and chunks",
      `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
    ["a length that is no number", `${head}content-length: 1x\r\n\r\n${body}`],
    ["a negative length", `${head}content-length: -1\r\n\r\n${body}`],
    [
      "a chunk size that is no number",
      `${head}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
    ],
    [
      "a chunk size beyond all bounds",
      `${head}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${body}`,
    ],
    ["a header line without a name", `${head}: x\r\n\r\n${body}`],
    [
      "a header with a line feed alone",
      `${head}x: y\nz\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ],
    ["a hundred thousand headers", `${head}${"x-bomb: y\r\n".repeat(100_000)}\r\n${body}`],
    ["a header of a megabyte", `${head}x-bomb: ${"y".repeat(1_000_000)}\r\n\r\n${body}`],
    ["a status that is none", `HTTP/1.1 999999 OK\r\n\r\n${body}`],
    ["only informational answers", "HTTP/1.1 100 Continue\r\n\r\n".repeat(50)],
    [
      "a switch to another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
  ])("%s: an error, never a value", async (_what, bytes) => {
    expect(["unreachable", "unreadable", "unexpected-status"]).toContain(
      (await errorOfBytes(bytes)).kind,
    );
  });

  test("a second answer in the same breath is not that of the next request", async () => {
    const answer = (status: string) => {
      const text = JSON.stringify({ status, service_account_number: "" });
      return `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    };
    const { baseUrl } = await openSocketService((socket, _bytes, n) => {
      socket.write(n === 1 ? answer("COMPLETED") + answer("PLANTED") : answer("IN_PROGRESS"));
    });
    const { service } = connected(baseUrl);
    expect((await service.accounts.status("ACME", "EXT-1", once)).value.status).toBe("COMPLETED");
    expect((await service.accounts.status("ACME", "EXT-2", once)).value.status).toBe("IN_PROGRESS");
  });
});

test("header injection: no identifier and no query gets a line of its own into a request", async () => {
  const { baseUrl, received } = await openService((_request, response) =>
    reply(response, 200, completed),
  );
  const { service } = connected(baseUrl);
  const nasty = fc
    .array(
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        " HTTP/1.1\r\n",
        "X-Evil: 1",
        "%0d%0a",
        "\u0000",
        "č",
        "/",
        "?",
        "#",
        "..",
        "\\",
        "é",
        "\ud800",
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(nasty, async (identifier) => {
      const before = received.length;
      const status = await service.accounts.status("ACME", identifier, once).then(
        () => "sent",
        (error) => error.kind,
      );
      if (status === "invalid-request") {
        expect(received).toHaveLength(before);
        return;
      }
      const last = received.at(-1);
      expect(received).toHaveLength(before + 1);
      expect(last?.headers).not.toHaveProperty("x-evil");
      expect(last?.path).toBe(
        `/v1/data-import/account-transfer-status/ACME/${encodeURIComponent(identifier)}/`,
      );
    }),
    { numRuns: 200, seed: 7 },
  );
  const query = { a: "x\r\nX-Evil: 1", "b\r\nX-Evil: 1": "y" };
  await service.post(
    { path: "/v1/data-import/notes/create/", query, body: Buffer.from("{}") },
    { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent: () => {} },
  );
  expect(received.at(-1)?.headers).not.toHaveProperty("x-evil");
});

describe("a real proxy", () => {
  /** An HTTP proxy that wants a password for its tunnels, and records what it received. */
  async function passwordProxy() {
    const authorizations: (string | undefined)[] = [];
    const proxy = await openProxy(({ headers }, client) => {
      const authorization = headers["proxy-authorization"];
      authorizations.push(authorization);
      client.end(`HTTP/1.1 ${authorization ? "502 Bad Gateway" : "407 No"}\r\n\r\n`);
    });
    return { ...proxy, authorizations };
  }

  test("gets its own password and never the service's token", async () => {
    const proxy = await passwordProxy();
    const { service } = connected("https://service.example", {
      proxy: `http://ada:canary@127.0.0.1:${proxy.port}`,
      token: { token: "canary-token", given: true },
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error).toMatchObject({ kind: "unreachable", facts: { sent: false } });
    const basic = `Basic ${Buffer.from("ada:canary").toString("base64")}`;
    expect(proxy).toMatchObject({ asked: ["service.example:443"], authorizations: [basic] });
    expect(JSON.stringify([error.message, error.facts])).not.toMatch(/canary|Y2FuYXJ5/);
  });
});
