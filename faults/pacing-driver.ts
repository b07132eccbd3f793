/**
 * A process that reads and writes at once of a service that limits the rate, while time passes in
 * steps. Its only argument is a {@link PacingInput} as JSON; it prints a {@link Paced} as JSON.
 */
import { startSandbox } from "../src/sandbox/index.ts";
import { openWrites } from "../src/writes/open-writes.ts";
import { submit } from "../src/writes/submit.ts";
import { drive } from "../test/api/gates.ts";
import { fakeClock } from "../test/helpers/clock.ts";
import type { Evidence, Reported } from "./evidence.ts";
import { witness } from "./matrix/witness.ts";
import { secretsIn } from "./secrets.ts";
import { openService } from "./service-client.ts";
import { accountName, composeWrite, supplier, type WriteKind } from "./writes.ts";

export interface PacingInput {
  readonly folder: string;
  readonly seed: number;
  /** The limit, as a fault of the sandbox. */
  readonly rate: string;
  /** Reads, and as many writes. */
  readonly calls: number;
}

export interface Paced extends Pick<Evidence, "effects" | "seen" | "reported" | "secretsFound"> {
  /** Reads that were answered. */
  readonly read: number;
}

/** Milliseconds; a request is answered within a step. */
export const stepMs = 20;

/** The number of callers that read, and of callers that write. */
const callers = 6;

const kinds: readonly WriteKind[] = ["notes", "transactions", "payment instructions"];

async function main({ folder, seed, rate, calls }: PacingInput): Promise<Paced> {
  const clock = fakeClock();
  const watch = witness(() => {});
  await using stack = new AsyncDisposableStack();
  const sandbox = await startSandbox({
    seed,
    speed: 0,
    now: clock.now,
    suppliers: [supplier],
    observer: watch,
  });
  stack.defer(() => sandbox.close());
  const service = openService(sandbox.baseUrl, sandbox.apiKey, clock);
  stack.defer(() => service.close());
  const { context, close } = await openWrites({
    folder,
    service,
    profile: { name: "campaign" },
    pid: process.pid,
    clock,
  });
  stack.defer(close);
  // The token is at hand, so that every request is one of the calls.
  await service.authenticate();
  sandbox.setFaults([rate]);
  const reported: Reported[] = [];
  let read = 0;
  const write = async (n: number) => {
    const { request } = composeWrite(kinds[n % kinds.length] ?? "notes", `r${seed}`, n);
    const { journalId, outcome } = await submit(context, request, {
      signal: new AbortController().signal,
    });
    reported.push({ journalId, word: outcome });
  };
  const status = async (n: number) => {
    await service.accounts.status(supplier.code, accountName(n));
    read += 1;
  };
  const all = [write, status].flatMap((call) => {
    let next = 0;
    return Array.from({ length: callers }, async () => {
      while (next < calls) await call(next++);
    });
  });
  await drive(clock, Promise.all(all), stepMs);
  const secretsFound = secretsIn(folder, sandbox.apiKey);
  return { effects: sandbox.ledger(), seen: watch.seen, reported, secretsFound, read };
}

const [, entry, input] = process.argv;
if (entry === import.meta.filename && input !== undefined)
  process.stdout.write(JSON.stringify(await main(JSON.parse(input))));
