import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer, type Server } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connected, errorFrom } from "./connected.ts";
import { closedPort, completed } from "./loopback.ts";

const once = { retries: 0 };
/** The certificates are made on the spot; where that cannot be, the tests that need them are skipped. */
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("openssl is not on this machine: the TLS tests are skipped.");
let folder = "";
let certificate = { key: "", cert: "" };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "supplyline-tls-"));
  if (!hasOpenssl) return;
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
      ...["-days", "2", "-keyout", key, "-out", cert],
    ],
    { stdio: "pipe" },
  );
  certificate = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listening(
  server: Server | ReturnType<typeof createHttpServer>,
  tunnels: ReadonlySet<Socket> = new Set(),
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const tunnel of tunnels) tunnel.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A certificate for localhost that was good for the first day of 2020. */
function expiredCertificate(): typeof certificate {
  const at = (name: string) => join(folder, name);
  const config = `[ca]
default_ca = own
[own]
database = ${at("index.txt")}
serial = ${at("serial")}
new_certs_dir = ${folder}
default_md = sha256
policy = any
x509_extensions = name
[any]
commonName = supplied
[name]
subjectAltName = DNS:localhost
`;
  writeFileSync(at("ca.cnf"), config);
  writeFileSync(at("index.txt"), "");
  writeFileSync(at("serial"), "01\n");
  const openssl = (...words: string[]) => execFileSync("openssl", words, { stdio: "pipe" });
  openssl(
    ...["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=localhost", "-keyout", at("old-key.pem"), "-out", at("old.csr")],
  );
  openssl(
    ...["ca", "-batch", "-notext", "-selfsign", "-config", at("ca.cnf"), "-in", at("old.csr")],
    ...["-keyfile", at("old-key.pem"), "-out", at("old.pem")],
    ...["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"],
  );
  return {
    key: readFileSync(at("old-key.pem"), "utf8"),
    cert: readFileSync(at("old.pem"), "utf8"),
  };
}

/** An https service with a certificate of its own making, for the name localhost alone. */
async function tlsService(shown = certificate) {
  const protocols: (string | false | null)[] = [];
  const server = createTlsServer(
    { ...shown, ALPNProtocols: ["h2", "http/1.1"] },
    (_request, response) => response.end(JSON.stringify(completed)),
  );
  server.on("secureConnection", (socket) => protocols.push(socket.alpnProtocol));
  return { port: await listening(server), protocols };
}

/** A proxy that answers CONNECT so, or opens the tunnel. */
async function connectProxy(refusal?: number | "silence") {
  const asked: string[] = [];
  const server = createHttpServer();
  const sockets = new Set<Socket>();
  server.on("connect", (request, client: Socket) => {
    asked.push(request.url ?? "");
    sockets.add(client);
    client.on("error", () => {});
    if (refusal === "silence") return;
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(request.url?.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
  return { port: await listening(server, sockets), asked };
}

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
    const { service } = connected(`https://localhost:${port}`, { ca: certificate.cert });
    const { value } = await service.accounts.status("ACME", "EXT-1");
    expect(value.status).toBe("COMPLETED");
    // Over HTTP/2 the connection's own code would send refused requests again by itself.
    expect(protocols).toEqual(["http/1.1"]);
  });

  test("one that has expired is refused, though it is among the extra ones", async () => {
    const expired = expiredCertificate();
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
    const { service } = connected(`https://127.0.0.1:${port}`, { ca: certificate.cert });
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1"));
    expect(error).toMatchObject({ kind: "tls", facts: { sent: false } });
  });
});

describe("an http proxy", () => {
  test.runIf(hasOpenssl)("is asked for a tunnel, and the service answers through it", async () => {
    const { port } = await tlsService();
    const proxy = await connectProxy();
    const { service } = connected(`https://localhost:${port}`, {
      ca: certificate.cert,
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
