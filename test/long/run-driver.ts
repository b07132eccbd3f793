/**
 * A process of its own that records and carries out a run, and may kill itself on the way. Its one
 * argument is a DriverInput as JSON; it prints the run's id, and how it ended.
 */
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { isUnsent } from "../../src/bulk/run-record.ts";
import { createRun, listRuns, readRun } from "../../src/bulk/runs.ts";
import { never, openBulk, plannedRows, type RowsKind, streamed } from "../bulk/bulking.ts";

export interface DriverInput {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly kind: RowsKind;
  readonly rows: number;
  readonly settleMs: number;
  readonly concurrency: number;
  /** Kills itself at so many-th of the named points that it comes to; 0 never. */
  readonly killAt: number;
  /** Says when it begins to send, for a parent that kills it. */
  readonly tells: boolean;
}

const input = JSON.parse(process.argv[2] ?? "{}") as DriverInput;
const { folder, baseUrl, apiKey, kind, rows } = input;
let points = 0;

const atPoint = (point: string) => {
  points += 1;
  if (points === input.killAt) process.kill(process.pid, "SIGKILL");
  if (point === "run-claimed" && input.tells) console.log("begun");
};

const { context, close } = await openBulk({ folder, baseUrl, apiKey });
const requests = () => streamed(plannedRows(kind, rows));
const [known] = listRuns(context);
const run =
  known?.id ??
  (await createRun(
    context,
    { kind, source: "-", sha256: "", results: null, reading: {}, rows, requests: rows },
    { atPoint },
  ));
if (isUnsent(readRun(context, run))) {
  await recordRequests(context, run, requests(), { signal: never, atPoint });
}
const { settleMs, concurrency } = input;
const end = await runBulk(context, run, {
  signal: never,
  stop: never,
  settleMs,
  concurrency,
  atPoint,
});
console.log(JSON.stringify({ run, end: end.kind }));
await close();
