/** Runs a sandbox in a separate thread, so that a busy sandbox never delays the keyboard. */
import type { Worker } from "node:worker_threads";
import { startThread } from "../program-files.ts";
import type { PastList } from "./lists.ts";
import type { SandboxOptions } from "./options.ts";

interface EmbeddedSandbox {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Returns lists of times before the start, which no request returns. */
  pastLists(): Promise<readonly PastList[]>;
  close(): Promise<void>;
}

export type SandboxRequest = "past" | "close";

interface Started {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Messages of the thread. The first reports the start or its error, the next answers `past`. */
export type SandboxReport =
  | Started
  | { readonly error: string }
  | { readonly past: readonly PastList[] };

const closeTimeoutMs = 2000;

/** Starts a sandbox in a worker. Rejects with the same Errors as `startSandbox`. */
export async function startEmbeddedSandbox(
  options: Omit<SandboxOptions, "now" | "observer"> = {},
): Promise<EmbeddedSandbox> {
  const worker = startThread("sandbox", { workerData: options });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const report = await nextReport<Started | { readonly error: string }>(worker);
  if ("error" in report) {
    await ended;
    throw new Error(report.error);
  }
  // An error in the thread ends it. Requests then fail as with any service that has stopped.
  worker.on("error", () => {});
  // The thread does not keep the program running.
  worker.unref();
  const send = (request: SandboxRequest) => {
    worker.ref();
    worker.postMessage(request);
  };
  return {
    baseUrl: report.baseUrl,
    apiKey: report.apiKey,
    pastLists: async () => {
      send("past");
      try {
        return (await nextReport<{ readonly past: readonly PastList[] }>(worker)).past;
      } finally {
        worker.unref();
      }
    },
    close: async () => {
      send("close");
      const timer = setTimeout(() => void worker.terminate(), closeTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Resolves with the next message of the thread. Rejects if the thread ends first. */
function nextReport<Report extends SandboxReport>(worker: Worker): Promise<Report> {
  return new Promise((resolve, reject) => {
    worker.once("message", (report: Report) => resolve(report));
    worker.once("error", (error) => reject(error));
    worker.once("exit", (code) =>
      reject(new Error(`The sandbox's thread ended before it answered (code ${code}).`)),
    );
  });
}
