/** A real server on loopback that does to each request what a script says, and keeps its bytes. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

interface Answer {
  readonly status: number;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answered so much later, by the machine's clock. */
  readonly delayMs?: number;
}

export type Act =
  | Answer
  /** Reads the whole request, then resets the connection. */
  | "reset"
  /** Announces more than it sends. */
  | "cut-short"
  /** Never answers. */
  | "hang";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly sha256: string;
}

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** POSTs that came. */
  readonly writes: () => readonly Received[];
  /** Stops listening, and drops every connection. */
  refuse(): Promise<void>;
  /** Listens again at the same address. */
  accept(): Promise<void>;
  /** Called for each request when it is there, before the act. */
  onRequest: (received: Received) => void;
  /** Called with the connection of each request, before anything else. */
  onSocket: (socket: Socket) => void;
}

/** What each POST meets, in order (the last one for all that follow), and each GET. */
export async function scriptedServer(script: {
  readonly writes?: readonly Act[];
  readonly reads?: readonly Act[];
}): Promise<ScriptedServer> {
  const received: Received[] = [];
  const counts = { POST: 0, GET: 0 };
  const result: Pick<ScriptedServer, "onRequest" | "onSocket"> = {
    onRequest: () => {},
    onSocket: () => {},
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const method = request.method === "POST" ? "POST" : "GET";
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const one = { method, path: request.url ?? "", body: bytes.toString("utf8"), sha256 };
    received.push(one);
    result.onRequest(one);
    const acts = (method === "POST" ? script.writes : script.reads) ?? [];
    const act = acts[Math.min(counts[method]++, acts.length - 1)] ?? { status: 404 };
    const delayMs = typeof act === "object" ? act.delayMs : undefined;
    if (delayMs === undefined) perform(act, response);
    else setTimeout(() => perform(act, response), delayMs);
  };

  const server = createServer((request, response) => {
    result.onSocket(request.socket);
    handle(request, response).catch(() => response.destroy());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) return resolve();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  onTestFinished(stop);
  return Object.assign(result, {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    writes: () => received.filter(({ method }) => method === "POST"),
    refuse: stop,
    accept: () => listen(port),
  });
}

function perform(act: Act, response: ServerResponse): void {
  if (act === "hang") return;
  if (act === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (act === "cut-short") {
    response.writeHead(201, { "content-type": "application/json", "content-length": "1000" });
    response.write('[{"status":"NOTE_CREATION_SUCCESS"');
    setImmediate(() => response.socket?.destroy());
    return;
  }
  const { status, body, headers = {} } = act;
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}
