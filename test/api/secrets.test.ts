import { inspect } from "node:util";
import type { ServiceError } from "../../src/api/errors.ts";
import type { Service } from "../../src/api/service.ts";
import {
  closedPort,
  completed,
  type Handler,
  openService,
  type Received,
  reply,
  tokenAnswer,
} from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

const key = 'canary-key-"4f1b';
const token = "canary-token-9d2c7e";

/** Everything an error may be written out as. */
function writtenOut(error: ServiceError): string {
  return [
    error.message,
    error.stack,
    String(error),
    JSON.stringify(error),
    JSON.stringify(error.facts),
    inspect(error, { depth: 20, showHidden: true }),
    inspect(error.facts.body),
  ].join("\n");
}

/** A JSON string with everything in it that is no letter, digit or hyphen in other words. */
function escapedAs(text: string, write: (hex: string) => string, what = /[^\w-]/g): string {
  return `"${text.replace(what, (one) => write(one.charCodeAt(0).toString(16).padStart(2, "0")))}"`;
}

function expectNoSecret(error: ServiceError): void {
  expect(writtenOut(error)).not.toMatch(/canary/);
}

const echo = ({ headers, body }: Received) => `You sent ${JSON.stringify(headers)} and ${body}`;

/** A service that repeats what it was sent in every answer of a read. */
const echoing =
  (status: number, type = "text/html"): Handler =>
  (request, response) => {
    if (request.path.includes("graphql")) reply(response, 200, tokenAnswer(token));
    else reply(response, status, echo(request), { "content-type": type });
  };

describe("the key and the token stay out of every error", () => {
  test.each([200, 302, 400, 401, 403, 404, 429, 500])(
    "when a page of a %i repeats the header",
    async (status) => {
      const { baseUrl } = await openService(echoing(status), { ownTokens: true });
      const { service } = connected(baseUrl, { apiKey: key });
      const error = await errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 }));
      expect(error.facts.body).toContain("You sent");
      expectNoSecret(error);
    },
  );

  test("when a refusal's own words repeat the header", async () => {
    const { baseUrl } = await openService((request, response) => {
      const said = request.headers.authorization;
      const errors = [{ attr: "x", code: said, detail: said }];
      reply(response, 400, { detail: said, code: said, errors, body: [said], x: [said] });
    });
    const { service } = connected(baseUrl, { token: { token, given: true } });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error.facts.errors).toHaveLength(2);
    expectNoSecret(error);
  });

  test.each([
    ["escapes every slash", (text: string) => JSON.stringify(text).replaceAll("/", "\\/")],
    ["escapes what is no letter", (text: string) => escapedAs(text, (hex) => `\\u00${hex}`)],
    [
      "writes JSON into JSON",
      (text: string) => JSON.stringify(`{"a":${escapedAs(text, (hex) => `\\u00${hex}`)}}`),
    ],
  ])("when the service %s of the token it repeats", async (_how, written) => {
    const odd = "canary/9d2c+7e=canary";
    const { baseUrl } = await openService((_request, response) =>
      reply(response, 403, `{"detail":${written(odd)},"code":${written(odd)}}`),
    );
    const { service } = connected(baseUrl, { token: { token: odd, given: true } });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error.facts.detail).toContain("[hidden]");
    expectNoSecret(error);
  });

  test.each([
    ["as it is", (text: string) => text],
    ["encoded", (text: string) => text.replace(/\W/g, encodeURIComponent)],
    [
      "encoded throughout",
      (text: string) => escapedAs(text, (hex) => `%${hex}`, /./g).slice(1, -1),
    ],
  ])("when a redirect leads to a path that holds them, %s", async (_how, written) => {
    const odd = "canary+9d2c/7e=canary";
    const { baseUrl } = await openService(
      (request, response) =>
        reply(response, 302, "", {
          location: `https://elsewhere.example/for/${written(request.method === "POST" ? "canary-key" : odd)}/`,
        }),
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { token: { token: odd, given: true } });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind: "redirect" });
    expect(error.message).toContain("to https://elsewhere.example was not followed");
    expectNoSecret(error);
    const asked = connected(baseUrl, { apiKey: "canary-key" }).service;
    expectNoSecret(await errorFrom(asked.authenticate()));
  });

  test.each([200, 400, 500])("when ObtainToken's %i repeats the key", async (status) => {
    const bodies = [
      (request: Received) => `<html>${request.body}</html>`,
      (request: Received) => ({ errors: [{ message: `Bad value: ${request.body} ${key}` }] }),
    ];
    for (const body of bodies) {
      const { baseUrl } = await openService(
        (request, response) => reply(response, status, body(request)),
        { ownTokens: true },
      );
      const { service } = connected(baseUrl, { apiKey: key });
      expectNoSecret(await errorFrom(service.authenticate({ retries: 0 })));
    }
  });

  test.each([
    ["cut off", JSON.stringify(tokenAnswer(token)).slice(0, 60)],
    ["of another shape", JSON.stringify({ data: { other: { token } } })],
    ["with more behind it", `${JSON.stringify(tokenAnswer(token))}x`],
  ])("when the answer that holds the token is %s", async (_how, body) => {
    expect(body).toContain(token);
    const { baseUrl } = await openService((_request, response) => reply(response, 200, body), {
      ownTokens: true,
    });
    const { service } = connected(baseUrl, { apiKey: key });
    expectNoSecret(await errorFrom(service.authenticate({ retries: 0 })));
  });

  test("when there is no connection, or the call is given up", async () => {
    const { service } = connected(`http://127.0.0.1:${await closedPort()}`, {
      token: { token, given: true },
    });
    expectNoSecret(await errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 })));
    const stop = new AbortController();
    const { baseUrl } = await openService(() => stop.abort());
    const open = connected(baseUrl, { token: { token, given: true } }).service;
    const { signal } = stop;
    expectNoSecret(await errorFrom(open.accounts.status("ACME", "EXT-1", { signal })));
  });

  test("when the token itself cannot be used", async () => {
    const bad = { token: `${token}\n`, given: true };
    const { service } = connected("https://service.example", { token: bad });
    expectNoSecret(await errorFrom(service.accounts.status("ACME", "EXT-1")));
  });

  test("when the page repeats a token that has been renewed since it was asked for", async () => {
    let issued = 0;
    const asked = Promise.withResolvers<() => void>();
    const { baseUrl } = await openService(
      (request, response) => {
        if (request.path.includes("graphql")) {
          issued += 1;
          return reply(response, 200, tokenAnswer(`${token}-${issued}`));
        }
        if (request.path.includes("SLOW")) {
          return asked.resolve(() =>
            reply(response, 500, echo(request), { "content-type": "x/y" }),
          );
        }
        reply(
          response,
          request.headers.authorization === `Token ${token}-2` ? 200 : 401,
          completed,
        );
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: key });
    const slow = errorFrom(service.accounts.status("ACME", "SLOW", { retries: 0 }));
    const answer = await asked.promise;
    await service.accounts.status("ACME", "EXT-1");
    answer();
    const error = await slow;
    expect(issued).toBe(2);
    expect(error.facts.body).toContain("You sent");
    expectNoSecret(error);
  });
});

