import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { memoryCredentials } from "../../src/settings/credentials.ts";
import { sandboxProfile } from "../../src/settings/sandbox-profile.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { noSecrets } from "../../src/settings/secrets.ts";
import { serviceOptions } from "../../src/settings/service-options.ts";
import { freshFolder } from "./settings-folder.ts";

const credentials = memoryCredentials(noSecrets);
const prod = profileFrom({ name: "prod", baseUrl: "https://host.example" });
const [one = "", two = ""] = rootCertificates;

test("a plain profile asks for nothing beside its defaults", () => {
  expect(serviceOptions({ profile: prod }, {}, credentials, null)).toEqual({
    baseUrl: "https://host.example",
    authForm: "auto",
    brand: "service",
    acceptsGzip: true,
    credentials,
  });
});

test("reads ask for gzip, except from the embedded sandbox, or as the profile says", () => {
  const asks = (profile: typeof prod) =>
    serviceOptions({ profile, baseUrl: "http://127.0.0.1:4000" }, {}, credentials, null)
      .acceptsGzip;
  const modes = ["auto", "on", "off"] as const;
  expect(modes.map((compression) => asks({ ...prod, compression }))).toEqual([true, true, false]);
  expect(modes.map((compression) => asks({ ...sandboxProfile, compression }))).toEqual([
    false,
    true,
    false,
  ]);
  expect(asks(sandboxProfile)).toBe(false);
});

test("everything a profile says is passed on", () => {
  const said = {
    graphqlUrl: "https://auth.example/graphql",
    mutation: "mutation M { a }",
    tokenPath: "a.b",
    proxy: "http://proxy.example:3128",
  };
  const profile = { ...prod, ...said, authForm: "bare" as const, brand: "acme" };
  expect(serviceOptions({ profile }, {}, credentials, "bare")).toEqual({
    baseUrl: "https://host.example",
    ...said,
    authForm: "bare",
    knownForm: "bare",
    brand: "acme",
    acceptsGzip: true,
    credentials,
  });
});

test("the sandbox has an address once it runs and none before", () => {
  const options = { profile: sandboxProfile, baseUrl: "http://127.0.0.1:4000" };
  expect(serviceOptions(options, { HTTP_PROXY: "http://p:1" }, credentials, null)).toMatchObject({
    baseUrl: "http://127.0.0.1:4000",
  });
  expect(() => serviceOptions({ profile: sandboxProfile }, {}, credentials, null)).toThrow(
    expect.objectContaining({ kind: "invalid" }),
  );
});

describe("extra certificates", () => {
  const caOf = (profile: typeof prod, env: Record<string, string>) =>
    serviceOptions({ profile }, env, credentials, null).ca;

  test("come from the profile's file and from NODE_EXTRA_CA_CERTS", () => {
    const { root } = freshFolder();
    const [own, extra] = [join(root, "own.pem"), join(root, "extra.pem")];
    writeFileSync(own, `a comment\n${one}\n`);
    writeFileSync(extra, two);
    expect(caOf({ ...prod, caFile: own }, { NODE_EXTRA_CA_CERTS: extra })).toBe(`${one}\n${two}`);
    expect(caOf(prod, { NODE_EXTRA_CA_CERTS: extra })).toBe(two);
  });

  test.each([
    ["that is missing", null, /cannot be read \(ENOENT\)/],
    ["that holds none", "hello", /no readable PEM certificate/],
    [
      "that holds a broken one",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
      /no readable PEM certificate/,
    ],
  ])("in a file of the profile %s are reported", (_, content, words) => {
    const { root } = freshFolder();
    const caFile = join(root, "ca.pem");
    if (content !== null) writeFileSync(caFile, content);
    expect(() => caOf({ ...prod, caFile }, {})).toThrow(
      expect.objectContaining({ kind: "invalid", message: expect.stringMatching(words) }),
    );
  });

  test("in a missing NODE_EXTRA_CA_CERTS are passed over, as Node does", () => {
    expect(caOf(prod, { NODE_EXTRA_CA_CERTS: "/no/such/file.pem" })).toBeUndefined();
  });

  test("of NODE_EXTRA_CA_CERTS are Node's own defaults, too", () => {
    const { root } = freshFolder();
    const extra = join(root, "extra.pem");
    const bare = execFileSync(process.execPath, ["-e", countDefaults], {
      encoding: "utf8",
      env: {},
    });
    writeFileSync(extra, one);
    const more = execFileSync(process.execPath, ["-e", countDefaults], {
      encoding: "utf8",
      env: { NODE_EXTRA_CA_CERTS: extra },
    });
    expect(Number(more)).toBe(Number(bare) + 1);
  });
});

const countDefaults = "console.log(require('node:tls').getCACertificates('default').length)";
