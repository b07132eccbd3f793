import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gapGate, logged } from "../test/api/gates.ts";
import { runCli } from "../test/helpers/process.ts";
import type { Benchmark } from "./measure/benchmark.ts";
import { now } from "./measure/clock.ts";

/** The limit allows one request in this time, and asks for a pause of a second otherwise. */
const gapMs = 400;
const retryAfter = "1";

/** A request may have left this long before it arrives: it cannot know of a refusal that is newer. */
const latencyMs = 100;

/**
 * `accounts status` of many accounts against a service that limits the rate, with a token at hand.
 * Beside it the time from the first answer to the last that the limit allows at best.
 */
export const rateLimit: Benchmark = async ({ statuses }) => {
  const { gate, log } = logged(gapGate(gapMs, retryAfter), latencyMs);
  const answers: number[] = [];
  const server = createServer((_, response) => {
    const at = now();
    if (gate(at) !== null) {
      response.writeHead(429, { "retry-after": retryAfter }).end();
      return;
    }
    answers.push(at);
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"status":"COMPLETED","service_account_number":"A-1"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const numbers = Array.from({ length: statuses }, (_, n) => `EXT-${n}`);
    const { code, stderr } = await runCli(["accounts", "status", "ACME", ...numbers, "--json"], {
      env: {
        SUPPLYLINE_BASE_URL: `http://127.0.0.1:${port}`,
        SUPPLYLINE_TOKEN: "bench-token",
        SUPPLYLINE_AUTH_FORM: "token",
      },
    });
    if (code !== 0) throw new Error(`accounts status ended with ${code}: ${stderr}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return {
    "from the first answer to the last": {
      ours: (answers.at(-1) ?? Number.NaN) - (answers[0] ?? Number.NaN),
      peers: { "the limit": (answers.length - 1) * gapMs },
    },
    "refusals for each answer": { ours: log.refused / log.accepted },
    "requests inside a pause": { ours: log.inside },
  };
};
