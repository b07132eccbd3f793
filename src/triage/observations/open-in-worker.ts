/** Opens the observations in a worker thread, and sends calls to it. */
import { AppError } from "../../errors/app-error.ts";
import { startThread } from "../../program-files.ts";
import type { EngineCall, ObservationDatabase } from "./engine.ts";
import { buffersIn, type PostedError, type WorkerResponse } from "./worker-messages.ts";

/**
 * Opens the file of a folder in a worker thread, which runs one call at a time. Returns a function
 * that calls the engine in the thread. Its `close` call resolves when the thread has ended. Rejects
 * with a file error.
 */
export async function openInWorker(folder: string | null): Promise<EngineCall> {
  const worker = startThread("observations", {
    workerData: { folder },
    // Rows are in typed arrays, and all other objects are short-lived.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  let ended: Error | null = null;

  const answerTo = (id: number): Promise<unknown> => {
    if (ended !== null) return Promise.reject(ended);
    const wait = Promise.withResolvers<unknown>();
    waiting.set(id, wait);
    // The program must not end before it has the answer.
    worker.ref();
    return wait.promise;
  };
  const settled = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const wait = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return wait;
  };
  const end = (error: Error) => {
    ended ??= error;
    for (const id of [...waiting.keys()]) settled(id)?.reject(ended);
  };
  worker.on("message", (answer: WorkerResponse) => {
    const wait = settled(answer.id);
    if ("error" in answer) wait?.reject(errorOf(answer.error));
    else wait?.resolve(answer.value);
  });
  worker.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  const exited = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      end(new Error("The thread that stores observations has ended."));
      resolve();
    });
  });

  await answerTo(0);
  const ask = async (name: keyof ObservationDatabase, ...args: readonly unknown[]) => {
    asked += 1;
    const answer = answerTo(asked);
    // The columns of rows were copied for the thread, so they can be transferred.
    const given = name === "take" ? buffersIn(args.at(-1)) : [];
    worker.postMessage({ id: asked, call: name, args }, given);
    const value = await answer;
    if (name === "close") {
      // The thread must end before the process ends or the folder is removed.
      worker.ref();
      await exited;
    }
    return value;
  };
  return ask as EngineCall;
}

function errorOf({ message, kind, facts }: PostedError): Error {
  return kind === null ? new Error(message) : new AppError("file", kind, message, facts);
}
