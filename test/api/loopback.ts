/** Real servers on loopback that answer as a test says, and report the requests. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Loopback {
  readonly baseUrl: string;
  readonly received: readonly Received[];
}

export type Handler = (
  request: Received,
  response: ServerResponse,
  n: number,
  message: IncomingMessage,
) => void;

/** An HTTP server; `n` counts requests from 1. */
export async function loopback(handler: Handler): Promise<Loopback> {
  const received: Received[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const request = {
      method: message.method ?? "",
      path: message.url ?? "",
      headers: message.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    received.push(request);
    handler(request, response, received.length, message);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A TCP server that reports the first bytes on each connection; `n` counts those from 1. */
export async function tcpLoopback(
  onBytes: (socket: Socket, bytes: string, n: number) => void,
): Promise<{ readonly baseUrl: string; readonly port: number }> {
  let n = 0;
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (bytes) => {
      n += 1;
      onBytes(socket, bytes.toString("latin1"), n);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, port };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Answers with text as it is, or with anything else as JSON. */
export function reply(
  response: ServerResponse,
  status: number,
  body: unknown = "",
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A token answer of ObtainToken. */
export const tokenAnswer = (token: string) => ({
  data: { obtainToken: { token, refreshToken: "r", refreshExpiresIn: 604_800 } },
});

export const completed = { status: "COMPLETED", service_account_number: "A-1" };
