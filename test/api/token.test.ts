import { completed, isTokenCall, openService, reply, tokenAnswer } from "../helpers/service.ts";
import { connected, errorFrom, hastyClock, start } from "./connected.ts";
import { guarded, jwt, sandboxed } from "./guarded.ts";

describe("obtaining a token (INTERFACE 5.2)", () => {
  test("the key travels as a variable; the token is kept, and used for every call", async () => {
    const { read, received, keptTokens, tokenCalls, headers } = await guarded(
      ["t-1"],
      (header) => header === "Token t-1",
    );
    await read();
    await read();
    const sent = JSON.parse(received[0]?.body ?? "");
    expect(sent.variables).toEqual({ apiKey: "key-1" });
    expect(sent.query).toContain("obtainToken(input: {APIKey: $apiKey})");
    expect(sent.query).not.toContain("key-1");
    expect(received[0]?.headers.authorization).toBeUndefined();
    expect(tokenCalls()).toBe(1);
    expect(headers()).toEqual(["Token t-1", "Token t-1"]);
    expect(keptTokens).toEqual(["t-1"]);
  });

  test("a cached token is used without requesting a new one", async () => {
    const token = { token: jwt(3_600_000), given: false };
    const { read, service, tokenCalls } = await guarded(["new"], () => true, { token });
    await read();
    expect(tokenCalls()).toBe(0);
    expect(await service.authenticate()).toEqual({
      source: "cached",
      expiresAt: start + 3_600_000,
      issuedAt: null,
      form: "token",
    });
  });

  test.each([-1000, 0, 59_000])(
    "one that ends %i ms from now is renewed before use",
    async (ms) => {
      const token = { token: jwt(ms), given: false };
      const { read, headers } = await guarded(["new"], () => true, { token });
      await read();
      expect(headers()).toEqual(["Token new"]);
    },
  );

  test("a token in use is renewed before it ends", async () => {
    let now = start;
    const given = { clock: { ...hastyClock(), now: () => now } };
    const [first, second] = [jwt(3_600_000, "first"), jwt(7_200_000, "second")];
    const { read, headers } = await guarded([first, second], () => true, given);
    await read();
    now = start + 3_550_000;
    await read();
    expect(headers()).toEqual([`Token ${first}`, `Token ${second}`]);
  });

  test("a token that lives for seconds only is not requested again by every call", async () => {
    const { read, tokenCalls } = await guarded([jwt(5000)], () => true);
    for (let n = 0; n < 5; n++) await read();
    expect(tokenCalls()).toBe(1);
  });

  test("a token that has expired only by the local clock is not requested again", async () => {
    const { read, tokenCalls } = await guarded([jwt(-600_000)], () => true);
    for (let n = 0; n < 5; n++) await read();
    expect(tokenCalls()).toBe(1);
  });

  test("an opaque token is used until a 401, then renewed once", async () => {
    let good = "t-1";
    const { read, tokenCalls, keptTokens, headers } = await guarded(
      ["t-1", "t-2"],
      (header) => header === `Token ${good}`,
    );
    await read();
    good = "t-2";
    await read();
    expect(tokenCalls()).toBe(2);
    expect(headers()).toEqual(["Token t-1", "Token t-1", "Token t-2"]);
    expect(keptTokens).toEqual(["t-1", null, "t-2"]);
  });

  test("a hundred calls at once share one token call, at the start and after a 401", async () => {
    let good = "t-1";
    const { service, tokenCalls } = await guarded(
      ["t-1", "t-2"],
      (header) => header === `Token ${good}`,
    );
    const hundred = () =>
      Promise.all(
        Array.from({ length: 100 }, (_, n) => service.accounts.status("ACME", `EXT-${n}`)),
      );
    expect(await hundred()).toHaveLength(100);
    expect(tokenCalls()).toBe(1);
    good = "t-2";
    expect(await hundred()).toHaveLength(100);
    expect(tokenCalls()).toBe(2);
  });

  test("a caller that gives up does not end the token call for the others", async () => {
    const stop = new AbortController();
    const { baseUrl } = await openService(
      (request, response) => {
        if (!isTokenCall(request)) return reply(response, 200, completed);
        stop.abort();
        setImmediate(() => reply(response, 200, tokenAnswer("t-1")));
      },
      { ownTokens: true },
    );
    const { service } = connected(baseUrl, { apiKey: "key-1" });
    const one = errorFrom(service.accounts.status("ACME", "EXT-1", { signal: stop.signal }));
    const other = service.accounts.status("ACME", "EXT-2");
    expect((await one).kind).toBe("cancelled");
    expect((await other).value.status).toBe("COMPLETED");
  });

  test("a fresh token can be asked for", async () => {
    const { read, service, headers, tokenCalls } = await guarded(["t-1", "t-2"], () => true);
    await read();
    expect(await service.authenticate({ fresh: true })).toMatchObject({ source: "obtained" });
    await read();
    expect(tokenCalls()).toBe(2);
    expect(headers()).toEqual(["Token t-1", "Token t-2"]);
  });

  test("URL, mutation and the place of the token are settings", async () => {
    const { baseUrl, received } = await openService(({ path }, response) =>
      reply(response, 200, path === "/g/ql" ? { data: { a: [{ b: "t-9" }] } } : completed),
    );
    const mutation = "mutation M($apiKey: String!) { a(k: $apiKey) { b } }";
    const { service } = connected(baseUrl, {
      apiKey: "key-1",
      graphqlUrl: `${baseUrl}/g/ql`,
      mutation,
      tokenPath: "a.0.b",
    });
    await service.accounts.status("ACME", "EXT-1");
    expect(JSON.parse(received[0]?.body ?? "").query).toBe(mutation);
    expect(received[1]?.headers.authorization).toBe("Token t-9");
  });
});

