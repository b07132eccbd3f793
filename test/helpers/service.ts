import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/index.ts";

/** A service to run commands against. */
interface TestService extends AsyncDisposable {
  /** The environment that leads a command to it. */
  readonly env: Record<string, string>;
}

export interface TestSandbox extends Sandbox, TestService {
  readonly env: Record<"SUPPLYLINE_BASE_URL" | "SUPPLYLINE_API_KEY", string>;
}

/** A sandbox whose imports stand still, so that every run sees the same, unless it is given a speed. */
export async function openSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ speed: 0, ...options });
  return {
    ...sandbox,
    env: { SUPPLYLINE_BASE_URL: sandbox.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey },
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

interface HandMade extends TestService {
  readonly baseUrl: string;
  /** Paths that were asked for, the token's left out. */
  readonly asked: readonly string[];
}

/** A server that gives out tokens and answers everything else with `answer`. */
export async function openService(
  answer: (request: IncomingMessage, response: ServerResponse, nth: number) => void,
): Promise<HandMade> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "POST" && request.url === "/v1/graphql/") {
      const data = { obtainToken: { token: "given-out", refreshToken: "r", refreshExpiresIn: 9 } };
      json(response, 200, { data });
      return;
    }
    asked.push(request.url ?? "");
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    asked,
    env: { SUPPLYLINE_BASE_URL: baseUrl, SUPPLYLINE_API_KEY: "key-1" },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
