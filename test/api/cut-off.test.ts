import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import {
  completed,
  openProxy,
  openService,
  openSocketService,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

describe("a connection that is still being made", () => {
  // The bound is below undici's own for a connection, which must not be what ends it.
  test("is given up at once when the caller cancels", { timeout: 5_000 }, async () => {
    const stop = new AbortController();
    // It takes the greeting of TLS and says nothing.
    const silent = await openSocketService(() => stop.abort());
    const { service } = connected(`https://127.0.0.1:${silent.port}`, { idleTimeoutMs: 3_600_000 });
    const error = await errorFrom(
      service.accounts.status("ACME", "EXT-1", { signal: stop.signal }),
    );
    expect(error).toMatchObject({ kind: "cancelled", facts: { sent: false } });
    expect(error.facts.systemCode).toBeUndefined();
  });

  test("is given up when a proxy refuses it, and the proxy is named", async () => {
    const { port } = await openProxy((_request, client) => client.end("HTTP/1.1 407 No\r\n\r\n"));
    const { service } = connected("https://service.example", {
      proxy: `http://operator:canary-word@127.0.0.1:${port}`,
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 }));
    expect(error).toMatchObject({ kind: "unreachable", facts: { sent: false } });
    expect(error.message).toContain("407");
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain("canary-word");
  });
});

test("a call that was canceled before it began asks for no token", async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return null;
  };
  const { service } = connected("http://127.0.0.1:9", {
    credentials: {
      apiKey: ask,
      token: ask,
      storeToken: async () => {},
      storeForm: async () => {},
      secrets: () => [],
    },
  });
  const call = service.accounts.status("ACME", "EXT-1", { signal: AbortSignal.abort() });
  expect((await errorFrom(call)).kind).toBe("cancelled");
  expect(asked).toBe(0);
});

test("returning from a list ends the wait for its next rows", async () => {
  const waiting = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { baseUrl } = await openService((_request, response) => {
    response.on("close", () => gone.resolve());
    response.writeHead(200, { "content-type": "application/json" });
    response.write("[", () => waiting.resolve());
  });
  const { service } = connected(baseUrl, { idleTimeoutMs: 3_600_000 });
  const rows = readAccountList(service, "ACME", "all");
  const next = errorFrom(rows.next());
  await waiting.promise;
  await rows.return({ rows: 0, unreadableRows: 0, bytes: 0, receivedAt: 0 });
  expect((await next).kind).toBe("cancelled");
  await gone.promise;
});

describe("a token call that is refused is no answer to the read", () => {
  test.each([
    [400, "credentials"],
    [401, "credentials"],
    [404, "unexpected-status"],
  ])("%i is %s", async (status, kind) => {
    const { baseUrl } = await openService((_request, response) => reply(response, status, {}), {
      ownTokens: true,
    });
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind, facts: { httpStatus: status } });
  });
});

test("a failing gateway does not decide which Authorization form is remembered", async () => {
  const { baseUrl } = await openService(
    (request, response) => {
      if (request.method === "POST") return reply(response, 200, tokenAnswer("second"));
      const prefixed = request.headers.authorization?.startsWith("Token ");
      reply(response, prefixed ? 401 : 503, completed);
    },
    { ownTokens: true },
  );
  const { service, keptForms } = connected(baseUrl, { apiKey: "key-1" });
  await errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 }));
  expect(keptForms).toEqual([]);
});

test("a redirect is reported with its target, without parts that may be secret", async () => {
  const { baseUrl } = await openService((_request, response) =>
    reply(response, 302, "", { location: "https://user:pw@login.example/sign-in?ticket=canary" }),
  );
  const { service } = connected(baseUrl);
  const { message } = await errorFrom(service.accounts.status("ACME", "EXT-1"));
  expect(message).toContain("https://login.example/sign-in");
  expect(message).not.toMatch(/canary|user|pw/);
});
