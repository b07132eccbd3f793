/** Faults that reset or end the connection of a request, or write to its socket directly. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { validPrefix } from "./responses.ts";

const maxReadBytes = 1024 * 1024;

/** Sends a TCP reset rather than an orderly end. */
export function reset(socket: Socket): void {
  if (!socket.destroyed) socket.resetAndDestroy();
}

/** Sends an interim response, which the response follows (RFC 9110, 15.2). */
export function sendInterim(socket: Socket, status: number): void {
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n\r\n`);
}

/** Resets the connection when the first bytes of a request's body arrive, or when the body ends. */
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

export function connectionClosed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed) resolve();
    else outgoing.once("close", () => resolve());
  });
}

/**
 * Writes a response with half of its body to the socket and ends the connection. A body that is
 * longer than `maxReadBytes` is cut after half of the bytes that were read.
 */
export async function cutInHalf(
  socket: Socket,
  response: Response,
  framing: "length" | "chunked" | "close",
): Promise<void> {
  const { bytes, isComplete } = await firstBytes(response);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  const length = Math.max(bytes.length, 16);
  const framingLines = {
    length: [`Content-Length: ${isComplete ? length : 2 * length}`, "", ""],
    chunked: ["Transfer-Encoding: chunked", "", `${length.toString(16)}\r\n`],
    close: ["Connection: close", "", ""],
  }[framing];
  const lines = [...headOf(response), ...framingLines];
  socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), half]));
}

/**
 * Writes a response with a shorter body that is valid JSON, encoded by `encode`, and ends the
 * connection. A body that is longer than `maxReadBytes` is cut after half of the bytes that were
 * read, so that it is not valid JSON.
 */
export async function cutToPrefix(
  socket: Socket,
  response: Response,
  encode: ((body: Uint8Array) => Uint8Array) | null,
): Promise<void> {
  const { bytes, isComplete } = await firstBytes(response);
  const body = isComplete
    ? Buffer.from(validPrefix(bytes.toString("utf8")))
    : bytes.subarray(0, Math.floor(bytes.length / 2));
  const lines = [
    ...headOf(response),
    ...(encode === null ? [] : ["Content-Encoding: gzip"]),
    "Connection: close",
    "",
    "",
  ];
  socket.end(Buffer.concat([Buffer.from(lines.join("\r\n")), encode?.(body) ?? body]));
}

function headOf({ status, headers }: Response): string[] {
  const encoding = headers.get("content-encoding");
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `Content-Type: ${headers.get("content-type") ?? "application/json"}`,
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
  ];
}

/**
 * Writes the first `bytes` of a response's body to the socket and ends the connection: inside a
 * chunk, or after a part of a body without a length. A body that is not longer than `bytes` is sent
 * completely.
 */
export async function cutAt(
  socket: Socket,
  response: Response,
  bytes: number,
  isChunked: boolean,
): Promise<void> {
  const framing = isChunked ? "Transfer-Encoding: chunked" : "Connection: close";
  socket.write([...headOf(response), framing, "", ""].join("\r\n"));
  const reader = response.body?.getReader();
  let left = bytes;
  while (reader !== undefined && !socket.destroyed) {
    const { done, value } = await reader.read();
    if (done) {
      socket.end(isChunked ? "0\r\n\r\n" : "");
      return;
    }
    const part = value.subarray(0, left);
    left -= part.length;
    const isCut = part.length < value.length;
    const size = isChunked ? `${value.length.toString(16)}\r\n` : "";
    const end = isChunked && !isCut ? "\r\n" : "";
    const hasRoom = socket.write(Buffer.concat([Buffer.from(size), part, Buffer.from(end)]));
    if (isCut) break;
    if (!hasRoom) await drained(socket);
  }
  await reader?.cancel();
  socket.end();
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      socket.off("drain", finish);
      socket.off("close", finish);
      resolve();
    };
    socket.on("drain", finish);
    socket.on("close", finish);
  });
}

async function firstBytes(response: Response): Promise<{ bytes: Buffer; isComplete: boolean }> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  while (reader !== undefined && size < maxReadBytes) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(parts), isComplete: true };
    parts.push(value);
    size += value.length;
  }
  await reader?.cancel();
  return { bytes: Buffer.concat(parts), isComplete: reader === undefined };
}
