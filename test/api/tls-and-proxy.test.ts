import { closedPort } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";
import { certificate, certificateOf, connectProxy, hasOpenssl, tlsService } from "./tls-servers.ts";

const once = { retries: 0 };

describe.runIf(hasOpenssl)("certificates", () => {
  test("one of the service's own making is refused before anything is sent", async () => {
    const { port } = await tlsService();
    const { service } = connected(`https://localhost:${port}`);
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({
      kind: "tls",
      facts: { sent: false, systemCode: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    });
  });

  test("it is accepted when it is among the extra ones, over HTTP/1.1", async () => {
    const { port, protocols } = await tlsService();
    const { service } = connected(`https://localhost:${port}`, { ca: certificate().cert });
    const { value } = await service.accounts.status("ACME", "EXT-1");
    expect(value.status).toBe("COMPLETED");
    // Over HTTP/2 the connection's own code would send refused requests again by itself.
    expect(protocols).toEqual(["http/1.1"]);
  });

  test("one that has expired is refused, though it is among the extra ones", async () => {
    const expired = certificateOf({ from: "20200101000000Z", to: "20200102000000Z" });
    const { port } = await tlsService(expired);
    const { service } = connected(`https://localhost:${port}`, { ca: expired.cert });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({
      kind: "tls",
      facts: { sent: false, systemCode: "CERT_HAS_EXPIRED" },
    });
  });

  test("it is refused under another name", async () => {
    const { port } = await tlsService();
    const { service } = connected(`https://127.0.0.1:${port}`, { ca: certificate().cert });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind: "tls", facts: { sent: false } });
  });
});

describe("an http proxy", () => {
  test.runIf(hasOpenssl)("is asked for a tunnel, and the service answers through it", async () => {
    const { port } = await tlsService();
    const proxy = await connectProxy();
    const { service } = connected(`https://localhost:${port}`, {
      ca: certificate().cert,
      proxy: `http://127.0.0.1:${proxy.port}`,
    });
    const { value } = await service.accounts.status("ACME", "EXT-1");
    expect(value.status).toBe("COMPLETED");
    expect(proxy.asked).toEqual([`localhost:${port}`]);
  });

  test.runIf(hasOpenssl)("certificates are checked through the tunnel too", async () => {
    const { port } = await tlsService();
    const proxy = await connectProxy();
    const { service } = connected(`https://localhost:${port}`, {
      proxy: `http://127.0.0.1:${proxy.port}`,
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error).toMatchObject({ kind: "tls", facts: { sent: false } });
  });

  test.each([403, 407, 502])("that answers %i: the service cannot have seen it", async (status) => {
    const proxy = await connectProxy(status);
    const { service } = connected("https://service.example", {
      proxy: `http://127.0.0.1:${proxy.port}`,
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error).toMatchObject({ kind: "unreachable", facts: { sent: false } });
    expect(proxy.asked).toEqual(["service.example:443"]);
  });

  test("that is not there: the service cannot have seen it", async () => {
    const { service } = connected("https://service.example", {
      proxy: `http://user:canary@127.0.0.1:${await closedPort()}`,
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error).toMatchObject({
      kind: "unreachable",
      facts: { sent: false, systemCode: "ECONNREFUSED" },
    });
    expect(JSON.stringify([error.message, error.facts])).not.toContain("canary");
  });

  test("that says nothing is given up after the idle time", async () => {
    const proxy = await connectProxy("silence");
    const { service } = connected("https://service.example", {
      proxy: `http://127.0.0.1:${proxy.port}`,
      idleTimeoutMs: 30,
    });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", once));
    expect(error).toMatchObject({ kind: "timeout", facts: { sent: false } });
  });
});
