import { readAccountList } from "../../src/accounts/ingest/read-list.ts";
import { apiUrl, isSameService, normalizeBaseUrl, serviceKey } from "../../src/api/url.ts";
import * as fc from "../helpers/fast-check.ts";
import { completed, openService, reply } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

const refused = expect.objectContaining({ kind: "invalid-request" });

describe("the key of a service", () => {
  test.each([
    "http://localhost:8080",
    "http://LOCALHOST:8080/",
    "http://127.0.0.1:8080",
    "http://127.1:8080",
    "http://127.0.0.2:8080",
    "http://[::1]:8080",
    "http://[::ffff:127.0.0.1]:8080",
    "http://[::ffff:7f00:2]:8080",
    "http://localhost.:8080//",
    "http://service.localhost:8080",
    "http://localhost.localdomain:8080",
    "http://ip6-localhost:8080",
    "http://0.0.0.0:8080",
    "http://[::]:8080",
  ])("%s is the service at port 8080 of this machine", (baseUrl) => {
    expect(serviceKey(baseUrl)).toBe("http://localhost:8080");
  });

  test.each([
    ["https://API.example.com:443/import/", "https://api.example.com/import"],
    ["http://localhost:8081", "http://localhost:8081"],
    ["http://localhost:8080/test", "http://localhost:8080/test"],
    ["https://localhost:8080", "https://localhost:8080"],
    ["https://localhost.example.com", "https://localhost.example.com"],
    ["https://api.example.com/a%2fb", "https://api.example.com/a%2Fb"],
    ["https://192.0.2.1", "https://192.0.2.1"],
  ])("%s is another service", (baseUrl, key) => {
    expect(serviceKey(baseUrl)).toBe(key);
  });

  test("is the same for every spelling of an address, and is its own key", () => {
    const spelled = fc.record({
      host: fc.constantFrom("api.example.com", "API.example.com.", "api.example.com."),
      port: fc.constantFrom("", ":443"),
      path: fc.constantFrom("/api", "//api", "/%61pi/", "/api//", "/x/../api", "/./%61%70%69"),
    });
    fc.assert(
      fc.property(spelled, ({ host, port, path }) => {
        const key = serviceKey(`https://${host}${port}${path}`);
        expect(key).toBe("https://api.example.com/api");
        expect(serviceKey(key)).toBe(key);
      }),
    );
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(serviceKey(serviceKey(url))).toBe(serviceKey(url));
      }),
    );
  });
});

describe("two addresses are certainly the same service", () => {
  const first = "http://localhost:8080/api";
  test.each([
    "http://LOCALHOST:8080/api/",
    "http://localhost.:8080/%61pi",
    "http://127.0.0.1:8080/api",
    "http://[::1]:8080/api",
    "http://[::ffff:127.0.0.1]:8080/api",
  ])("if only the spelling differs: %s", (baseUrl) => {
    expect(isSameService(first, baseUrl)).toBe(true);
  });

  test.each([
    "http://127.0.0.2:8080/api",
    "http://[::ffff:127.0.0.2]:8080/api",
    "http://0.0.0.0:8080/api",
    "http://service.localhost:8080/api",
    "http://localhost:8080//api",
  ])("but not for %s, which only the guard treats as the same", (baseUrl) => {
    expect(isSameService(first, baseUrl)).toBe(false);
    expect(serviceKey(baseUrl)).toBe(serviceKey(first));
  });
});

describe("identifiers in a path", () => {
  test.each([
    ["EXT 1", "EXT%201"],
    ["a/b", "a%2Fb"],
    ["100%", "100%25"],
    ["%2F", "%252F"],
    ["%2e%2e", "%252e%252e"],
    ["Ωé", "%CE%A9%C3%A9"],
    ["a?b#c&d=e", "a%3Fb%23c%26d%3De"],
    ["...", "..."],
    ["\\..\\", "%5C..%5C"],
    ["a;b", "a%3Bb"],
  ])("%j travels as %s", async (identifier, encoded) => {
    const { baseUrl, received } = await openService((_request, response) =>
      reply(response, 200, completed),
    );
    await connected(baseUrl).service.accounts.status("ACME", identifier);
    expect(received[0]?.path).toBe(`/v1/data-import/account-transfer-status/ACME/${encoded}/`);
  });

  test.each(["", ".", "..", "a\r\nX-Evil: 1", "a\u0000", "\u007f", "\u0085", "\ud800"])(
    "%j never reaches the wire, in either place",
    async (identifier) => {
      const { baseUrl, received } = await openService((_request, response) =>
        reply(response, 200, completed),
      );
      const { service } = connected(baseUrl);
      const calls = [
        service.accounts.status("ACME", identifier),
        service.accounts.status(identifier, "EXT-1"),
        service.supplyPoints.status("ACME", identifier),
        readAccountList(service, identifier, "all").next(),
      ];
      for (const call of calls) expect((await errorFrom(call)).kind).toBe("invalid-request");
      expect(received).toEqual([]);
    },
  );

  test("any identifier is refused, or is one segment that reads back as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (identifier) => {
        let url: string;
        try {
          url = apiUrl("https://service.example", ["v1/x", identifier]);
        } catch (error) {
          expect(error).toEqual(refused);
          return;
        }
        const segments = new URL(url).pathname.split("/");
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[3] ?? "")).toBe(identifier);
      }),
    );
  });
});

describe("a base URL", () => {
  test.each([
    ["https://service.example/", "https://service.example"],
    ["https://service.example/api/", "https://service.example/api"],
    ["HTTPS://Service.Example:443", "https://service.example"],
    ["http://localhost:8080/", "http://localhost:8080"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%s stands as %s", (given, normal) => {
    expect(normalizeBaseUrl(given)).toBe(normal);
    expect(apiUrl(given, ["v1/x", "a"])).toBe(`${normal}/v1/x/a/`);
  });

  test("is refused without repeating a password in it", () => {
    expect(() => normalizeBaseUrl("https://u:hunter2@service.example")).toThrow(refused);
    expect(() => normalizeBaseUrl("https://u:hunter2@service.example")).not.toThrow(/hunter2/);
  });
});
