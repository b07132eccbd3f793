import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { hurriedClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, openService, reply, tokenAnswer } from "../helpers/service.ts";
import { storeWatched } from "../helpers/state.ts";

/** Commands of one user, who keeps their settings from one to the next. */
async function openUser() {
  const folders = await openFolders();
  return {
    folders,
    credentials: join(folders.config, "credentials.json"),
    run: (words: string, input?: string, env: Record<string, string> = {}) =>
      runCommand(words.split(" "), {
        folders,
        env,
        clock: hurriedClock(),
        ...(input === undefined ? {} : { input }),
      }),
  };
}

describe("profiles", () => {
  test("are added, listed, chosen, shown and removed", async () => {
    const user = await openUser();
    const added = await user.run(
      "profiles add live --base-url https://api.example.com --brand acme --auth-form bare --graphql-url https://id.example.com/graphql/ --read-only --credential-helper hand-out",
    );
    expect(added).toMatchObject({ code: 0, stdout: "" });
    expect(added.stderr).toContain("live is added (production, read-only)");
    await user.run("profiles add here --base-url http://127.0.0.1:9");
    expect((await user.run("profiles use live")).code).toBe(0);

    expect(JSON.parse((await user.run("profiles list --json")).stdout)).toEqual([
      {
        name: "live",
        in_use: true,
        environment: "production",
        base_url: "https://api.example.com",
        read_only: true,
      },
      {
        name: "here",
        in_use: false,
        environment: "test",
        base_url: "http://127.0.0.1:9",
        read_only: false,
      },
    ]);
    expect(JSON.parse((await user.run("profiles show --json")).stdout)).toMatchObject({
      name: "live",
      brand: "acme",
      auth_form: "bare",
      graphql_url: "https://id.example.com/graphql/",
      credential_helper: "hand-out",
    });
    expect((await user.run("profiles show here")).stdout).toMatch(/^Environment +test$/m);

    expect((await user.run("profiles remove live")).code).toBe(0);
    expect((await user.run("profiles list")).stdout).not.toContain("live");
  });

  test("are removed with what was kept for them alone, which is said", async () => {
    const user = await openUser();
    await user.run("profiles add live --base-url https://api.example.com");
    const owner = { profile: "live", service: "https://api.example.com" };
    const watch = await storeWatched(user.folders.state, owner, [
      { kind: "account", supplier: "ACME", number: "EXT-1", addedAt: 1, timeline: [] },
    ]);
    await user.run("templates add called --body Called --profile live");
    const { code, stderr } = await user.run("profiles remove live");
    expect(code).toBe(0);
    expect(stderr).toContain("with its saved key and token, a watch list of 1, 1 note template.");
    await user.run("profiles add live --base-url https://api.example.com");
    expect((await user.run("templates list --profile live --json")).stdout).toBe("[]\n");
    expect(watch.read()).toEqual([]);
  });

  test("keep the way to a service behind a proxy with certificates of its own", async () => {
    const user = await openUser();
    const ca = join(user.folders.home, "ca.pem");
    await writeFile(ca, rootCertificates[0] ?? "");
    const added = await user.run(
      `profiles add far --base-url https://api.example.com --proxy http://gate:3128 --ca-file ${ca} --token-path data.obtainToken.token`,
    );
    expect(added.code).toBe(0);
    expect(JSON.parse((await user.run("profiles show far --json")).stdout)).toMatchObject({
      proxy: "http://gate:3128/",
      ca_file: ca,
      token_path: "data.obtainToken.token",
    });
    const words = "profiles add other --base-url https://api.example.com";
    expect((await user.run(`${words} --proxy gate:3128`)).stderr).toMatch(/Proxy must be an http/);
    expect((await user.run(`${words} --ca-file ca.pem`)).stderr).toMatch(/CA file.*absolute/);
  });

  test("a CA file that is missing or holds no certificate is refused when it is named", async () => {
    const user = await openUser();
    const empty = join(user.folders.home, "empty.pem");
    await writeFile(empty, "no certificate");
    const words = "profiles add far --base-url https://api.example.com --ca-file";
    for (const [path, problem] of [
      ["/nonexistent.pem", /CA file \/nonexistent.pem cannot be read \(ENOENT\)/],
      [empty, /contains no readable PEM certificate/],
    ] as const) {
      const { code, stderr } = await user.run(`${words} ${path}`);
      expect(code).toBe(2);
      expect(stderr).toMatch(problem);
    }
    expect((await user.run("profiles list")).stdout).not.toContain("far");
    await user.run("profiles add far --base-url https://api.example.com");
    const edited = await user.run(`profiles edit far --ca-file ${empty}`);
    expect(edited).toMatchObject({ code: 2, stderr: expect.stringContaining("PEM certificate") });
  });

  test("a password in --proxy is refused without repeating it, and the ways to give one are named", async () => {
    const user = await openUser();
    await user.run("profiles add far --base-url https://api.example.com");
    for (const words of ["add other --base-url https://api.example.com", "edit far"]) {
      const { code, stderr } = await user.run(`profiles ${words} --proxy http://ada:canary@gate:1`);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /must not contain a password.*--proxy-credential-helper CMD.*-env NAME/,
      );
      expect(stderr).not.toContain("canary");
    }
    expect(await readFile(join(user.folders.config, "profiles.json"), "utf8")).not.toContain(
      "gate",
    );
  });

  test("a password in the proxy of profiles.json is refused when it would be used", async () => {
    const user = await openUser();
    await user.run("profiles add far --base-url https://api.example.com --proxy http://gate:1");
    const file = join(user.folders.config, "profiles.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("http://gate:1", "http://ada:canary@gate:1"));
    const env = { SUPPLYLINE_TOKEN: "token-1" };
    const refused = await user.run("accounts status ACME EXT-1", undefined, env);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("must not contain") });
    expect(refused.stderr).not.toContain("canary");
    expect((await user.run("profiles edit far --proxy http://gate:1")).code).toBe(0);
  });

  test("an explicit proxy for a base URL on this machine: it is said that it is not used", async () => {
    const user = await openUser();
    const { stderr } = await user.run(
      "profiles add here --base-url http://127.0.0.2:9 --proxy http://gate:1",
    );
    expect(stderr).toContain("The proxy is not used: the base URL is on this machine");
    expect((await user.run("profiles show here")).stdout).toContain("(not used on loopback)");
  });

  test("edit changes the settings that are given, and an empty value goes back to the default", async () => {
    const user = await openUser();
    await user.run(
      "profiles add far --base-url https://api.example.com --brand acme --supplier ACME --supplier B-2",
    );
    const shown = async () => JSON.parse((await user.run("profiles show far --json")).stdout);
    expect(await shown()).toMatchObject({ suppliers: ["ACME", "B-2"], read_only: false });
    const edited = await user.run(
      "profiles edit far --proxy http://gate:3128 --environment test --compression off --read-only",
    );
    expect(edited).toMatchObject({ code: 0, stdout: "" });
    expect(edited.stderr).toContain("far is changed: proxy, environment, compression, read-only.");
    expect(await shown()).toMatchObject({
      base_url: "https://api.example.com",
      proxy: "http://gate:3128/",
      environment: "test",
      brand: "acme",
      compression: "off",
      read_only: true,
      suppliers: ["ACME", "B-2"],
    });
    const reset = await user.run(
      "profiles edit far --proxy= --brand= --environment= --compression= --writable --supplier C",
    );
    expect(reset.stderr).toContain("no longer read-only");
    expect(await shown()).toMatchObject({
      proxy: null,
      brand: "service",
      compression: "auto",
      environment: "production",
      read_only: false,
      suppliers: ["C"],
    });
    for (const [words, problem] of [
      ["profiles edit far", /at least one setting/],
      ["profiles edit far --base-url=", /must not be empty/],
      ["profiles edit nope --brand x", /no profile named "nope"/],
      ["profiles edit far --read-only --writable", /contradict/],
    ] as const) {
      const { code, stderr } = await user.run(words);
      expect(code).toBe(2);
      expect(stderr).toMatch(problem);
    }
    const again = await user.run("profiles add far --base-url https://api.example.com");
    expect(again.stderr).toContain("supplyline profiles edit far");
  });

  test("suppliers are added to a profile and removed from it by command", async () => {
    const user = await openUser();
    const added = await user.run("profiles add far --base-url https://api.example.com");
    expect(added.stderr).toContain("supplyline suppliers add CODE --profile far");
    const first = await user.run("suppliers add ACME PAUSED");
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(first.stderr).toContain("ACME, PAUSED are added to far.");
    const second = await user.run("suppliers add ACME DONE --profile far");
    expect(second.stderr).toMatch(/DONE is added to far\.\n.*ACME is already listed in far\./);
    expect((await user.run("suppliers remove PAUSED")).stderr).toContain("PAUSED is removed");
    const missing = await user.run("suppliers remove ACME NOPE");
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("ACME, DONE") });
    expect(JSON.parse((await user.run("profiles show --json")).stdout).suppliers).toEqual([
      "ACME",
      "DONE",
    ]);
    expect((await user.run("suppliers add X --sandbox")).code).toBe(2);
    expect((await user.run("suppliers add ..")).code).toBe(2);
  });

  test("one that does not exist: 2, with those that do", async () => {
    const user = await openUser();
    await user.run("profiles add here --base-url http://127.0.0.1:9");
    for (const words of ["profiles use nope", "profiles show nope", "--profile nope whoami"]) {
      const { code, stderr } = await user.run(words);
      expect(code).toBe(2);
      expect(stderr).toMatch(/no profile named "nope"; known: here, sandbox/);
    }
    const { code } = await user.run("profiles list", undefined, { SUPPLYLINE_PROFILE: "nope" });
    expect(code).toBe(0);
  });

  test.each([
    ["profiles add x", /--base-url <url>.*not specified/],
    ["profiles add x --base-url http://example.com", /must start with https/],
    ["profiles add x --base-url https://u:pw@example.com", /user name or password/],
    ["profiles add a/b --base-url https://example.com", /Name may have letters/],
    [
      "profiles add x --base-url https://e.com --environment staging",
      /sandbox, test or production/,
    ],
    ["profiles add x --base-url https://e.com --auth-form basic", /auto, token or bare/],
  ])("%s: 2", async (words, expected) => {
    const user = await openUser();
    const { code, stderr } = await user.run(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain("pw");
  });
});

