/** A sandbox in a thread of its own, so that a busy one never holds up the keyboard. */
import type { Worker } from "node:worker_threads";
import { startThread } from "../program-files.ts";
import type { SandboxOptions } from "./options.ts";

interface EmbeddedSandbox {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Stops the sandbox; settles when its thread has ended. */
  close(): Promise<void>;
}

type Report = { readonly baseUrl: string; readonly apiKey: string } | { readonly error: string };

/** How long a thread may take to close before it is ended. */
const closeWithinMs = 2000;

/** Starts a sandbox in a worker. Rejects with the same Errors as `startSandbox`. */
export async function startEmbeddedSandbox(
  options: Omit<SandboxOptions, "now" | "observer"> = {},
): Promise<EmbeddedSandbox> {
  const worker = startThread("sandbox", { workerData: options });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const report = await firstReport(worker);
  if ("error" in report) {
    await ended;
    throw new Error(report.error);
  }
  // A fault inside the thread ends it; requests then fail as with any service that has stopped.
  worker.on("error", () => {});
  // A console that is leaving does not wait for its sandbox.
  worker.unref();
  return {
    baseUrl: report.baseUrl,
    apiKey: report.apiKey,
    close: async () => {
      worker.ref();
      worker.postMessage("close");
      const late = setTimeout(() => void worker.terminate(), closeWithinMs);
      await ended;
      clearTimeout(late);
    },
  };
}

function firstReport(worker: Worker): Promise<Report> {
  return new Promise((resolve, reject) => {
    worker.once("message", (report: Report) => resolve(report));
    worker.once("error", (error) => reject(error));
    worker.once("exit", (code) =>
      reject(new Error(`The sandbox's thread ended before it started (code ${code}).`)),
    );
  });
}
