import { existsSync } from "node:fs";
import { resolveProfile } from "../../src/settings/resolve.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { createSecrets, noSecrets } from "../../src/settings/secrets.ts";
import { openSettings, sandboxProfile } from "../../src/settings/settings.ts";
import { freshFolder, thrownBy } from "./settings-folder.ts";

const baseUrl = "https://ad-hoc.example";

function resolving(names: readonly string[], current?: string) {
  const { config } = freshFolder();
  const settings = openSettings({ configDir: config });
  for (const name of names) settings.add(profileFrom({ name, baseUrl: `https://${name}.example` }));
  if (current) settings.use(current);
  const resolve = (env: Record<string, string> = {}, flag?: string) => {
    const found = resolveProfile({ flag, env, secrets: noSecrets, settings: () => settings });
    return found && [found.profile.name, found.origin];
  };
  return { config, settings, resolve };
}

test("nothing set up, or several with none chosen, resolves to no profile", () => {
  expect(resolving([]).resolve()).toBeNull();
  expect(resolving(["a", "b"]).resolve()).toBeNull();
});

test("the flag comes before the environment's address, its profile, the current and the only one", () => {
  const { resolve } = resolving(["a", "b", "c"], "c");
  const env = { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_PROFILE: "b" };
  expect(resolve(env, "a")).toEqual(["a", "flag"]);
  expect(resolve(env)).toEqual(["ad-hoc", "ad-hoc"]);
  expect(resolve({ SUPPLYLINE_PROFILE: "b", SUPPLYLINE_BASE_URL: "" })).toEqual([
    "b",
    "environment",
  ]);
  expect(resolve()).toEqual(["c", "current"]);
  expect(resolving(["a"]).resolve()).toEqual(["a", "only"]);
});

test("the sandbox says so however it was chosen", () => {
  expect(resolving([]).resolve({}, "sandbox")).toEqual(["sandbox", "sandbox"]);
  expect(resolving([]).resolve({ SUPPLYLINE_PROFILE: "sandbox" })).toEqual(["sandbox", "sandbox"]);
  expect(resolving(["a"], "sandbox").resolve()).toEqual(["sandbox", "sandbox"]);
});

test("an unknown name is reported with the known ones", () => {
  const { resolve } = resolving(["a", "b"]);
  const wrong = expect.objectContaining({
    kind: "unknown-profile",
    message: expect.stringContaining("a, b, sandbox"),
  });
  expect(() => resolve({}, "x")).toThrow(wrong);
  expect(() => resolve({}, "")).toThrow(wrong);
  expect(() => resolve({ SUPPLYLINE_PROFILE: "x" })).toThrow(wrong);
});

test("an address in the environment needs no settings and writes none", async () => {
  const { config } = freshFolder();
  const found = resolveProfile({
    env: { SUPPLYLINE_BASE_URL: baseUrl },
    secrets: createSecrets({ apiKey: "key-1" }),
    settings: () => {
      throw new Error("the settings were opened");
    },
  });
  expect(found?.profile).toEqual(profileFrom({ name: "ad-hoc", baseUrl }));
  expect(await found?.credentials.apiKey()).toBe("key-1");
  await found?.credentials.storeToken("token-1");
  expect(await found?.credentials.token()).toEqual({ token: "token-1", given: false });
  expect(existsSync(config)).toBe(false);
});

test("the environment labels and shapes its profile", () => {
  const found = resolveProfile({
    env: {
      SUPPLYLINE_BASE_URL: "http://127.0.0.1:8080",
      SUPPLYLINE_GRAPHQL_URL: "http://127.0.0.1:8081/graphql",
      SUPPLYLINE_ENVIRONMENT: "production",
      SUPPLYLINE_BRAND: "acme",
      SUPPLYLINE_AUTH_FORM: "bare",
      SUPPLYLINE_COMPRESSION: "off",
    },
    secrets: noSecrets,
    settings: () => resolving([]).settings,
  });
  expect(found?.profile).toMatchObject({
    graphqlUrl: "http://127.0.0.1:8081/graphql",
    environment: "production",
    brand: "acme",
    authForm: "bare",
    compression: "off",
  });
});

test.each([
  ["SUPPLYLINE_BASE_URL", "https://ada:canary@host.example"],
  ["SUPPLYLINE_GRAPHQL_URL", "http://canary.example"],
  ["SUPPLYLINE_ENVIRONMENT", "canary"],
  ["SUPPLYLINE_BRAND", "canary-"],
  ["SUPPLYLINE_AUTH_FORM", "canary"],
  ["SUPPLYLINE_COMPRESSION", "canary"],
])("a wrong %s is refused by its name", async (variable, value) => {
  const { resolve } = resolving([]);
  const error = await thrownBy(() => resolve({ SUPPLYLINE_BASE_URL: baseUrl, [variable]: value }));
  expect(error).toMatchObject({ kind: "invalid", message: expect.stringContaining(variable) });
  expect(error).toMatchObject({ message: expect.not.stringContaining("canary") });
});

test("secrets of the environment go with a stored profile, never with the sandbox", async () => {
  const { settings } = resolving(["a"]);
  const secrets = createSecrets({ apiKey: "key-1" });
  const find = (flag: string) =>
    resolveProfile({ flag, env: {}, secrets, settings: () => settings });
  expect(await find("a")?.credentials.apiKey()).toBe("key-1");
  expect(await find(sandboxProfile.name)?.credentials.apiKey()).toBeNull();
});
