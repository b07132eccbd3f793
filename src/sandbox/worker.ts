/** Entry of the worker thread that runs an embedded sandbox beside the console. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { startSandbox } from "./index.ts";

if (parentPort === null)
  throw new Error("This is the sandbox's worker; it does not run on its own.");

void serve(parentPort);

/** A script cannot await. */
async function serve(port: MessagePort): Promise<void> {
  try {
    const sandbox = await startSandbox(workerData);
    port.on("message", (message) => {
      if (message !== "close") return;
      // The open port is all that keeps the thread alive once the server is closed.
      void sandbox.close().finally(() => port.close());
    });
    port.postMessage({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
  } catch (error) {
    port.postMessage({ error: error instanceof Error ? error.message : String(error) });
    port.close();
  }
}
