import { inspect } from "node:util";
import type { ProxyHelper } from "../../src/api/connections.ts";
import { memoryCredentials } from "../../src/settings/credentials.ts";
import { type ProfileInput, profileFrom } from "../../src/settings/schemas.ts";
import { noSecrets } from "../../src/settings/secrets.ts";
import { serviceOptions } from "../../src/settings/service-options.ts";
import { freshFolder, helperCommand, thrownBy } from "./settings-folder.ts";

const credentials = memoryCredentials(noSecrets);

function loginOf(more: Partial<ProfileInput>, env: Record<string, string | undefined> = {}) {
  const profile = profileFrom({
    name: "far",
    baseUrl: "https://host.example",
    proxy: "http://gate:1",
    ...more,
  });
  return serviceOptions({ profile }, env, credentials, null).proxyLogin;
}

/** Returns the credential of a helper with this output. */
async function helperAnswer(text: string) {
  const { root } = freshFolder();
  const command = helperCommand(root, `process.stdout.write(${JSON.stringify(text)});`);
  const helper = loginOf({ proxyCredentialHelper: command }) as ProxyHelper;
  return helper.run(new AbortController().signal);
}

describe("the user name and password of a proxy", () => {
  test("come from a variable, which no child process inherits", () => {
    const env = { GATE_LOGIN: "ada:can:ary", PATH: "/bin" };
    const first = loginOf({ proxyCredentialEnv: "GATE_LOGIN" }, env);
    expect(first).toEqual({ username: "ada", password: "can:ary", variable: "GATE_LOGIN" });
    expect(env).toEqual({ PATH: "/bin" });
    // A console opens its profile again, and the variable no longer exists then.
    expect(loginOf({ proxyCredentialEnv: "GATE_LOGIN" }, env)).toEqual(first);
  });

  test.each([
    [{}, /GATE_LOGIN is not set/],
    [{ GATE_LOGIN: "canary" }, /GATE_LOGIN has no colon/],
    [{ GATE_LOGIN: "a:canary\r\nx" }, /GATE_LOGIN cannot be used/],
    [{ GATE_LOGIN: ":canary" }, /GATE_LOGIN cannot be used/],
  ])("that a variable does not hold are refused by its name alone: %j", async (env, words) => {
    const error = await thrownBy(async () => loginOf({ proxyCredentialEnv: "GATE_LOGIN" }, env));
    expect(error).toMatchObject({ kind: "invalid", message: expect.stringMatching(words) });
    expect(inspect(error)).not.toContain("canary");
  });

  test("come from a credential helper that prints them as JSON", async () => {
    expect(await helperAnswer('{"Username": "ada", "Password": "secret"}')).toEqual({
      username: "ada",
      password: "secret",
    });
    expect(await helperAnswer('{"username": "ada", "password": ""}')).toEqual({
      username: "ada",
      password: "",
    });
  });

  test.each([
    ["canary", /the proxy's credential helper .* did not print a JSON object/],
    ['{"Username": "ada"}', /printed no Password/],
    ['{"Username": "a:b", "Password": "canary"}', /user name contains a colon/],
    ['{"Username": "ada", "Password": "can\\nary"}', /control character/],
  ])("that a helper prints as %s are refused without quoting them", async (text, words) => {
    const error = await thrownBy(() => helperAnswer(text));
    expect(error).toMatchObject({ kind: "helper", message: expect.stringMatching(words) });
    expect(inspect(error)).not.toContain("canary");
  });

  test("serve for the proxy of the environment as well, and for none without a proxy", () => {
    const env = { HTTPS_PROXY: "http://gate:2", GATE_LOGIN: "ada:secret" };
    const more = { proxy: undefined, proxyCredentialEnv: "GATE_LOGIN" };
    expect(loginOf(more, env)).toEqual({
      username: "ada",
      password: "secret",
      variable: "GATE_LOGIN",
    });
    expect(loginOf(more, { GATE_LOGIN: "ada:secret" })).toBeUndefined();
  });

  test("come from one place only", () => {
    const both = { proxyCredentialHelper: "pass", proxyCredentialEnv: "GATE_LOGIN" };
    expect(() => loginOf(both)).toThrow(/not from both/);
    expect(() => loginOf({ proxyCredentialEnv: "not a name" })).toThrow(/name of a variable/);
  });

  test("are not accepted in the profile's own proxy, and are honored in HTTPS_PROXY", () => {
    expect(() => loginOf({ proxy: "http://ada:canary@gate:1" })).toThrow(/^(?!.*canary).*password/);
    const profile = profileFrom({ name: "far", baseUrl: "https://host.example" });
    const env = { HTTPS_PROXY: "http://ada:secret@gate:1" };
    expect(serviceOptions({ profile }, env, credentials, null).proxy).toBe(env.HTTPS_PROXY);
  });
});
