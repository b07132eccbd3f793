import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import { createService } from "../../src/api/client.ts";
import { createHttp } from "../../src/api/http.ts";
import { createRateLimit, pauseError } from "../../src/api/rate-limit.ts";
import { fakeClock } from "../helpers/clock.ts";
import {
  closedPort,
  completed,
  openService,
  openSocketService,
  reply,
} from "../helpers/service.ts";
import { connected, errorFrom, givenToken, waitingClock } from "./connected.ts";

const noRetries = { retries: 0 };
const json = { "content-type": "application/json" };
const closed = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.once("close", () => resolve()));

describe("whether the request was on the wire", () => {
  test("a refused connection cannot have been seen by the service", async () => {
    const { service } = connected(`http://127.0.0.1:${await closedPort()}`);
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", noRetries));
    expect(error).toMatchObject({
      kind: "unreachable",
      facts: { sent: false, systemCode: "ECONNREFUSED" },
    });
  });

  test("a reset after the headers may have been seen by the service", async () => {
    const { baseUrl } = await openSocketService((socket) => socket.resetAndDestroy());
    const error = await errorFrom(
      connected(baseUrl).service.accounts.status("ACME", "EXT-1", noRetries),
    );
    expect(error).toMatchObject({ kind: "unreachable", facts: { sent: true } });
  });

  test("concurrent calls do not mix", async () => {
    const { baseUrl } = await openSocketService((socket) => socket.resetAndDestroy());
    const refused = connected(`http://127.0.0.1:${await closedPort()}`).service;
    const reset = connected(baseUrl).service;
    const calls = Array.from({ length: 20 }, (_, n) =>
      errorFrom((n % 2 ? refused : reset).accounts.status("ACME", `EXT-${n}`, noRetries)),
    );
    const sent = (await Promise.all(calls)).map((error) => error.facts.sent);
    expect(sent).toEqual(sent.map((_, n) => n % 2 === 0));
  });

  test.each(["2\r\ncontent-length: 2", "2\r\ncontent-length: 3"])(
    "two lengths, %j, are the server's error and not one of the network",
    async (lengths) => {
      const { baseUrl } = await openSocketService((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${lengths}\r\n\r\n{}`),
      );
      const error = await errorFrom(
        connected(baseUrl).service.accounts.status("ACME", "EXT-1", noRetries),
      );
      expect(error).toMatchObject({ kind: "unreadable", facts: { sent: true } });
      expect(error.message).toContain("Content-Length");
    },
  );

  test("a server that does not speak HTTP is reported as unreachable", async () => {
    const { baseUrl } = await openSocketService((socket) => socket.end("SSH-2.0-x\r\n"));
    const error = await errorFrom(
      connected(baseUrl).service.accounts.status("ACME", "EXT-1", noRetries),
    );
    expect(error).toMatchObject({ kind: "unreachable", facts: { sent: true } });
  });
});

test.each([
  ["keeps it", false, 1],
  ["closes it", true, 2],
] as const)(
  "the call that waited for a token takes its connection where the service %s",
  async (_what, closes, connections) => {
    const ports = new Set<number | undefined>();
    const { baseUrl } = await openService(
      ({ path }, response) => {
        ports.add(response.req.socket.remotePort);
        if (closes) response.shouldKeepAlive = false;
        if (path.includes("graphql"))
          reply(response, 200, { data: { obtainToken: { token: "token-1" } } });
        else reply(response, 200, completed);
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1", token: null });
    await service.accounts.status("ACME", "EXT-1", noRetries);
    expect(ports.size).toBe(connections);
  },
);

test("a new connection whose request is refused by a pause does not stay open for another", async () => {
  const clock = fakeClock();
  const ports: (number | undefined)[] = [];
  const { baseUrl } = await openService((_request, response) => {
    ports.push(response.req.socket.remotePort);
    reply(response, 201, completed);
  });
  const opened: { readonly port: number | undefined; readonly closed: Promise<unknown> }[] = [];
  const onConnection = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    const gone = Promise.withResolvers<void>();
    socket.once("close", () => gone.resolve());
    opened.push({ port: socket.localPort, closed: gone.promise });
  };
  subscribe("undici:client:connected", onConnection);
  onTestFinished(() => void unsubscribe("undici:client:connected", onConnection));
  let isPaused = true;
  const http = createHttp({
    clock,
    idleTimeoutMs: 30_000,
    userAgent: "test",
    rateLimit: {
      ...createRateLimit(clock),
      mayLeave: () => (isPaused ? pauseError(1) : null),
    },
  });
  onTestFinished(() => http.close());
  const payment = { method: "POST", url: `${baseUrl}/`, freshConnection: true } as const;
  await errorFrom(http.send({ ...payment, timeoutMs: 5_000 }));
  isPaused = false;
  // Without this, the connection would be idle for four seconds, and the next payment would use it.
  const began = performance.now();
  await opened[0]?.closed;
  expect(performance.now() - began).toBeLessThan(2_000);
  await http.send({ ...payment, timeoutMs: 5_000 });
  expect(ports).toEqual([opened[1]?.port]);
});

describe("time-outs", () => {
  test("a service that says nothing is given up after the idle time", async () => {
    const { baseUrl } = await openService(() => {});
    const { service } = connected(baseUrl, { idleTimeoutMs: 30 });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", noRetries));
    expect(error).toMatchObject({ kind: "timeout", facts: { sent: true } });
  });

  test("a body that stops arriving is given up after the idle time, its rows kept", async () => {
    const { baseUrl } = await openService((_request, response) => {
      response.writeHead(200, json);
      response.write('[{"external_account_number":"EXT-1"},');
    });
    const { service } = connected(baseUrl, { idleTimeoutMs: 30 });
    const list = readAccountList(service, "ACME", "all", noRetries);
    const first = await list.next();
    expect(first.done).toBe(false);
    expect((await errorFrom(list.next())).kind).toBe("timeout");
  });

  test("an endless body is abandoned at the deadline even if data keeps arriving", async () => {
    const clock = fakeClock();
    const { baseUrl } = await openService((_request, response) => {
      response.writeHead(200, json);
      const more = () => response.write(" ", () => setImmediate(more));
      more();
    });
    const { service } = connected(baseUrl, { clock });
    const call = errorFrom(
      service.accounts.status("ACME", "EXT-1", { ...noRetries, timeoutMs: 5000 }),
    );
    await clock.untilSleeping(2);
    await clock.advance(5000);
    expect(await call).toMatchObject({ kind: "timeout", facts: { url: expect.any(String) } });
  });

  test("a token call that never answers does not outlast the deadline of the read", async () => {
    const clock = fakeClock();
    const { baseUrl } = await openService(() => {}, { ownTokens: true });
    const { service } = connected(baseUrl, { clock, apiKey: "key-1" });
    const call = errorFrom(
      service.accounts.status("ACME", "EXT-1", { ...noRetries, timeoutMs: 5000 }),
    );
    await clock.untilSleeping(2);
    await clock.advance(5000);
    expect((await call).kind).toBe("timeout");
  });
});

describe("giving up", () => {
  test("a call given up before it begins sends nothing", async () => {
    const { baseUrl, received } = await openService((_request, response) => reply(response, 200));
    const { service } = connected(baseUrl);
    const signal = AbortSignal.abort();
    expect((await errorFrom(service.accounts.status("ACME", "EXT-1", { signal }))).kind).toBe(
      "cancelled",
    );
    expect((await errorFrom(readAccountList(service, "ACME", "all", { signal }).next())).kind).toBe(
      "cancelled",
    );
    expect(received).toEqual([]);
  });

  test("canceling before the response closes the connection", async () => {
    const stop = new AbortController();
    let ended = Promise.resolve();
    const { baseUrl, received } = await openService((_request, response) => {
      ended = closed(response);
      stop.abort();
    });
    const call = connected(baseUrl).service.accounts.status("A", "E", { signal: stop.signal });
    expect(await errorFrom(call)).toMatchObject({ kind: "cancelled", facts: { sent: true } });
    await ended;
    expect(received).toHaveLength(1);
  });

  test("canceling during the body closes the connection", async () => {
    const stop = new AbortController();
    let ended = Promise.resolve();
    const { baseUrl } = await openService((_request, response) => {
      ended = closed(response);
      response.writeHead(200, json);
      response.write('[{"external_account_number":"EXT-1"},');
    });
    const list = readAccountList(connected(baseUrl).service, "A", "all", { signal: stop.signal });
    await list.next();
    const rest = errorFrom(list.next());
    stop.abort();
    expect((await rest).kind).toBe("cancelled");
    await ended;
  });

  test("canceling between two batches rejects the next one", async () => {
    const stop = new AbortController();
    const { baseUrl } = await openService((_request, response) => {
      response.writeHead(200, json);
      response.write('[{"external_account_number":"EXT-1"},');
    });
    const list = readAccountList(connected(baseUrl).service, "A", "all", { signal: stop.signal });
    await list.next();
    stop.abort();
    expect((await errorFrom(list.next())).kind).toBe("cancelled");
  });

  test("a list that is left early closes its connection", async () => {
    let ended = Promise.resolve();
    const { baseUrl } = await openService((_request, response) => {
      ended = closed(response);
      response.writeHead(200, json);
      response.write('[{"external_account_number":"EXT-1"},');
    });
    for await (const batch of readAccountList(connected(baseUrl).service, "ACME", "all")) {
      expect(batch.count).toBe(1);
      break;
    }
    await ended;
  });

  test("closing the service ends a call under way at noRetries, and every later one", async () => {
    const { baseUrl, received } = await openService(() => {
      service.close();
    });
    const { service } = connected(baseUrl);
    expect((await errorFrom(service.accounts.status("ACME", "EXT-1"))).kind).toBe("cancelled");
    expect((await errorFrom(service.accounts.status("ACME", "EXT-1"))).kind).toBe("cancelled");
    expect((await errorFrom(readAccountList(service, "ACME", "all").next())).kind).toBe(
      "cancelled",
    );
    expect(received).toHaveLength(1);
    await service.close();
  });

  test("closing the service ends a wait between two attempts", async () => {
    const { clock, waiting } = waitingClock();
    const { baseUrl } = await openService((_request, response) => reply(response, 500));
    const { service } = connected(baseUrl, { clock });
    const call = errorFrom(service.accounts.status("ACME", "EXT-1"));
    await waiting;
    await service.close();
    expect((await call).kind).toBe("cancelled");
    expect(clock.pending()).toBe(0);
  });

  test("a call that is over leaves no deadline behind", async () => {
    const clock = fakeClock();
    const { baseUrl } = await openService((_request, response) => reply(response, 200, completed));
    const { service } = connected(baseUrl, { clock });
    await service.accounts.status("ACME", "EXT-1");
    expect(clock.pending()).toBe(0);
  });
});

describe("where a token may go", () => {
  test.each([301, 302, 303, 307, 308])("a %i is not followed", async (status) => {
    const other = await openService((_request, response) => reply(response, 200, completed));
    const { baseUrl, received } = await openService((_request, response) =>
      reply(response, status, "", { location: `${other.baseUrl}/elsewhere/` }),
    );
    const error = await errorFrom(connected(baseUrl).service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind: "redirect", facts: { httpStatus: status } });
    expect(received).toHaveLength(1);
    expect(other.received).toEqual([]);
  });

  test("a redirected token call is not followed either", async () => {
    const other = await openService((_request, response) => reply(response, 200, completed));
    const { baseUrl } = await openService(
      (_request, response) =>
        reply(response, 307, "", { location: `${other.baseUrl}/v1/graphql/` }),
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    expect((await errorFrom(readAccountList(service, "ACME", "all").next())).kind).toBe("redirect");
    expect(other.received).toEqual([]);
  });

  test.each([
    "http://service.example",
    "http://127.0.0.1.example",
    "http://10.0.0.1",
    "https://user:word@service.example",
    "https://user@service.example",
    "ftp://service.example",
    "file:///etc",
    "https://service.example/?a=1",
    "https://service.example/#part",
    "service.example",
    "",
  ])("the base URL %j is refused, and so is a GraphQL URL", (url) => {
    const credentials = {
      apiKey: async () => null,
      token: async () => givenToken,
      storeToken: async () => {},
      storeForm: async () => {},
      secrets: () => [],
    };
    const refused = expect.objectContaining({ kind: "invalid-request" });
    expect(() => createService({ baseUrl: url, credentials })).toThrow(refused);
    if (url === "") return;
    const baseUrl = "https://service.example";
    expect(() => createService({ baseUrl, graphqlUrl: url, credentials })).toThrow(refused);
  });

  test.each(["\r\nX-Evil: 1", "a b", "é", "\u0000", ""])(
    "a token of %j never reaches a header",
    async (token) => {
      const { baseUrl, received } = await openService((_request, response) =>
        reply(response, 200, completed),
      );
      const { service } = connected(baseUrl, { token: { token, given: true } });
      expect((await errorFrom(service.accounts.status("ACME", "EXT-1"))).kind).toBe("credentials");
      expect(received).toEqual([]);
    },
  );

  test("asks for JSON under the name it was given", async () => {
    const { baseUrl, received } = await openService((_request, response) =>
      reply(response, 200, completed),
    );
    const { service } = connected(baseUrl, { userAgent: "supplyline/9" });
    await service.accounts.status("ACME", "EXT-1");
    expect(received[0]?.headers).toMatchObject({
      accept: "application/json",
      "accept-encoding": "gzip",
      "user-agent": "supplyline/9",
      authorization: "Token given-token",
    });
  });
});
