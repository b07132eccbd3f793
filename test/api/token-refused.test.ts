import { expiryOf } from "../../src/api/jwt.ts";
import { completed, isTokenCall, openService, reply, tokenAnswer } from "../helpers/service.ts";
import { connected, errorFrom, start } from "./connected.ts";
import { guarded, jwt, sandboxed } from "./guarded.ts";

describe("when no token can be had", () => {
  test("a wrong key: the service's words, and no second try", async () => {
    const { service, waits } = await sandboxed({}, { apiKey: "wrong-key" });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-0000001"));
    expect(error.kind).toBe("credentials");
    expect(error.facts.detail).toBe("The API key is not valid.");
    expect(waits).toEqual([]);
  });

  test("a fresh token that is refused as well: unauthorized, after one renewal", async () => {
    const { read, tokenCalls, headers } = await guarded(["t-1"], () => false);
    const error = await errorFrom(read());
    expect(error).toMatchObject({ kind: "unauthorized", facts: { detail: "Token refused." } });
    expect(tokenCalls()).toBe(2);
    expect(headers().length).toBeLessThanOrEqual(3);
  });

  test("a given token that is refused, without a key: unauthorized", async () => {
    const { read, tokenCalls } = await guarded(["t"], () => false, {
      apiKey: null,
      token: { token: "given-1", given: true },
    });
    expect((await errorFrom(read())).kind).toBe("unauthorized");
    expect(tokenCalls()).toBe(0);
  });

  test("a given token that has ended is still tried: the service decides", async () => {
    const token = { token: jwt(-1000), given: true };
    const { read } = await guarded(["t"], () => true, { apiKey: null, token });
    expect((await read()).value.status).toBe("COMPLETED");
  });

  test.each([null, ""])("no key (%j) and no token", async (apiKey) => {
    const { read, received } = await guarded(["t"], () => true, { apiKey, token: null });
    expect((await errorFrom(read())).kind).toBe("credentials");
    expect(received).toEqual([]);
  });

  test("a credential source that throws", async () => {
    const broken = async () => {
      throw new Error("The credential helper ended with 1.");
    };
    const { read } = await guarded(["t"], () => true, {
      credentials: {
        apiKey: broken,
        token: broken,
        storeToken: async () => {},
        storeForm: async () => {},
        secrets: () => [],
      },
    });
    const error = await errorFrom(read());
    expect(error.kind).toBe("credentials");
    expect(error.message).toBe("The credential helper ended with 1.");
  });

  test.each([
    ["no token in it", 200, { data: { obtainToken: {} } }, "credentials"],
    ["null for the mutation", 200, { data: { obtainToken: null } }, "credentials"],
    ["null for data", 200, { data: null }, "unreadable"],
    ["null", 200, "null", "unreadable"],
    ["an empty object", 200, {}, "unreadable"],
    ["a list", 200, [], "unreadable"],
    ["a sign-in page's JSON", 200, { redirect: "/login" }, "unreadable"],
    ["a token of spaces", 200, tokenAnswer("a b"), "credentials"],
    ["errors beside it", 200, { errors: [{ message: "no" }], data: null }, "credentials"],
    ["errors with a 400", 400, { errors: [{ message: "no" }] }, "credentials"],
    ["HTML", 200, "<html></html>", "unreadable"],
    ["half of its JSON", 200, '{"data":', "unreadable"],
    ["nothing", 200, "", "unreadable"],
    ["a 403 of a gateway", 403, "<html></html>", "forbidden"],
    ["a 404", 404, "", "unexpected-status"],
    ["a 429", 429, { errors: [{ message: "slow down" }] }, "rate-limited"],
    ["a 500", 500, "", "unavailable"],
    ["a 500 in GraphQL's shape", 500, { errors: [{ message: "down" }] }, "unavailable"],
  ])("an answer of ObtainToken with %s", async (_what, status, body, kind) => {
    const { baseUrl } = await openService((_request, response) => reply(response, status, body), {
      ownTokens: true,
    });
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    const error = await errorFrom(service.authenticate({ retries: 0 }));
    expect(error.kind).toBe(kind);
    expect(error.facts.url).toBe(`${baseUrl}/v1/graphql/`);
  });

  test("an answer that is no GraphQL answer is asked for again", async () => {
    let tokenCalls = 0;
    const { baseUrl } = await openService(
      (request, response) => {
        if (!isTokenCall(request)) return reply(response, 200, completed);
        tokenCalls += 1;
        reply(response, 200, tokenCalls < 3 ? {} : tokenAnswer("t-1"));
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    expect((await service.accounts.status("ACME", "EXT-1")).value.status).toBe("COMPLETED");
    expect(tokenCalls).toBe(3);
  });
});

describe("when a token ends", () => {
  test("is read from a JSON Web Token, in milliseconds", () => {
    expect(expiryOf(jwt(5000))).toBe(start + 5000);
  });

  test.each([
    "opaque",
    "a.b",
    "a.b.c",
    "a..c",
    `a.${Buffer.from('{"exp":"soon"}').toString("base64url")}.c`,
    `a.${Buffer.from('{"exp":1e300}').toString("base64url")}.c`,
    // Beyond the last instant that a date can hold.
    `a.${Buffer.from('{"exp":8.8e12}').toString("base64url")}.c`,
    `a.${Buffer.from("null").toString("base64url")}.c`,
  ])("%j does not say", (token) => {
    expect(expiryOf(token)).toBeNull();
  });
});
