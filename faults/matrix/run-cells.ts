/** Runs cells in processes of their own, so that a machine's cores are used and a fault is contained. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { CellResult } from "./cell-stage.ts";
import type { Cell } from "./plan.ts";

export interface RunningOptions {
  /** Folder for the journals. */
  readonly where: string;
  readonly processes: number;
  /** Cells at a time in each process. */
  readonly together: number;
  /** Arguments for Node, such as what loads a sabotaged client. */
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onResult?: (result: CellResult) => void;
}

/** A cell that takes longer for each of its writes has met something that never ends. */
const longestWriteMs = 2000;
const longestStartMs = 60_000;

/** Resolves with one result for each cell. */
export async function runCells(
  cells: readonly Cell[],
  options: RunningOptions,
): Promise<readonly CellResult[]> {
  // Long ones first, so that no process is left alone with one at the end.
  const waiting = cells.toSorted((one, other) => one.writes - other.writes);
  const results: CellResult[] = [];
  const keep = (result: CellResult) => {
    results.push(result);
    options.onResult?.(result);
  };
  const work = async () => {
    for (let next = waiting.at(-1); next !== undefined; next = waiting.at(-1)) {
      await inOneProcess(waiting, options, keep);
    }
  };
  await Promise.all(Array.from({ length: options.processes }, work));
  return results;
}

/** Feeds one process until nothing is waiting, or it has ended. */
function inOneProcess(
  waiting: Cell[],
  options: RunningOptions,
  keep: (result: CellResult) => void,
): Promise<void> {
  const child = fork(join(import.meta.dirname, "worker.ts"), [options.where], {
    execArgv: [...(options.execArgv ?? [])],
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const running = new Map<string, { readonly cell: Cell; readonly timer: NodeJS.Timeout }>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const feed = () => {
    while (running.size < options.together) {
      const cell = waiting.pop();
      if (cell === undefined) break;
      const timer = setTimeout(
        () => {
          giveUp(cell, "it did not end");
          child.kill("SIGKILL");
        },
        longestStartMs + cell.writes * longestWriteMs,
      );
      running.set(nameOf(cell), { cell, timer });
      child.send(cell);
    }
    if (running.size === 0 && child.connected) child.disconnect();
  };
  const giveUp = (cell: Cell, what: string) => {
    clearTimeout(running.get(nameOf(cell))?.timer);
    running.delete(nameOf(cell));
    const violations = [{ invariant: "the campaign itself", what }];
    keep({ cell, writes: 0, injected: 0, outcomes: {}, violations, recoveryMs: 0 });
  };
  child.on("message", ({ result }: { readonly result: CellResult }) => {
    clearTimeout(running.get(nameOf(result.cell))?.timer);
    running.delete(nameOf(result.cell));
    keep(result);
    feed();
  });
  onEnd(child, () => {
    for (const { cell } of [...running.values()]) giveUp(cell, "its process ended");
    resolve();
  });
  feed();
  return promise;
}

function onEnd(child: ChildProcess, ended: () => void): void {
  child.once("error", ended);
  child.once("exit", ended);
}

function nameOf({ fault, endpoint, kind }: Cell): string {
  return JSON.stringify([fault, endpoint, kind]);
}
