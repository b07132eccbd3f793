import {
  checkBaseUrl,
  checkProfileName,
  checkSupplierCode,
} from "../../src/settings/profile-checks.ts";
import { profileFrom } from "../../src/settings/schemas.ts";

describe("a base URL", () => {
  test.each([
    "https://host.example",
    "https://host.example:8443/import/api/",
    "http://localhost:8080",
    "http://127.0.0.1:1",
    "http://127.8.9.10",
    "http://[::1]:4000/",
  ])("%s is accepted", (url) => {
    expect(checkBaseUrl(url)).toBeNull();
  });

  test.each([
    ["", /empty/],
    ["host.example", /not a URL/],
    ["http://host.example", /https/],
    ["http://10.0.0.1", /https/],
    ["http://localhost.evil.example", /https/],
    ["http://127.0.0.1.evil.example", /https/],
    ["http://[::2]", /https/],
    ["ftp://host.example", /https/],
    ["file:///etc/passwd", /https/],
    ["https://ada:canary@host.example", /user name/],
    ["https://ada@host.example", /user name/],
    ["https://@host.example", /user name/],
    ["https://host.example?", /query/],
    ["https://host.example/?key=canary", /query/],
    ["https://host.example/#", /fragment/],
    ["https://host.example\n.evil.example", /control/],
    ["https://host.example/a b", /spaces/],
    [" https://host.example", /spaces/],
  ])("%j is refused, in words that do not quote it", (url, words) => {
    const problem = checkBaseUrl(url);
    expect(problem).toMatch(words);
    expect(problem).not.toContain("canary");
  });

  test("an @ in the path is no user name", () => {
    expect(checkBaseUrl("https://host.example/teams/@energy")).toBeNull();
  });
});

test.each(["prod", "acme-test.2", "A_b", "constructor"])("%s can name a profile", (name) => {
  expect(checkProfileName(name)).toBeNull();
});

test.each(["", "__proto__", "-x", "a b", "a/b", "..", "é", "x".repeat(65), "a\u001b[31m"])(
  "%j cannot name a profile",
  (name) => {
    expect(checkProfileName(name)).not.toBeNull();
  },
);

test.each(["", ".", "..", " A", "A\u0000", "x".repeat(201)])("%j is no supplier code", (code) => {
  expect(checkSupplierCode(code)).not.toBeNull();
});

describe("a new profile", () => {
  test("is production anywhere but on loopback, where it is test", () => {
    const environment = (baseUrl: string) => profileFrom({ name: "p", baseUrl }).environment;
    expect(environment("https://host.example")).toBe("production");
    expect(environment("https://localhost.host.example")).toBe("production");
    expect(environment("http://localhost:1")).toBe("test");
    expect(environment("https://[::1]:1")).toBe("test");
  });

  test("has the documented defaults and nothing that was not asked for", () => {
    expect(
      profileFrom({ name: "p", baseUrl: "https://host.example", graphqlUrl: undefined }),
    ).toEqual({
      name: "p",
      baseUrl: "https://host.example",
      environment: "production",
      readOnly: false,
      authForm: "auto",
      brand: "service",
      suppliers: [],
    });
  });

  test.each([
    [{ name: "a b" }, /^name /],
    [{ baseUrl: null }, /^base URL /],
    [{ environment: "live" }, /^environment /],
    [{ authForm: "Bearer" }, /^Authorization form /],
    [{ brand: "a-b" }, /^brand /],
    [{ compression: "zip" }, /^compression /],
    [{ graphqlUrl: "http://host.example/graphql" }, /^GraphQL URL /],
    [{ proxy: "socks5://host.example" }, /^proxy /],
    [{ caFile: "ca.pem" }, /^CA file /],
    [{ tokenPath: "a..b" }, /^token path /],
    [{ mutation: " " }, /^mutation /],
    [{ credentialHelper: "" }, /^credential helper /],
    [{ suppliers: ["ACME", ".."] }, /^supplier code /],
  ])("with %j is refused by the name of the field", (wrong, words) => {
    const input = { name: "p", baseUrl: "https://host.example", ...wrong };
    expect(() => profileFrom(input)).toThrow(
      expect.objectContaining({ kind: "invalid", message: expect.stringMatching(words) }),
    );
  });
});
