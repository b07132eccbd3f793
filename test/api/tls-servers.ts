/** Real https services and proxies on loopback, with certificates that are made on the spot. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { completed, openProxy, openService, reply } from "../helpers/service.ts";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Skips the tests that need certificates if openssl is not on the machine. */
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

/** An https service with a certificate of its own making, for the name localhost alone. */
export async function tlsService(shown = certificate(), more: ServerOptions = {}) {
  const protocols: (string | false | null)[] = [];
  const service = await openService((_request, response) => reply(response, 200, completed), {
    tls: { ALPNProtocols: ["h2", "http/1.1"], ...more, ...shown },
  });
  service.onSocket = (socket) => protocols.push((socket as TLSSocket).alpnProtocol);
  return { port: service.port, protocols };
}

/** A proxy that answers CONNECT so, or opens the tunnel. */
export async function connectProxy(refusal?: number | "silence") {
  return await openProxy(({ url }, client) => {
    if (refusal === "silence") return;
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(url?.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
}
