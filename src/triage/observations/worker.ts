/**
 * The entry point of the worker thread that stores observations, so that no key waits for the disk.
 */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isAppError } from "../../errors/app-error.ts";
import { type ObservationDatabase, openEngine } from "./engine.ts";
import { buffersIn, type PostedError, type WorkerRequest } from "./worker-messages.ts";

if (parentPort === null) throw new Error("This worker stores observations; it does not run alone.");

function posted(error: unknown): PostedError {
  if (isAppError(error, "file")) {
    const { message, kind, facts } = error;
    return { message, kind, facts: { ...facts, cause: undefined } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, kind: null, facts: {} };
}

void serve(parentPort);

/** Opens the engine and answers calls. A script cannot use `await` outside a function. */
async function serve(port: MessagePort): Promise<void> {
  try {
    const { engine } = await openEngine(workerData.folder);
    const calls = engine as unknown as Record<
      keyof ObservationDatabase,
      (...args: readonly unknown[]) => unknown
    >;
    port.on("message", ({ id, call, args }: WorkerRequest) => {
      try {
        const value = calls[call](...args);
        port.postMessage({ id, value }, call === "ages" || call === "take" ? buffersIn(value) : []);
      } catch (error) {
        port.postMessage({ id, error: posted(error) });
      }
      if (call === "close") port.close();
    });
    port.postMessage({ id: 0, value: null });
  } catch (error) {
    port.postMessage({ id: 0, error: posted(error) });
    port.close();
  }
}
