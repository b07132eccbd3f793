import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expiryOf } from "../../src/api/jwt.ts";
import { type Profile, profileFrom } from "../../src/settings/schemas.ts";
import { createSecrets, noSecrets, readSecrets } from "../../src/settings/secrets.ts";
import { openSettings, sandboxProfile } from "../../src/settings/settings.ts";
import { freshFolder, helperCommand } from "./settings-folder.ts";

const noon = Date.UTC(2030, 0, 31, 12);
const prod = profileFrom({ name: "prod", baseUrl: "https://host.example" });

function jwt(claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part(claims)}.c2ln`;
}

/** Settings holding one profile, with a clock that can be set. */
function withProfile(extra: Partial<Profile> = {}) {
  const { root, config } = freshFolder();
  const clock = { now: noon };
  const settings = openSettings({ configDir: config, now: () => clock.now });
  const profile = { ...prod, ...extra };
  settings.add(profile);
  const everything = () =>
    readdirSync(config)
      .map((name) => readFileSync(join(config, name), "utf8"))
      .join("\n");
  const again = () => openSettings({ configDir: config, now: () => clock.now });
  return { root, config, clock, settings, profile, everything, again };
}

/** A helper that hands over what `handed` says with `#` for how often it was run. */
function countingHelper(handed: string) {
  const { root } = freshFolder();
  const count = join(root, "count");
  writeFileSync(count, "");
  const command = helperCommand(
    root,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(count)}, "x");
     const runs = readFileSync(${JSON.stringify(count)}, "utf8").length;
     process.stdout.write(${JSON.stringify(handed)}.replaceAll("#", runs));`,
  );
  return { command, runs: () => readFileSync(count, "utf8").length };
}

describe("a saved key", () => {
  test("is a secret at hand, with its token, and damage to its file throws nothing", async () => {
    const { config, settings } = withProfile();
    const given = createSecrets({ apiKey: "given-key", token: "given-token" });
    expect(settings.credentials(prod, given).secrets()).toEqual(["given-key", "given-token"]);
    settings.saveApiKey("prod", "canary-key");
    settings.saveToken("prod", "canary-token");
    const credentials = settings.credentials(prod, noSecrets);
    expect(credentials.secrets()).toEqual(["canary-key", "canary-token"]);
    writeFileSync(join(config, "credentials.json"), "not json", { mode: 0o600 });
    expect(credentials.secrets()).toEqual([]);
  });

  test("is used, and is really gone from the disk once forgotten", async () => {
    const { settings, everything, again } = withProfile();
    settings.saveApiKey("prod", "canary-key");
    expect(await again().credentials(prod, noSecrets).apiKey()).toBe("canary-key");
    settings.forget("prod");
    expect(await settings.credentials(prod, noSecrets).apiKey()).toBeNull();
    expect(everything()).not.toContain("canary");
  });

  test("goes with its profile, also from what a killed process left behind", async () => {
    const { config, settings, everything } = withProfile();
    settings.saveApiKey("prod", "canary-key");
    const name = join(config, "credentials.json.tmp-1234567890abcdef");
    writeFileSync(name, readFileSync(join(config, "credentials.json")), { mode: 0o600 });
    settings.remove("prod");
    expect(everything()).not.toContain("canary");
    settings.add(prod);
    expect(await settings.credentials(prod, noSecrets).apiKey()).toBeNull();
  });

  test("replaced by another takes the token of the old one with it", async () => {
    const { settings } = withProfile();
    settings.saveApiKey("prod", "key-1");
    const credentials = settings.credentials(prod, noSecrets);
    await credentials.storeToken("token-of-key-1");
    settings.saveApiKey("prod", "key-2");
    expect(await credentials.token()).toBeNull();
    expect(await credentials.apiKey()).toBe("key-2");
  });

  test("and its token are never sent to another address", async () => {
    const { settings, profile, again } = withProfile();
    settings.saveApiKey("prod", "key-1");
    settings.saveToken("prod", "token-1");
    const moved = settings.update("prod", { baseUrl: "https://other.example" });
    for (const source of [
      settings.credentials(moved, noSecrets),
      again().credentials(moved, noSecrets),
      settings.credentials(profile, noSecrets),
    ])
      expect([await source.apiKey(), await source.token()]).toEqual([null, null]);
    settings.update("prod", { baseUrl: profile.baseUrl, graphqlUrl: "https://evil.example/" });
    const elsewhere = settings.find("prod");
    expect(elsewhere && (await settings.credentials(elsewhere, noSecrets).apiKey())).toBeNull();
  });

  test.each(["", "canary canary", "canary\n", "Token canary"])("%j is refused", (key) => {
    const { settings, everything } = withProfile();
    const refusal = expect.objectContaining({
      kind: "invalid",
      message: expect.not.stringContaining("canary"),
    });
    expect(() => settings.saveApiKey("prod", key)).toThrow(refusal);
    expect(() => settings.saveToken("prod", key)).toThrow(refusal);
    expect(everything()).not.toContain("canary");
  });
});

describe("a token", () => {
  test("is kept over a restart until it ends by its own word", async () => {
    const { settings, clock, again } = withProfile();
    const token = jwt({ exp: noon / 1000 + 60 });
    await settings.credentials(prod, noSecrets).storeToken(token);
    expect(await again().credentials(prod, noSecrets).token()).toEqual({ token, given: false });
    clock.now = noon + 59_000;
    expect(await again().credentials(prod, noSecrets).token()).toBeNull();
  });

  test("that the service refused is forgotten, but not the new one of another process", async () => {
    const { settings, again } = withProfile();
    const [one, other] = [
      settings.credentials(prod, noSecrets),
      again().credentials(prod, noSecrets),
    ];
    await one.storeToken("token-1");
    expect(await other.token()).toEqual({ token: "token-1", given: false });
    await one.storeToken(null);
    expect(await one.token()).toBeNull();
    await one.storeToken("token-2");
    await other.storeToken(null);
    expect(await other.token()).toEqual({ token: "token-2", given: false });
  });

  test("survives in memory when its file cannot be written", async () => {
    const { settings, config } = withProfile();
    const credentials = settings.credentials(prod, noSecrets);
    writeFileSync(join(config, "credentials.json"), "not json", { mode: 0o600 });
    await expect(credentials.storeToken("token-1")).resolves.toBeUndefined();
    await expect(credentials.storeForm("bare")).resolves.toBeUndefined();
    writeFileSync(join(config, "credentials.json"), "{}", { mode: 0o600 });
    expect(await credentials.token()).toEqual({ token: "token-1", given: false });
  });
});

describe("secrets of the environment", () => {
  test("stand alone, and nothing of theirs is written", async () => {
    const { settings, everything } = withProfile();
    const credentials = settings.credentials(prod, createSecrets({ apiKey: "canary-key" }));
    expect([await credentials.apiKey(), await credentials.token()]).toEqual(["canary-key", null]);
    await credentials.storeToken("canary-token");
    expect(await credentials.token()).toEqual({ token: "canary-token", given: false });
    expect(everything()).not.toContain("canary");
  });

  test("a token that was refused is not offered again; the key given with it is", async () => {
    const { settings } = withProfile();
    const credentials = settings.credentials(prod, createSecrets({ token: "tok", apiKey: "key" }));
    expect(await credentials.token()).toEqual({ token: "tok", given: true });
    await credentials.storeToken(null);
    expect([await credentials.token(), await credentials.apiKey()]).toEqual([null, "key"]);
    expect(await settings.credentials(prod, createSecrets({ token: "tok" })).apiKey()).toBeNull();
  });

  test("count where the only saved token has ended", async () => {
    const { settings, clock } = withProfile();
    settings.saveToken("prod", jwt({ exp: noon / 1000 + 60 }));
    const key = () => settings.credentials(prod, createSecrets({ apiKey: "key" })).apiKey();
    expect(await key()).toBeNull();
    clock.now = noon + 60_000;
    expect(await key()).toBe("key");
  });

  test("given for another address do not reach one that is typed into a form and not stored", async () => {
    const { settings } = withProfile();
    const given = (more = {}) =>
      readSecrets({ SUPPLYLINE_API_KEY: "key", SUPPLYLINE_TOKEN: "tok", ...more });
    const typed = profileFrom({ name: "typed", baseUrl: "https://typed.example" });
    const bound = given({ SUPPLYLINE_BASE_URL: "https://ad-hoc.example" });
    const first = given();
    first.bindTo(prod);
    for (const secrets of [bound, first]) {
      const credentials = settings.credentials(typed, secrets);
      expect([await credentials.apiKey(), await credentials.token()]).toEqual([null, null]);
      expect(settings.credentialFacts(typed, secrets).source).toBe("none");
    }
    expect(await settings.credentials(prod, first).apiKey()).toBe("key");
    expect(await settings.credentials(typed, given()).apiKey()).toBe("key");
  });

  test("do not hinder remembering which Authorization form worked", async () => {
    const { settings } = withProfile();
    expect(settings.knownForm("prod")).toBeNull();
    await settings.credentials(prod, createSecrets({ apiKey: "key" })).storeForm("bare");
    expect(settings.knownForm("prod")).toBe("bare");
    settings.forget("prod");
    expect(settings.knownForm("prod")).toBeNull();
  });
});

describe("a profile that is not stored", () => {
  test("keeps nothing on disk", async () => {
    const { settings, everything } = withProfile();
    const other = profileFrom({ name: "other", baseUrl: "https://other.example" });
    for (const profile of [other, sandboxProfile, { ...prod, baseUrl: "https://evil.example" }]) {
      const credentials = settings.credentials(profile, noSecrets);
      await credentials.storeToken("canary-token");
      await credentials.storeForm("token");
      expect(await credentials.token()).toEqual({ token: "canary-token", given: false });
    }
    expect(everything()).not.toContain("canary");
  });

  test("the sandbox is not given the secrets of a real service", async () => {
    const { settings } = withProfile();
    const secrets = createSecrets({ apiKey: "key", token: "tok" });
    const credentials = settings.credentials(sandboxProfile, secrets);
    expect([await credentials.apiKey(), await credentials.token()]).toEqual([null, null]);
  });
});

describe("a profile with a credential helper", () => {
  test("gets its key from it before the saved one, and runs it once", async () => {
    const { command, runs } = countingHelper('{"ApiKey": "key-#"}');
    const { settings, profile, everything } = withProfile({ credentialHelper: command });
    settings.saveApiKey("prod", "saved-key");
    const credentials = settings.credentials(profile, noSecrets);
    const keys = await Promise.all([credentials.apiKey(), credentials.apiKey()]);
    expect([...keys, await credentials.apiKey()]).toEqual(["key-1", "key-1", "key-1"]);
    expect(runs()).toBe(1);
    expect(everything()).not.toContain("key-1");
    expect(credentials.secrets()).toEqual(["key-1", "saved-key"]);
  });

  test("does not run it while a token obtained with its key lasts", async () => {
    const { command, runs } = countingHelper('{"ApiKey": "key-#"}');
    const { settings, profile, again } = withProfile({ credentialHelper: command });
    const credentials = settings.credentials(profile, noSecrets);
    expect(await credentials.token()).toBeNull();
    await credentials.storeToken("token-1");
    expect(await again().credentials(profile, noSecrets).token()).toEqual({
      token: "token-1",
      given: false,
    });
    expect(runs()).toBe(1);
  });

  test("holds its token in memory until it ends, then asks again", async () => {
    const { command } = countingHelper('{"Token": "tok-#", "Expiration": "2030-01-31T12:01:00Z"}');
    const { settings, profile, clock, everything } = withProfile({ credentialHelper: command });
    const credentials = settings.credentials(profile, noSecrets);
    expect(await credentials.token()).toEqual({ token: "tok-1", given: true });
    expect(await credentials.token()).toEqual({ token: "tok-1", given: true });
    clock.now = noon + 60_000;
    expect(await credentials.token()).toEqual({ token: "tok-2", given: true });
    expect(everything()).not.toContain("tok-");
  });

  test("asks again after its token was refused, and never offers that one twice", async () => {
    const fresh = countingHelper('{"Token": "tok-#"}');
    const one = withProfile({ credentialHelper: fresh.command });
    const credentials = one.settings.credentials(one.profile, noSecrets);
    await credentials.token();
    await credentials.storeToken(null);
    expect(await credentials.token()).toEqual({ token: "tok-2", given: true });

    const stubborn = countingHelper('{"Token": "same"}');
    const other = withProfile({ credentialHelper: stubborn.command });
    const same = other.settings.credentials(other.profile, noSecrets);
    await same.token();
    await same.storeToken(null);
    expect(await same.token()).toBeNull();
  });

  test("changed for another helper drops the token of the first", async () => {
    const { settings } = withProfile({ credentialHelper: "one" });
    settings.saveToken("prod", "token-1");
    const changed = settings.update("prod", { credentialHelper: undefined });
    expect(changed).not.toHaveProperty("credentialHelper");
    expect(await settings.credentials(changed, noSecrets).token()).toBeNull();
  });

  test("one caller giving up does not fail the other", async () => {
    const { command, runs } = countingHelper('{"ApiKey": "key-#"}');
    const { settings, profile } = withProfile({ credentialHelper: command });
    const credentials = settings.credentials(profile, noSecrets);
    const stop = new AbortController();
    const [hasty, patient] = [credentials.apiKey(stop.signal), credentials.apiKey()];
    stop.abort(new Error("gone"));
    await expect(hasty).rejects.toThrow("gone");
    expect(await patient).toBe("key-1");
    expect(runs()).toBe(1);
  });
});

describe("what is said about credentials", () => {
  test("names the place where a secret would be saved, before its profile is, and that there is none yet", () => {
    const { settings, config } = withProfile();
    const place = (profile: Profile) => settings.credentialFacts(profile, noSecrets).storedIn;
    const other = profileFrom({ name: "other", baseUrl: "https://other.example" });
    expect(place(other)).toBe(join(config, "credentials.json"));
    expect(place(sandboxProfile)).toBeNull();
    settings.addInMemory(other);
    expect(place(other)).toBeNull();
  });

  test("names the source in the order of use, and where they are kept", () => {
    const { settings, config, profile } = withProfile();
    const source = (secrets = noSecrets, of: Profile = profile) =>
      settings.credentialFacts(of, secrets).source;
    const given = createSecrets({ apiKey: "key", token: "t" });
    expect(source()).toBe("none");
    expect(source(createSecrets({ apiKey: "key" }))).toBe("environment-key");
    expect(source(given)).toBe("environment-token");
    settings.saveToken("prod", "token-1");
    expect(source(given)).toBe("cached-token");
    settings.saveApiKey("prod", "key-1");
    expect(source(given)).toBe("saved-key");
    const helped = settings.update("prod", { credentialHelper: "op" });
    expect(source(given, helped)).toBe("helper");
    expect(settings.credentialFacts(helped, noSecrets)).toEqual({
      source: "helper",
      storedIn: join(config, "credentials.json"),
      keySaved: true,
      tokenCached: false,
      tokenExpiresAt: null,
      form: null,
    });
  });

  test("reports when the cached token ends", () => {
    const { settings } = withProfile();
    settings.saveToken("prod", jwt({ exp: noon / 1000 }));
    expect(settings.credentialFacts(prod, noSecrets)).toMatchObject({
      tokenCached: true,
      tokenExpiresAt: noon,
    });
  });

  test("and everything handed out holds no secret to print", async () => {
    const { settings } = withProfile();
    settings.saveApiKey("prod", "canary-key");
    settings.saveToken("prod", "canary-token");
    const given = settings.credentials(prod, createSecrets({ apiKey: "canary", token: "canary" }));
    const kept = settings.credentials(prod, noSecrets);
    await kept.token();
    const shown = [settings, given, kept, settings.credentialFacts(prod, noSecrets)];
    expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain("canary");
    expect(JSON.stringify(shown)).not.toContain("canary");
  });
});

test.each([
  ["opaque", null],
  ["a.b.c", null],
  ["a..c", null],
  [`${jwt({ exp: 1 })}.more`, null],
  [jwt({}), null],
  [jwt({ exp: "1893499200" }), null],
  [jwt({ exp: 1e300 }), null],
  [jwt([1]), null],
  [jwt(null), null],
  [jwt({ exp: 1_893_499_200 }), 1_893_499_200_000],
])("the end of the token %s is %s", (token, end) => {
  expect(expiryOf(token)).toBe(end);
});
