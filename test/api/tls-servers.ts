/** Real https services and proxies on loopback, with certificates that are made on the spot. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer, type Server, type ServerOptions } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { completed } from "./loopback.ts";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Where openssl is not on the machine, the tests that need certificates are skipped. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("openssl is not on this machine: the TLS tests are skipped.");

let made: Certificate | null = null;

/** A certificate for localhost of its own making that is good today. */
export function certificate(): Certificate {
  made ??= certificateOf({ from: "20200101000000Z", to: "20491231000000Z" });
  return made;
}

/** A certificate for localhost of its own making, by its first and last instant. */
export function certificateOf(valid: { readonly from: string; readonly to: string }): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-tls-"));
  try {
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
      ...["-subj", "/CN=localhost", "-keyout", at("key.pem"), "-out", at("request.csr")],
    );
    openssl(
      ...[
        "ca",
        "-batch",
        "-notext",
        "-selfsign",
        "-config",
        at("ca.cnf"),
        "-in",
        at("request.csr"),
      ],
      ...["-keyfile", at("key.pem"), "-out", at("cert.pem")],
      ...["-startdate", valid.from, "-enddate", valid.to],
    );
    return { key: readFileSync(at("key.pem"), "utf8"), cert: readFileSync(at("cert.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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

/** An https service with a certificate of its own making, for the name localhost alone. */
export async function tlsService(shown = certificate(), more: ServerOptions = {}) {
  const protocols: (string | false | null)[] = [];
  const server = createTlsServer(
    { ALPNProtocols: ["h2", "http/1.1"], ...more, ...shown },
    (_request, response) => response.end(JSON.stringify(completed)),
  );
  server.on("secureConnection", (socket) => protocols.push(socket.alpnProtocol));
  return { port: await listening(server), protocols };
}

/** A proxy that answers CONNECT so, or opens the tunnel. */
export async function connectProxy(refusal?: number | "silence") {
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
