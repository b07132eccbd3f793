/**
 * Promise: time that the process spent stopped, or that the clock was set back by, neither ends a call
 * early nor makes it endless.
 */
import { Worker } from "node:worker_threads";
import { systemClock } from "../../src/api/clock.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openService } from "../helpers/service.ts";
import { connected, errorFrom } from "./connected.ts";

/** A server in a thread of its own, which answers while this thread stands still. */
async function otherThread(): Promise<string> {
  const worker = new Worker(
    `const { createServer } = require("node:http");
     const { parentPort } = require("node:worker_threads");
     const server = createServer((request, response) => {
       parentPort.postMessage("asked");
       setTimeout(() => response.end('{"status":"COMPLETED","service_account_number":"A-1"}'), 300);
     });
     server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise((resolve) => worker.once("message", resolve));
  worker.once("message", () => {
    // Everything in this process stands still for longer than the limit, as after Ctrl-Z.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800);
  });
  return `http://127.0.0.1:${port}`;
}

test("an answer that arrived while the process was stopped is read before the limit ends the call", async () => {
  const { service } = connected(await otherThread(), { clock: systemClock });
  const { value } = await service.accounts.status("ACME", "EXT-1", { retries: 0, timeoutMs: 600 });
  expect(value.status).toBe("COMPLETED");
});

test.each([-3_600_000, -2 * 86_400_000])(
  "a clock that is set back by %d ms does not lengthen a call",
  async (setMs) => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const { baseUrl } = await openService(() => asked.resolve());
    const { service } = connected(baseUrl, { clock });
    const call = errorFrom(service.accounts.status("ACME", "EXT-1", { timeoutMs: 3_000 }));
    await asked.promise;
    clock.set(setMs);
    await clock.advance(3_000);
    expect(await call).toMatchObject({ kind: "timeout" });
  },
);