describe("the two forms of the header (INTERFACE 5.3)", () => {
  test.each([
    ["token", "both"],
    ["bare", "bare"],
  ] as const)("under auto, %s is found where the service takes %s", async (form, accepted) => {
    const { service, keptForms } = await sandboxed(
      { faults: [`auth=${accepted}`] },
      {
        knownForm: null,
      },
    );
    await service.accounts.status("ACME", "EXT-0000001");
    await service.accounts.status("ACME", "EXT-0000001");
    expect(keptForms).toEqual([form]);
    expect((await service.authenticate()).form).toBe(form);
  });

  test("the form that worked is sent first from then on", async () => {
    const { read, headers } = await guarded(["t-1"], (header) => header === "t-1", {
      knownForm: null,
    });
    await read();
    await read();
    expect(headers()).toEqual(["Token t-1", "t-1", "t-1"]);
  });

  test("a 404 shows which form is let in, so that an unknown account costs one refusal, not many", async () => {
    const { service, keptForms } = await sandboxed({ faults: ["auth=bare"] }, { knownForm: null });
    const look = () => errorFrom(service.accounts.status("ACME", "EXT-NEVER"));
    expect((await look()).kind).toBe("not-found");
    expect((await service.authenticate()).form).toBe("bare");
    expect((await look()).kind).toBe("not-found");
    expect(keptForms).toEqual([]);
  });

  test("a known form that the service no longer takes is changed, and kept", async () => {
    const { read, headers, keptForms, tokenCalls } = await guarded(
      ["t-1"],
      (header) => header === "t-1",
    );
    await read();
    await read();
    expect(keptForms).toEqual(["bare"]);
    expect(headers().slice(-1)).toEqual(["t-1"]);
    expect(tokenCalls()).toBe(2);
  });

  test("a token that has ended does not change the form", async () => {
    let now = start;
    const { service, keptForms } = await sandboxed({
      faults: ["auth=token", "token=opaque", "token-life=5s"],
      now: () => now,
    });
    await service.accounts.status("ACME", "EXT-0000001");
    now += 6000;
    await service.accounts.status("ACME", "EXT-0000001");
    expect(keptForms).toEqual([]);
    expect((await service.authenticate()).form).toBe("token");
  });

  test.each([
    ["token", "Token t-1"],
    ["bare", "t-1"],
  ] as const)("a form that was chosen (%s) is the only one sent", async (authForm, header) => {
    const { read, headers } = await guarded(["t-1"], () => false, { authForm });
    expect((await errorFrom(read())).kind).toBe("unauthorized");
    expect(new Set(headers())).toEqual(new Set([header]));
  });
});
