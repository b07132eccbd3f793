/**
 * A separate process that answers one supplier's list (INTERFACE 4.9) from memory, as fast as a socket
 * takes it: the sandbox makes the rows again for every request, and would itself be measured. The
 * status of each account (INTERFACE 4.8) stays in progress.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { startSandbox } from "../../src/sandbox/index.ts";
import { now } from "./clock.ts";
import { tokenOf } from "./sandbox-process.ts";

/** A command for the service. */
export type Order =
  /** Lets requests wait until they are released. */
  | { readonly kind: "hold" }
  | { readonly kind: "release" }
  /** Answers with the same rows, or with `changed` of them changed. */
  | { readonly kind: "serve"; readonly changed: number }
  /** Writes the rows as lines with tabs. */
  | { readonly kind: "write-rows"; readonly path: string }
  | { readonly kind: "count-bytes" };

/** An event of the service. Times are of {@link now}. */
export type Told =
  | { readonly kind: "ready"; readonly port: number; readonly bytes: number }
  | { readonly kind: "asked" }
  | { readonly kind: "answering"; readonly at: number }
  /** An order was carried out; `bytes` is the length of the body answered last. */
  | { readonly kind: "done"; readonly bytes: number };

interface Item {
  external_account_number: string;
  service_account_number: string | null;
  account_created_at: string | null;
}

/** The usual size of a read of a file. Larger pieces would be faster than any network. */
const pieceBytes = 64 * 1024;
const original = await bodyOf(Number(process.argv[2]));
/** Compressed before it is asked for, as the time that a service takes for it is not measured. */
const compressed = process.argv[3] === "gzip" ? gzipSync(original) : null;
let body = original;
let answeredBytes = 0;
let gate: { promise: Promise<void>; open: () => void } | null = null;

const server = createServer(async (request, response) => {
  if (request.url?.startsWith("/v1/data-import/account-transfer-status/")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"status":"IN_PROGRESS","service_account_number":""}');
    return;
  }
  if (!request.url?.startsWith("/v1/data-import/all-account-import-processes/")) {
    response.writeHead(404).end();
    return;
  }
  tell({ kind: "asked" });
  if (gate) await gate.promise;
  tell({ kind: "answering", at: now() });
  const accepts = request.headers["accept-encoding"] === "gzip";
  const answer = (accepts && compressed) || body;
  answeredBytes = answer.length;
  response.writeHead(200, {
    "content-type": "application/json",
    ...(answer === compressed ? { "content-encoding": "gzip" } : {}),
  });
  // A reader that goes away ends it, and is no fault.
  await pipeline(Readable.from(pieces(answer)), response).catch(() => {});
});

process.on("message", (order: Order) => {
  switch (order.kind) {
    case "hold": {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = { promise, open: resolve };
      break;
    }
    case "release":
      gate?.open();
      gate = null;
      break;
    case "serve":
      body = order.changed > 0 ? withChanges(order.changed) : original;
      break;
    case "write-rows":
      writeRows(order.path);
      break;
  }
  tell({ kind: "done", bytes: answeredBytes });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  tell({ kind: "ready", port, bytes: original.length });
});

function* pieces(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at < whole.length; at += pieceBytes) {
    yield whole.subarray(at, at + pieceBytes);
  }
}

function tell(told: Told): void {
  process.send?.(told);
}

async function bodyOf(accounts: number): Promise<Buffer> {
  const sandbox = await startSandbox({ accounts });
  const token = await tokenOf(sandbox.baseUrl, sandbox.apiKey);
  const list = await fetch(`${sandbox.baseUrl}/v1/data-import/all-account-import-processes/ACME/`, {
    headers: { authorization: `Token ${token}` },
  });
  const bytes = Buffer.from(await list.arrayBuffer());
  await sandbox.close();
  return bytes;
}

/** The first row and others in even distances, each with another service account number. */
function withChanges(count: number): Buffer {
  const rows = original
    .toString()
    .slice(1, -1)
    .split(/(?<=\}),/);
  const step = Math.floor(rows.length / count);
  for (let n = 0; n < count; n++) {
    const item = JSON.parse(rows[n * step] ?? "{}") as Item;
    item.service_account_number = `A-CHANGED${n}`;
    item.account_created_at ??= "2026-01-01T00:00:00Z";
    rows[n * step] = JSON.stringify(item);
  }
  return Buffer.from(`[${rows.join(",")}]`);
}

function writeRows(path: string): void {
  const items = JSON.parse(original.toString()) as Item[];
  const line = (item: Item) =>
    `${item.external_account_number}\t${item.service_account_number ?? ""}\t${item.account_created_at ?? ""}\n`;
  writeFileSync(path, items.map(line).join(""));
}
