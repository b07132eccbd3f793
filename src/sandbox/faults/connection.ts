/** Faults that take the connection out of the server's hands. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { validPrefix } from "./shapes.ts";

/** Bytes of an answer looked at before it is cut: enough to fill any client's first read. */
const readAtMost = 1024 * 1024;

/** Sends a TCP reset rather than an orderly end. */
export function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}

/** Waits for the first bytes of a request's body (or its end) and resets. */
export function resetInBody(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      reset(incoming.socket);
      resolve();
    };
    incoming.once("data", end);
    incoming.once("end", end);
    incoming.once("close", () => resolve());
  });
}

/** Settles when the client has gone away or the server has closed the connection. */
export function gone(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) resolve();
    else outgoing.once("close", () => resolve());
  });
}

/**
 * Writes an answer to the socket and ends the connection before all of it is there. `way` is a
 * value of the fault `truncate`.
 */
export async function cutShort(socket: Socket, response: Response, way: string): Promise<void> {
  const { bytes, whole } = await firstBytes(response);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const type = response.headers.get("content-type") ?? "application/json";
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`,
    `Content-Type: ${type}`,
  ];
  if (way === "chunked") {
    const size = Math.max(bytes.length, 16).toString(16);
    const lines = [...head, "Transfer-Encoding: chunked", "", `${size}\r\n`];
    socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), half]));
  } else if (way === "close" || way === "prefix") {
    const text = way === "prefix" && whole ? validPrefix(bytes.toString("utf8")) : undefined;
    const body = text === undefined ? half : Buffer.from(text);
    const lines = [...head, "Connection: close", "", ""];
    socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), body]));
  } else {
    const length = Math.max(bytes.length, 16) * (whole ? 1 : 2);
    const lines = [...head, `Content-Length: ${length}`, "", ""];
    socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), half]));
  }
}

async function firstBytes(response: Response): Promise<{ bytes: Buffer; whole: boolean }> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined && size < readAtMost) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(parts), whole: true };
    parts.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return { bytes: Buffer.concat(parts), whole: reader === undefined };
}
