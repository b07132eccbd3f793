/** The services that tests run against: the sandbox, or one made by hand. Each is a real server on loopback. */
import { createHash } from "node:crypto";
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";
import { closing } from "./closing.ts";

export interface TestSandbox extends Sandbox, AsyncDisposable {
  /** The environment that leads a command to it. */
  readonly env: Record<"SUPPLYLINE_BASE_URL" | "SUPPLYLINE_API_KEY", string>;
}

/** A sandbox whose imports stand still, so that every run sees the same, unless it is given a speed. */
export async function openSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ speed: 0, ...options });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= sandbox.close();
    return closed;
  };
  return closing({
    ...sandbox,
    env: { SUPPLYLINE_BASE_URL: sandbox.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey },
    close,
    [Symbol.asyncDispose]: close,
  });
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly sha256: string;
}

/** Answers a request; `nth` counts those it was called for, from 1. */
export type Handler = (request: Received, response: ServerResponse, nth: number) => unknown;

export type Act =
  | {
      readonly status: number;
      /** Text as it is, anything else as JSON. */
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** Answered so much later, by the machine's clock. */
      readonly delayMs?: number;
    }
  /** Resets the connection. */
  | "reset"
  /** Announces more than it sends. */
  | "cut-short"
  /** Never answers. */
  | "hang";

/** The answers to the POSTs in order, and to the GETs. The last one answers all that follow. */
export interface Script {
  readonly writes?: readonly Act[];
  readonly reads?: readonly Act[];
}

export interface TestService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly apiKey: string;
  /** The environment that leads a command to it. */
  readonly env: Record<"SUPPLYLINE_BASE_URL" | "SUPPLYLINE_API_KEY", string>;
  /** All requests so far. */
  readonly received: readonly Received[];
  /** The paths of those that were not for a token. */
  readonly asked: () => readonly string[];
  /** The POSTs among them. */
  readonly writes: () => readonly Received[];
  /** Stops listening, and drops every connection. */
  refuse(): Promise<void>;
  /** Listens again at the same address. */
  accept(): Promise<void>;
  /** Called for each request when it is there, before it is answered. */
  onRequest: (received: Received) => void;
  /** Called with the connection of each request, before anything else. */
  onSocket: (socket: Socket) => void;
}

interface ServiceOptions {
  /** True if the handler also gets the calls for a token. Default: the service answers them. */
  readonly ownTokens?: boolean | undefined;
  /** Speaks https, with this certificate. */
  readonly tls?: ServerOptions;
}

/**
 * A service whose requests are answered by a handler, or one by one by a script. Its answers have a
 * Date header only where the handler sets one: the machine's time is not that of a test's clock.
 */
export async function openService(
  answer: Handler | Script,
  { ownTokens = false, tls }: ServiceOptions = {},
): Promise<TestService> {
  const handler = typeof answer === "function" ? answer : followed(answer);
  const received: Received[] = [];
  let nth = 0;
  const hooks: Pick<TestService, "onRequest" | "onSocket"> = {
    onRequest: () => {},
    onSocket: () => {},
  };
  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    hooks.onSocket(message.socket);
    response.sendDate = false;
    // A client that leaves in the middle of its request gets no answer.
    const bytes = await bytesOf(message).catch(() => null);
    if (bytes === null) return;
    const request = requestOf(message, bytes);
    received.push(request);
    hooks.onRequest(request);
    if (!ownTokens && isTokenCall(request)) return reply(response, 200, tokenAnswer("given-out"));
    return handler(request, response, ++nth);
  };
  const server = tls ? createTlsServer(tls, handle) : createHttpServer(handle);
  const { port, stop, listen } = await listening(server, () => server.closeAllConnections());
  const baseUrl = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const apiKey = "key-0123456789";
  const service = Object.assign(hooks, {
    baseUrl,
    port,
    apiKey,
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_API_KEY: apiKey },
    received,
    asked: () => received.filter((one) => !isTokenCall(one)).map(({ path }) => path),
    writes: () => received.filter(({ method }) => method === "POST"),
    refuse: stop,
    accept: () => listen(port),
    [Symbol.asyncDispose]: stop,
  });
  return closing(service);
}

