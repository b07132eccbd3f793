/**
 * A process that records lists as observations, and can be killed inside a commit. Its only argument
 * is an {@link ObservingInput} as JSON; it prints one line for each list: what has become of it.
 */
import { DatabaseSync, StatementSync } from "node:sqlite";
import type { AccountBatch } from "../src/accounts/ingest/batch.ts";
import { AccountRowReader } from "../src/accounts/ingest/reader.ts";
import { systemClock } from "../src/api/clock.ts";
import { openObservations } from "../src/triage/observations/open-observations.ts";

export interface ObservingInput {
  readonly folder: string;
  /** Each list is recorded of each of these suppliers. */
  readonly suppliers: readonly string[];
  /** Account numbers, and which of them are imported. */
  readonly lists: readonly { readonly numbers: readonly string[]; readonly imported: number }[];
  /** Ends the process before this SQL statement of the last list; null: never. */
  readonly killAt: number | null;
}

export const observedOrigin = "https://service.example";

export function listBatch(numbers: readonly string[], imported: number): AccountBatch | null {
  const reader = new AccountRowReader();
  const items = numbers.map((number, at) => ({
    external_account_number: number,
    service_account_number: at < imported ? `A-${number}` : null,
    account_created_at: at < imported ? "2026-01-02T03:04:05Z" : null,
  }));
  const first = reader.push(Buffer.from(JSON.stringify(items)));
  reader.end();
  return first;
}

async function main({ folder, suppliers, lists, killAt }: ObservingInput): Promise<void> {
  const options = { folder, origin: observedOrigin, clock: systemClock, recording: true };
  const observations = await openObservations(options);
  for (const [at, { numbers, imported }] of lists.entries()) {
    if (killAt !== null && at === lists.length - 1) killBefore(killAt);
    for (const supplier of suppliers) {
      const recorder = observations.begin(supplier, systemClock.now());
      const batch = listBatch(numbers, imported);
      if (batch !== null) await recorder.take(batch);
      const recorded = await recorder.finish();
      process.stdout.write(`${recorded.kind} ${supplier} ${observations.problem() ?? ""}\n`);
    }
  }
  await observations.close();
}

/** Kills this process before the nth statement from now on. */
function killBefore(nth: number): void {
  let left = nth;
  const count = () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  };
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    count();
    return exec.call(this, sql);
  };
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
    count();
    return run.apply(this, values);
  } as typeof run;
}

const [, entry, input] = process.argv;
if (entry === import.meta.filename && input !== undefined) await main(JSON.parse(input));
