/** Whoever failed is named: the service, the proxy, the credential helper or the certificate. */
import { createService } from "../../src/api/client.ts";
import { connectionError } from "../../src/api/connection-error.ts";
import type { ServiceError } from "../../src/api/errors.ts";
import { errorLine } from "../../src/errors/error-words.ts";
import { closedPort, openService, reply } from "../helpers/service.ts";
import { connected, errorFrom, hastyClock } from "./connected.ts";
import { certificate, certificateOf, connectProxy, hasOpenssl, tlsService } from "./tls-servers.ts";

const doing = "reading the status of EXT-1";
const service = "https://service.example";
const inWords = (error: ServiceError, baseUrl = service) => errorLine(error, { doing, baseUrl });

describe("a proxy", () => {
  test("that is down is named, and the service is not said to be", async () => {
    const port = await closedPort();
    const { service: api } = connected(service, { proxy: `http://ada:canary@127.0.0.1:${port}` });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain(`the proxy http://127.0.0.1:${port} could not be reached`);
    expect(words).toContain("Nothing accepts connections there (ECONNREFUSED)");
    expect(words).not.toMatch(/service\.example could not|canary/);
  });

  test("that refuses a password is asked once, however many calls there are", async () => {
    const proxy = await connectProxy(407);
    const { service: api } = connected(service, {
      proxy: `http://ada:canary@127.0.0.1:${proxy.port}`,
    });
    const calls = Array.from({ length: 8 }, (_, at) => api.accounts.status("ACME", `EXT-${at}`));
    const errors = await Promise.all(calls.map(errorFrom));
    const later = await errorFrom(api.accounts.status("ACME", "EXT-9"));
    for (const error of [...errors, later]) {
      expect(error).toMatchObject({ kind: "unreachable", facts: { sent: false } });
      const words = inWords(error);
      expect(words).toContain(
        `the proxy http://127.0.0.1:${proxy.port} did not accept the user name and password`,
      );
      expect(words).toContain("Correct the user name and password in HTTPS_PROXY.");
      expect(words).not.toMatch(/canary|--proxy-credential-helper/);
    }
    expect(proxy.asked).toEqual(["service.example:443"]);
  });

  test("that wants a password and got none says so", async () => {
    const proxy = await connectProxy(407);
    const { service: api } = connected(service, { proxy: `http://127.0.0.1:${proxy.port}` });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain(
      `the proxy http://127.0.0.1:${proxy.port} asks for a user name and password`,
    );
    expect(words).toContain("--proxy-credential-helper CMD");
    expect(proxy.asked).toHaveLength(1);
  });

  test.each([
    [403, "refused to connect to https://service.example", "NO_PROXY"],
    [502, "could not connect to https://service.example", "operator of the proxy"],
  ])("that answers %i is named with its answer", async (status, what, next) => {
    const proxy = await connectProxy(status);
    const { service: api } = connected(service, { proxy: `http://127.0.0.1:${proxy.port}` });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain(`the proxy http://127.0.0.1:${proxy.port} ${what}`);
    expect(words).toContain(`It answered ${status}`);
    expect(words).toContain(next);
  });

  test("a proxy that does not respond is named in the timeout", async () => {
    const proxy = await connectProxy("silence");
    const { service: api } = connected(service, {
      proxy: `http://127.0.0.1:${proxy.port}`,
      idleTimeoutMs: 30,
    });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1", { retries: 0 })));
    expect(words).toContain(`the proxy http://127.0.0.1:${proxy.port} did not answer in time`);
  });

  test("gets the user name and password of its credential helper", async () => {
    const proxy = await connectProxy(407);
    let runs = 0;
    const { service: api } = connected(service, {
      proxy: `http://127.0.0.1:${proxy.port}`,
      proxyLogin: {
        program: "pass",
        run: async () => {
          runs += 1;
          return { username: "ada", password: "canary" };
        },
      },
    });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain("did not accept the user name and password");
    expect(words).toContain("that the credential helper pass gives");
    expect(words).not.toContain("--proxy-credential-helper");
    expect([runs, proxy.asked.length]).toEqual([1, 1]);
  });

  test("that refuses the password of a variable names the variable", async () => {
    const proxy = await connectProxy(407);
    const { service: api } = connected(service, {
      proxy: `http://127.0.0.1:${proxy.port}`,
      proxyLogin: { username: "ada", password: "canary", variable: "GATE_LOGIN" },
    });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain("Correct the user name and password in GATE_LOGIN.");
    expect(words).not.toMatch(/canary|--proxy-credential-/);
  });
});