/** Listens on a free port of loopback, or at the path of a socket. */
async function listening(server: Server, drop: () => void, path?: string) {
  const listen = (place: number | string) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      if (typeof place === "string") server.listen(place, resolve);
      else server.listen(place, "127.0.0.1", resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      drop();
    });
  await listen(path ?? 0);
  const port = path === undefined ? (server.address() as AddressInfo).port : 0;
  return { port, listen, stop };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function requestOf({ method = "", url = "", headers }: IncomingMessage, bytes: Buffer): Received {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { method, path: url, headers, body: bytes.toString("utf8"), sha256 };
}

function followed({ writes = [], reads = [] }: Script): Handler {
  const counts = { POST: 0, GET: 0 };
  return (request, response) => {
    const method = request.method === "POST" ? "POST" : "GET";
    const acts = method === "POST" ? writes : reads;
    const act = acts[Math.min(counts[method]++, acts.length - 1)] ?? { status: 404 };
    const delayMs = typeof act === "object" ? act.delayMs : undefined;
    if (delayMs === undefined) perform(act, response);
    else setTimeout(() => perform(act, response), delayMs);
  };
}

function perform(act: Act, response: ServerResponse): void {
  switch (act) {
    case "hang":
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "cut-short":
      response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
      response.write('[{"status":"NOTE_CREATION_SUCCESS"');
      setImmediate(() => response.socket?.destroy());
      return;
    default:
      reply(response, act.status, act.body, act.headers);
  }
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

export const isTokenCall = ({ method, path }: Received) =>
  method === "POST" && path === "/v1/graphql/";

export const tokenAnswer = (token: string) => ({
  data: { obtainToken: { token, refreshToken: "r", refreshExpiresIn: 604_800 } },
});

export const completed = { status: "COMPLETED", service_account_number: "A-1" };

export const moving = { status: "IN_PROGRESS", service_account_number: "" };

interface SocketOptions {
  /** Handed each connection at once, before the client sends anything. */
  readonly speaksFirst?: boolean;
  /** Listens at a path of the file system instead of a port. */
  readonly path?: string;
}

/** A server that is handed each connection with its first bytes; `nth` counts them from 1. */
export async function openSocketService(
  act: (socket: Socket, bytes: string, nth: number) => void,
  { speaksFirst = false, path }: SocketOptions = {},
) {
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  let nth = 0;
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (speaksFirst) act(socket, "", ++nth);
    else socket.once("data", (bytes) => act(socket, bytes.toString("latin1"), ++nth));
  });
  const { port, stop } = await listening(server, cut, path);
  onTestFinished(stop);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    /** Destroys every connection. */
    cut,
  };
}

/** Passes connections on to a service, and has every byte that was sent to it. */
export async function openTap({ port }: Pick<TestService, "port">) {
  const sent: Buffer[] = [];
  const service = await openSocketService(
    (client) => {
      const server = connect(port, "127.0.0.1");
      server.on("error", () => client.destroy());
      client.on("close", () => server.destroy());
      client.on("data", (bytes: Buffer) => sent.push(bytes));
      client.pipe(server).pipe(client);
    },
    { speaksFirst: true },
  );
  return { ...service, sent: () => Buffer.concat(sent).toString("latin1") };
}

/** A proxy that does with each request for a tunnel what a test says. */
export async function openProxy(onTunnel: (request: IncomingMessage, client: Socket) => void) {
  const asked: string[] = [];
  const clients = new Set<Socket>();
  const server = createHttpServer();
  server.on("connect", (request, client: Socket) => {
    asked.push(request.url ?? "");
    clients.add(client);
    client.on("error", () => {});
    onTunnel(request, client);
  });
  const { port, stop } = await listening(server, () => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
  });
  onTestFinished(stop);
  return { port, asked };
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const { port, stop } = await listening(createSocketServer(), () => {});
  await stop();
  return port;
}
