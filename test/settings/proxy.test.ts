import { proxyFor } from "../../src/settings/service-options.ts";

const env = { HTTPS_PROXY: "http://proxy.example:3128" };
const proxied = (url: string, noProxy: string) =>
  proxyFor(url, undefined, { ...env, NO_PROXY: noProxy }) !== null;

describe("the proxy", () => {
  test("comes from HTTPS_PROXY, lower case first", () => {
    expect(proxyFor("https://host.example", undefined, env)).toBe("http://proxy.example:3128");
    const both = { ...env, https_proxy: "http://lower.example:1" };
    expect(proxyFor("https://host.example", undefined, both)).toBe("http://lower.example:1");
  });

  test("may be given without a scheme", () => {
    expect(proxyFor("https://host.example", undefined, { https_proxy: "proxy.example:3128" })).toBe(
      "http://proxy.example:3128",
    );
  });

  test("of HTTP_PROXY is not for https", () => {
    expect(proxyFor("https://host.example", undefined, { HTTP_PROXY: "http://p:1" })).toBeNull();
  });

  test.each(["http://localhost:1", "http://127.0.0.1:1", "http://127.3.2.1", "http://[::1]:1"])(
    "is never used for %s",
    (url) => {
      const all = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://p:1" };
      expect(proxyFor(url, "http://own.example:1", all)).toBeNull();
    },
  );

  test("of the profile stands above the environment and its exceptions", () => {
    expect(
      proxyFor("https://host.example", "http://own.example:1", { ...env, NO_PROXY: "*" }),
    ).toBe("http://own.example:1");
  });

  test("of another kind is refused by the name of its variable, without its password", () => {
    const wrong = { HTTPS_PROXY: "socks5://ada:canary@proxy.example" };
    const act = () => proxyFor("https://host.example", undefined, wrong);
    expect(act).toThrow(/^HTTPS_PROXY (?!.*canary)/);
  });
});

describe("NO_PROXY", () => {
  test.each([
    ["*", "https://host.example"],
    ["host.example", "https://host.example"],
    [".example", "https://host.example"],
    ["*.example", "https://host.example"],
    ["a, HOST.example", "https://host.EXAMPLE."],
    ["a b host.example", "https://host.example"],
    ["host.example:443", "https://host.example"],
    ["host.example:8443", "https://host.example:8443"],
    ["10.1.2.3", "https://10.1.2.3"],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["fd00::/8", "https://[fd00::1]"],
    ["[fd00::1]:443", "https://[fd00::1]"],
    ["fd00:0::1", "https://[fd00::1]"],
  ])("%j exempts %s", (list, url) => {
    expect(proxied(url, list)).toBe(false);
  });

  test.each([
    ["", "https://host.example"],
    ["st.example", "https://host.example"],
    ["host.example", "https://host.example.evil"],
    ["host.example:8443", "https://host.example"],
    ["10.0.0.0/8", "https://11.1.2.3"],
    ["10.0.0.0/99", "https://10.1.2.3"],
    ["0.0.3", "https://10.0.0.3"],
    [".", "https://host.example"],
    ["/", "https://host.example"],
  ])("%j does not exempt %s", (list, url) => {
    expect(proxied(url, list)).toBe(true);
  });
});