describe("a credential helper", () => {
  const hangs = (signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason)),
    );
  const source = {
    storeToken: async () => {},
    storeForm: async () => {},
    token: async () => null,
    secrets: () => [],
  };

  test("a hanging credential helper is named instead of the service or --timeout", async () => {
    const server = await openService((_request, response) => reply(response, 200));
    const api = createService({
      baseUrl: server.baseUrl,
      clock: hastyClock(),
      credentials: { ...source, apiKey: hangs },
      credentialHelper: "acme-key",
    });
    onTestFinished(() => api.close());
    const options = { timeoutMs: 1_000 };
    const error = await errorFrom(api.accounts.status("ACME", "EXT-1", options));
    expect(error.kind).toBe("timeout");
    const words = inWords(error, server.baseUrl);
    expect(words).toContain("The credential helper acme-key did not respond in time");
    expect(words).not.toMatch(/did not answer|--timeout/);
    expect(server.received).toEqual([]);
  });

  test("of a proxy that hangs is named as well", async () => {
    const api = createService({
      baseUrl: service,
      clock: hastyClock(),
      proxy: `http://127.0.0.1:${await closedPort()}`,
      proxyLogin: { program: "proxy-pass", run: hangs },
      credentials: {
        ...source,
        apiKey: async () => null,
        token: async () => ({ token: "t", given: true }),
      },
    });
    onTestFinished(() => api.close());
    const error = await errorFrom(api.accounts.status("ACME", "EXT-1", { timeoutMs: 1_000 }));
    expect(inWords(error)).toContain("The credential helper proxy-pass did not respond in time");
  });

  test("that fails is named at the beginning of a sentence", async () => {
    const failure = Object.assign(new Error("the credential helper pass failed with status 2"), {
      kind: "helper",
    });
    const { service: api } = connected(service, {
      credentialHelper: "pass",
      credentials: { ...source, apiKey: () => Promise.reject(failure) },
    });
    const words = inWords(await errorFrom(api.accounts.status("ACME", "EXT-1")));
    expect(words).toContain("The credential helper pass failed with status 2. Run pass by hand");
  });
});

test("headers that are too large: the service was reached, and the write may have taken effect", async () => {
  const server = await openService((_request, response) =>
    reply(response, 201, "{}", { "x-large": "x".repeat(20_000) }),
  );
  const { service: api } = connected(server.baseUrl);
  const request = { path: "/v1/data-import/notes/create/", query: {}, body: Buffer.from("{}") };
  const options = { signal: new AbortController().signal, timeoutMs: 30_000, onHeadersSent() {} };
  const error = await errorFrom(api.post(request, options));
  expect(error).toMatchObject({ kind: "unreadable", facts: { sent: true } });
  const words = inWords(error, server.baseUrl);
  expect(words).toContain("The response headers are too large");
  expect(words).toContain("unknown whether");
  expect(words).not.toContain("could not be reached");
});

test("a connection that breaks after the request left is not said to be impossible", async () => {
  const server = await openService((_request, response) => response.req.socket.destroy());
  const { service: api } = connected(server.baseUrl);
  const error = await errorFrom(api.accounts.status("ACME", "EXT-1", { retries: 0 }));
  const words = inWords(error, server.baseUrl);
  expect(words).toContain(`the connection to ${server.baseUrl} broke before the response arrived`);
});

describe.runIf(hasOpenssl)("TLS", () => {
  const wordsOf = async (port: number, ca: string, host = "localhost") => {
    const { service: api } = connected(`https://${host}:${port}`, { ca });
    const error = await errorFrom(api.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind: "tls", facts: { sent: false } });
    return inWords(error, `https://${host}:${port}`);
  };

  test.each([
    ["has expired", { from: "20200101000000Z", to: "20200102000000Z" }, "renew the certificate"],
    ["is not valid yet", { from: "20480101000000Z", to: "20490101000000Z" }, "clock"],
  ])("a certificate that %s needs no CA file", async (why, valid, next) => {
    const shown = certificateOf(valid);
    const { port } = await tlsService(shown);
    const words = await wordsOf(port, shown.cert);
    expect(words).toContain(`Its certificate ${why}`);
    expect(words).toContain(next);
    expect(words).not.toMatch(/CA|authority/);
  });

  test("a certificate for another host needs no CA file", async () => {
    const { port } = await tlsService();
    const words = await wordsOf(port, certificate().cert, "127.0.0.1");
    expect(words).toContain("Its certificate is for another host name");
    expect(words).not.toMatch(/CA|authority/);
  });

  test("a certificate of an unknown authority asks for its file", async () => {
    const { port } = await tlsService();
    expect(
      await wordsOf(port, certificateOf({ from: "20200101000000Z", to: "20491231000000Z" }).cert),
    ).toMatch(/--ca-file FILE/);
  });

  test("a server of an old TLS version is not accused of its certificate", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "ALL@SECLEVEL=0" } as const;
    const { port } = await tlsService(certificate(), old);
    const words = await wordsOf(port, certificate().cert);
    expect(words).toContain("It offers no TLS version that supplyline accepts");
    expect(words).not.toMatch(/certificate|authority/);
  });

  test("a port without TLS is called one", async () => {
    const plain = await openService((_request, response) => reply(response, 200));
    const port = new URL(plain.baseUrl).port;
    expect(await wordsOf(Number(port), certificate().cert)).toContain("does not speak TLS");
  });

  test("an alert that a client certificate is missing is called that", () => {
    const alert = new Error("alert", {
      cause: Object.assign(new Error(), { code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }),
    });
    const words = inWords(connectionError(alert, { method: "GET", sent: true }));
    expect(words).toContain("https://service.example asks for a client certificate");
    expect(words).not.toMatch(/CA file|authority/);
  });

  test("a web server that wants a client certificate is named so, and no key is asked for", async () => {
    const page =
      "<html><body><h1>400 Bad Request</h1><center>No required SSL certificate was sent</center></body></html>";
    const nginx = await openService((_request, response) => reply(response, 400, page), {
      ownTokens: true,
    });
    const { service: refused } = connected(nginx.baseUrl, { apiKey: "key" });
    const error = await errorFrom(refused.accounts.status("ACME", "EXT-1"));
    const words = inWords(error, nginx.baseUrl);
    expect(words).toContain(`${nginx.baseUrl} asks for a client certificate (400)`);
    expect(words).toContain("cannot present a client certificate");
    expect(words).not.toMatch(/API key|login/);
  });
});
