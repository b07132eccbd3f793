/** The entry point of the worker thread that runs an embedded sandbox. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { SandboxReport, SandboxRequest } from "./embedded.ts";
import { startSandbox } from "./index.ts";

if (parentPort === null)
  throw new Error("This file is the worker thread of the sandbox. It cannot be run directly.");

void serve(parentPort);

async function serve(port: MessagePort): Promise<void> {
  try {
    const sandbox = await startSandbox(workerData);
    port.on("message", (message: SandboxRequest) => {
      if (message === "past") {
        void sandbox.pastLists().then((past) => {
          port.postMessage(
            { past } satisfies SandboxReport,
            past.map(({ body }) => body.buffer),
          );
        });
        return;
      }
      // Only the open port keeps the thread alive after the server is closed.
      void sandbox.close().finally(() => port.close());
    });
    const { baseUrl, apiKey } = sandbox;
    port.postMessage({ baseUrl, apiKey } satisfies SandboxReport);
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.message : String(error) });
    port.close();
  }
}
