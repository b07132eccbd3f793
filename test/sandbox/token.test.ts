import { fakeClock, json, obtainToken, opened, paths, tokenFor } from "./client.ts";

describe("obtaining a token", () => {
  test("the API key gives a token with an expiry an hour ahead, and a refresh token", async () => {
    const clock = fakeClock();
    const { sandbox } = await opened({ now: clock.now });
    const response = await obtainToken(sandbox.baseUrl, sandbox.apiKey);
    expect(response.status).toBe(200);
    const { token, refreshToken, refreshExpiresIn } = (await json(response)).data.obtainToken;
    const [, claims = ""] = token.split(".");
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(exp).toBe(clock.now() / 1000 + 3600);
    expect(refreshToken).not.toBe("");
    expect(refreshExpiresIn).toBe(7 * 24 * 3600);
  });

  test("the key may stand in the document itself", async () => {
    const { sandbox } = await opened();
    const response = await fetch(`${sandbox.baseUrl}/v1/graphql/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        query: `mutation { obtainToken(input: {APIKey: "${sandbox.apiKey}"}) { token } }`,
      }),
    });
    expect((await json(response)).data.obtainToken.token).toMatch(/^ey/);
  });

  test("a wrong key is an error in GraphQL's own form, without a token", async () => {
    const { sandbox } = await opened();
    const answer = await json(await obtainToken(sandbox.baseUrl, "sandbox-wrong"));
    expect(answer.errors[0].message).toBe("The API key is not valid.");
    expect(answer.data.obtainToken).toBeNull();
  });

  test("two sandboxes have different keys", async () => {
    const [one, other] = [await opened(), await opened()];
    expect(one.sandbox.apiKey).not.toBe(other.sandbox.apiKey);
    const answer = await json(await obtainToken(one.sandbox.baseUrl, other.sandbox.apiKey));
    expect(answer.errors).toHaveLength(1);
  });
});

describe("the Authorization header", () => {
  const ask = async (baseUrl: string, authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await fetch(baseUrl + paths.account("EXT-0000001"), { headers });
    return [response.status, (await json(response)).code];
  };

  test("is needed, must be right, and may be in either form by default", async () => {
    const { sandbox, token } = await opened();
    expect(await ask(sandbox.baseUrl)).toEqual([401, "not_authenticated"]);
    expect(await ask(sandbox.baseUrl, "Token nonsense")).toEqual([401, "authentication_failed"]);
    expect(await ask(sandbox.baseUrl, "nonsense")).toEqual([401, "authentication_failed"]);
    expect(await ask(sandbox.baseUrl, token)).toEqual([200, undefined]);
    expect(await ask(sandbox.baseUrl, `Token ${token}`)).toEqual([200, undefined]);
  });

  test.each([
    ["bare", 401, 200],
    ["token", 200, 401],
    ["both", 200, 200],
  ])("is taken in one form alone when the sandbox is set so: %s", async (form, prefixed, bare) => {
    const { sandbox, token } = await opened({ faults: [`auth=${form}`] });
    expect((await ask(sandbox.baseUrl, `Token ${token}`))[0]).toBe(prefixed);
    expect((await ask(sandbox.baseUrl, token))[0]).toBe(bare);
  });

  test("the Authorization header is refused after the token expires", async () => {
    const clock = fakeClock();
    const { sandbox, token } = await opened({ now: clock.now, faults: ["token-life=5s"] });
    clock.pass(4);
    expect(await ask(sandbox.baseUrl, `Token ${token}`)).toEqual([200, undefined]);
    clock.pass(1);
    expect(await ask(sandbox.baseUrl, `Token ${token}`)).toEqual([401, "token_expired"]);
  });

  test("takes opaque tokens where those are issued", async () => {
    const { sandbox } = await opened({ faults: ["token=opaque"] });
    const token = await tokenFor(sandbox.baseUrl, sandbox.apiKey);
    expect(token).not.toContain(".");
    expect(await ask(sandbox.baseUrl, `Token ${token}`)).toEqual([200, undefined]);
  });
});