describe("login", () => {
  test("keeps the token alone, says where first, and later commands use it", async () => {
    const user = await openUser();
    const sandbox = await openSandbox();
    await user.run(`profiles add here --base-url ${sandbox.baseUrl}`);
    const { code, stdout, stderr } = await user.run("login --api-key-stdin", `${sandbox.apiKey}\n`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`Saving the token in ${user.credentials}`);
    expect(stderr).toMatch(
      /Sign in again by \d{4}-\d\d-\d\d \d\d:\d\d \(UTC[^)]*\).*--save-key.*--credential-helper/,
    );
    expect((await stat(user.credentials)).mode & 0o777).toBe(0o600);
    expect(await readFile(user.credentials, "utf8")).not.toContain(sandbox.apiKey);

    expect((await user.run("accounts status ACME EXT-0000001")).code).toBe(0);
    const who = JSON.parse((await user.run("whoami --json")).stdout);
    expect(who).toMatchObject({
      profile: "here",
      base_url: sandbox.baseUrl,
      environment: "test",
      credential_source: "cached-token",
      key_saved: false,
      token_cached: true,
      token_expires_at: expect.stringMatching(/^\d{4}-/),
      authorization_form: "token",
    });

    expect((await user.run("logout")).stderr).toContain("token of here is wiped");
    expect(JSON.parse((await user.run("whoami --json")).stdout)).toMatchObject({
      credential_source: "none",
      token_cached: false,
      token_expires_at: null,
    });
    expect((await user.run("accounts status ACME EXT-0000001")).code).toBe(3);
  });

  test("with a clock that is ahead no life of the token is claimed", async () => {
    const user = await openUser();
    const ended = `x.${Buffer.from('{"exp": 1600000000}').toString("base64url")}.y`;
    const service = await openService(
      (_request, response) => reply(response, 200, tokenAnswer(ended)),
      { ownTokens: true },
    );
    await user.run(`profiles add here --base-url ${service.baseUrl}`);
    const { code, stderr } = await user.run("login --api-key-stdin", "key-1\n");
    expect(code).toBe(0);
    expect(stderr).not.toContain("0 ms");
    expect(stderr).toContain("check the clock");
  });

  test("--save-key keeps the key as well", async () => {
    const user = await openUser();
    const sandbox = await openSandbox();
    await user.run(`profiles add here --base-url ${sandbox.baseUrl}`);
    const { stderr } = await user.run("login --api-key-stdin --save-key", sandbox.apiKey);
    expect(stderr).toContain("Saving the key and the token in");
    expect(stderr).not.toContain(sandbox.apiKey);
    expect(JSON.parse((await user.run("whoami --json")).stdout)).toMatchObject({
      credential_source: "saved-key",
      key_saved: true,
    });
    expect(JSON.stringify(await user.run("profiles show --json"))).not.toContain(sandbox.apiKey);
    expect((await user.run("logout")).stderr).toContain("key and token of here are wiped");
  });

  test("a key that is refused: 3, and nothing is saved", async () => {
    const user = await openUser();
    const sandbox = await openSandbox();
    await user.run(`profiles add here --base-url ${sandbox.baseUrl}`);
    const { code, stderr } = await user.run("login --api-key-stdin --save-key", "wrong-key-99\n");
    expect(code).toBe(3);
    expect(stderr).not.toContain("wrong-key-99");
    expect(JSON.parse((await user.run("whoami --json")).stdout).key_saved).toBe(false);
  });

  test.each([
    ["login", "", /needs the API key.*--api-key-stdin/],
    ["login --api-key-stdin", "", /Standard input has no API key/],
    ["login --api-key-stdin", "two words\n", /API key contains a space/],
    ["login --api-key-stdin --sandbox", "k\n", /no login is needed/],
    ["login --api-key k", "", /on the command line can be read by others/],
  ])("%s with %j: 2", async (words, input, expected) => {
    const user = await openUser();
    await user.run("profiles add here --base-url http://127.0.0.1:9");
    const { code, stderr } = await user.run(words, input);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
  });

  test("a profile from the environment keeps nothing", async () => {
    const user = await openUser();
    const sandbox = await openSandbox();
    const env = { SUPPLYLINE_BASE_URL: sandbox.baseUrl };
    const { code, stderr } = await user.run("login --api-key-stdin", sandbox.apiKey, env);
    expect(code).toBe(0);
    expect(stderr).toContain("Nothing is saved");
    await expect(stat(user.folders.config)).rejects.toThrow("ENOENT");
    expect((await user.run("login --api-key-stdin --save-key", "k", env)).code).toBe(2);
  });
});

test("whoami names the environment without showing its secret", async () => {
  const env = {
    SUPPLYLINE_BASE_URL: "https://api.example.com",
    SUPPLYLINE_TOKEN: "very-secret-token",
    SUPPLYLINE_AUTH_FORM: "bare",
  };
  const { stdout, stderr } = await runCommand(["whoami", "--json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({
    environment: "production",
    base_url: "https://api.example.com",
    credential_source: "environment-token",
    authorization_form: "bare",
  });
  expect(stdout + stderr).not.toContain("very-secret-token");
});
