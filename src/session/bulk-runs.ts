import type { Clock } from "../api/clock.ts";
import type { RunEnd, RunProgress } from "../bulk/progress.ts";
import { createStore, type Store } from "./store.ts";

/** A bulk run that this console is at, or how its last turn ended. */
export type RunTurn =
  /** Its rows are being written down; nothing is sent yet. */
  | { readonly kind: "recording"; readonly recorded: number; readonly stopping: boolean }
  /** `progress` is null before the first word of it. */
  | { readonly kind: "running"; readonly progress: RunProgress | null; readonly stopping: boolean }
  | { readonly kind: "over"; readonly end: RunEnd }
  | { readonly kind: "failed"; readonly error: unknown };

/** What the work is given. */
export interface TurnOptions {
  /** Aborted to launch nothing more; what is in flight is waited for. */
  readonly stop: AbortSignal;
  /** Aborted to cut off what is in flight. */
  readonly signal: AbortSignal;
  readonly onRecorded: (rows: number) => void;
  readonly onProgress: (progress: RunProgress) => void;
}

/**
 * The bulk runs this session is at. They belong to the session, not to a screen: leaving the screen
 * does not end them, leaving the profile does.
 */
export interface BulkRuns {
  /** By the run's id; how the last turn ended stays to be read. */
  readonly turns: Store<ReadonlyMap<string, RunTurn>>;
  /** Never rejects. Null when this run is under way here already. */
  start(run: string, work: (options: TurnOptions) => Promise<RunEnd>): Promise<RunTurn> | null;
  /** Sends nothing more and waits for what is in flight; a second time it cuts that off. */
  stop(run: string): void;
  /**
   * Stops all of them; what is in flight has `patienceMs`, and is then cut off. Resolves a little
   * later at the latest, also when a run does not end then: it can be resumed.
   */
  end(patienceMs: number): Promise<void>;
}

/** Whether a turn has not come to its end. */
export function isTurnOpen(
  turn: RunTurn | null | undefined,
): turn is Extract<RunTurn, { readonly stopping: boolean }> {
  return turn?.kind === "recording" || turn?.kind === "running";
}

/** The runs under way, by id. */
export function openRuns(turns: ReadonlyMap<string, RunTurn>): readonly string[] {
  return [...turns].flatMap(([run, turn]) => (isTurnOpen(turn) ? [run] : []));
}

/** A run that is left has so long for what is in flight, in milliseconds. */
export const runPatienceMs = 5_000;

/** What is cut off has so long to be put on record, in milliseconds. */
const cutOffMs = 2_000;

/** No runs under way. */
export function createBulkRuns(clock: Clock): BulkRuns {
  const turns = createStore<ReadonlyMap<string, RunTurn>>(new Map());
  const open = new Map<
    string,
    {
      readonly soft: AbortController;
      readonly hard: AbortController;
      readonly over: Promise<RunTurn>;
    }
  >();
  const put = (run: string, next: RunTurn) => turns.set(new Map([...turns.get(), [run, next]]));
  const stop = (run: string) => {
    const going = open.get(run);
    const turn = turns.get().get(run);
    if (going === undefined || !isTurnOpen(turn)) return;
    // What is being recorded has nothing in flight to be waited for.
    if (going.soft.signal.aborted || turn.kind === "recording") going.hard.abort();
    going.soft.abort();
    put(run, { ...turn, stopping: true });
  };
  return {
    turns,
    stop,
    start(run, work) {
      if (open.has(run)) return null;
      const soft = new AbortController();
      const hard = new AbortController();
      const stopping = () => soft.signal.aborted;
      put(run, { kind: "running", progress: null, stopping: false });
      const over = work({
        stop: soft.signal,
        signal: hard.signal,
        onRecorded: (recorded) => put(run, { kind: "recording", recorded, stopping: stopping() }),
        onProgress: (progress) => put(run, { kind: "running", progress, stopping: stopping() }),
      })
        .then(
          (end): RunTurn => ({ kind: "over", end }),
          (error: unknown): RunTurn => ({ kind: "failed", error }),
        )
        .then((turn) => {
          open.delete(run);
          put(run, turn);
          return turn;
        });
      open.set(run, { soft, hard, over });
      return over;
    },
    async end(patienceMs) {
      const left = [...open].map(([run, { soft, over }]) => {
        if (!soft.signal.aborted) stop(run);
        return over;
      });
      const waiting = new AbortController();
      const patience = async () => {
        await clock.sleep(patienceMs, waiting.signal);
        for (const { hard } of open.values()) hard.abort();
        await clock.sleep(cutOffMs, waiting.signal);
      };
      await Promise.race([Promise.all(left), patience().catch(() => {})]);
      waiting.abort();
    },
  };
}
