/**
 * A process of its own that makes writes, and may stop itself at a named point. Its one argument is
 * a DriverInput as JSON; it prints a line for each result.
 */

import { systemClock } from "../../src/api/clock.ts";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import { openWrites } from "../../src/writes/open-writes.ts";
import type { CommitPoint } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { writeService } from "./write-service.ts";

export interface DriverInput {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** In place of a key. */
  readonly token?: string;
  /** Sent one after another; without any, `writes` notes of `size` characters. */
  readonly requests?: readonly { readonly operation: Operation; readonly body: string }[];
  readonly writes?: number;
  readonly size?: number;
  readonly at?: CommitPoint;
  readonly signal?: "SIGKILL" | "SIGSTOP";
  /** Waits are not skipped but stood at. */
  readonly patient?: boolean;
  /** All at once instead of one after another. */
  readonly together?: boolean;
  /** The database of a team, as a profile has it. Default: none. */
  readonly team?: string;
}

const input = JSON.parse(process.argv[2] ?? "{}") as DriverInput;
const credentials =
  input.token === undefined ? { apiKey: input.apiKey ?? "none" } : { token: input.token };
const service = writeService(input.baseUrl, credentials);

function requests(): readonly { readonly operation: Operation; readonly body: string }[] {
  const { writes = 1, size = 10 } = input;
  return (
    input.requests ??
    Array.from({ length: writes }, (_, n) => ({
      operation: "notes create",
      body: JSON.stringify({
        import_supplier: "ACME",
        external_account_number: "EXT-0000001",
        notes: [{ body: `${n} ${"x".repeat(size)}` }],
      }),
    }))
  );
}

async function send(
  context: Awaited<ReturnType<typeof openWrites>>["context"],
  request: { readonly operation: Operation; readonly body: string },
): Promise<void> {
  const { operation, body } = request;
  const write = { operation, body: new TextEncoder().encode(body) };
  const result = await submit(context, write, {
    signal: new AbortController().signal,
    onEvent: (event) => {
      if (event.kind === "waiting" && !input.patient) event.skip?.();
    },
    atPoint: (point) => {
      if (point !== input.at) return;
      process.kill(process.pid, input.signal ?? "SIGKILL");
    },
  });
  console.log(`${result.journalId} ${result.outcome}`);
}

try {
  const { folder } = input;
  const clock = systemClock;
  const writes = await openWrites({
    folder,
    service,
    profile: { name: "test", ...(input.team === undefined ? {} : { team: input.team }) },
    teamDriver: {
      env: process.env,
      home: folder,
      profiles: () => [],
      load: async () => (await import("../../src/writes/team/postgres.ts")).openLedger,
    },
    pid: process.pid,
    clock,
  });
  const sending = requests().map((request) => () => send(writes.context, request));
  if (input.together) await Promise.all(sending.map((start) => start()));
  else for (const start of sending) await start();
  await writes.close();
} catch (error) {
  const kind = error instanceof Error && "kind" in error ? String(error.kind) : "";
  console.log(`${error instanceof Error ? error.name : "thrown"} ${kind} ${String(error)}`);
} finally {
  await service.close();
}
