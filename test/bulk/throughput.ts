/**
 * How fast and how steadily a run goes: `node test/bulk/throughput.ts [rows] [concurrency] [accounts]`,
 * 10,000 notes, 16 and 1,000 by default, against a sandbox in a process of its own, the journal on
 * disk. Prints its figures as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun, readRun } from "../../src/bulk/runs.ts";
import { never, noteRequest, openBulk, streamed } from "./bulking.ts";
import { importedAccounts, sandboxProcess } from "./sandbox-process.ts";

const [rows = 10_000, concurrency = 16, most = 1_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "supplyline-throughput-"));
const sandbox = await sandboxProcess();
const accounts = (await importedAccounts(sandbox)).slice(0, most);
const { context, close } = await openBulk({ folder, ...sandbox });

function* requests() {
  for (let n = 0; n < rows; n++) {
    yield noteRequest(n + 2, `note ${n}`, accounts[n % accounts.length]);
  }
}

const delay = monitorEventLoopDelay({ resolution: 1 });
const loop = () => ({
  p50: Math.round(delay.percentile(50) / 1e5) / 10,
  p99: Math.round(delay.percentile(99) / 1e5) / 10,
  max: Math.round(delay.max / 1e5) / 10,
});
const since = (began: number) => Math.round(performance.now() - began);

delay.enable();
let began = performance.now();
const run = await createRun(context, {
  kind: "notes",
  source: "-",
  sha256: "",
  results: null,
  reading: {},
  rows,
  requests: rows,
});
await recordRequests(context, run, streamed(requests()), { signal: never });
const recording = { ms: since(began), perSecond: 0, loopMs: loop() };
recording.perSecond = Math.round((rows * 1000) / recording.ms);

delay.reset();
began = performance.now();
const memory: number[] = [];
let limit = 0;
const end = await runBulk(context, run, {
  signal: never,
  stop: never,
  concurrency,
  onProgress: (progress) => {
    limit = Math.max(limit, progress.limit);
    memory.push(Math.round(process.memoryUsage().rss / 1e6));
  },
  onRow: () => {},
});
const ms = since(began);
const tenths = Array.from({ length: 10 }, (_, n) => memory[Math.floor((n * memory.length) / 10)]);
const sending = { ms, perSecond: Math.round((rows * 1000) / ms), limit, loopMs: loop() };
const { confirmed } = readRun(context.writes, run).counts;
console.log(JSON.stringify({ rows, end: end.kind, confirmed, recording, sending, rssMb: tenths }));
await close();
await sandbox.close();
rmSync(folder, { recursive: true, force: true });