describe("the key and the token stay out of what is saved of an answer", () => {
  const keyed = { token: { token, given: false }, apiKey: key };
  const write = (service: Service) =>
    service.post(
      { path: "/v1/data-import/notes/create/", query: {}, body: Buffer.from("{}") },
      { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent: () => {} },
    );

  test.each([
    ["saved", keyed],
    ["exchanged for a token", { apiKey: key }],
  ])("when an answer repeats a key that was %s", async (_how, given) => {
    let status = 200;
    const { baseUrl } = await openService(
      (request, response) =>
        request.path.includes("graphql")
          ? reply(response, 200, tokenAnswer(token))
          : reply(response, status, { ...completed, status: key, detail: key, code: key }),
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, given);
    const { raw, value } = await service.accounts.status("ACME", "EXT-1");
    expect(value.status).toBe("[hidden]");
    const read = await service.read("/v1/data-import/account-transfer-status/ACME/EXT-1/");
    expect([raw, read.body, (await write(service)).body].join()).not.toMatch(/canary/);
    status = 400;
    const error = await errorFrom(write(service));
    expect(error.facts).toMatchObject({ code: "[hidden]" });
    expectNoSecret(error);
    expectNoSecret(await errorFrom(service.accounts.status("ACME", "EXT-1")));
  });

  test("when the status of an account, or of a supply point, repeats the header", async () => {
    const { baseUrl } = await openService((request, response) =>
      reply(response, 200, {
        ...completed,
        status: request.headers.authorization,
        echo: request.headers,
      }),
    );
    const { service } = connected(baseUrl, { token: { token, given: true } });
    for (const { raw, value } of [
      await service.accounts.status("ACME", "EXT-1"),
      await service.supplyPoints.status("ACME", "SP-1"),
    ]) {
      expect(raw).toContain("authorization");
      expect(raw).not.toMatch(/canary/);
      expect(value.status).toContain("[hidden]");
    }
  });

  test("when the answer to a write repeats it", async () => {
    const { baseUrl } = await openService((request, response) =>
      reply(response, 201, echo(request)),
    );
    const { service } = connected(baseUrl, { token: { token, given: true } });
    const answer = await write(service);
    expect(answer.body).toContain("You sent");
    expect(answer.body).not.toMatch(/canary/);
  });
});
