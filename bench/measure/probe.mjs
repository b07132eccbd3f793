// Loaded into the program with NODE_OPTIONS=--import: how late its event loop is. On SIGUSR2 it
// appends the figures since the last one to BENCH_PROBE, as a line of JSON, and starts anew.
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.BENCH_PROBE;
if (isMainThread && file) {
  const resolution = 1;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  // What the histogram holds includes the wait that was asked for.
  const late = (ns) => Math.max(0, ns / 1e6 - resolution);
  process.on("SIGUSR2", () => {
    appendFileSync(
      file,
      `${JSON.stringify({ p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) })}\n`,
    );
    delay.reset();
  });
}
