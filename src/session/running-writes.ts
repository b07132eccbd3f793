import type { State } from "../writes/journal/entry.ts";
import type { SubmitEvent, WriteResult } from "../writes/submit.ts";
import { createStore, type Store } from "./store.ts";

/** What is being done with a journalled write, or how that ended. */
export type WriteProgress =
  | {
      readonly kind: "running";
      /** For example `verifying`. */
      readonly doing: string;
      /** The last thing that was told; null before the first. */
      readonly event: SubmitEvent | null;
      /** Whether headers have left for the wire in this run: from then on it may land. */
      readonly sent: boolean;
    }
  | ({ readonly kind: "ended"; readonly doing: string } & Came)
  | { readonly kind: "failed"; readonly doing: string; readonly error: unknown };

/** What came of a run: the entry's outcome, and the result of what was last sent or looked up, if any. */
export interface Came {
  readonly outcome: State;
  readonly result: WriteResult | null;
}

/** How a run ended. */
export type WriteEnd = Exclude<WriteProgress, { readonly kind: "running" }>;

/** What a run is given: the way to stop it, and where to tell how it goes. */
export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: SubmitEvent) => void;
}

/**
 * The writes that this session is verifying or sending again. They belong to the session, not to a
 * screen: leaving the screen does not end them, leaving the profile does.
 */
export interface RunningWrites {
  /** By journal id; what has ended stays to be read. */
  readonly progress: Store<ReadonlyMap<number, WriteProgress>>;
  /** Never rejects. Null when one is under way for this entry already. */
  start(
    id: number,
    doing: string,
    work: (options: RunOptions) => Promise<Came>,
  ): Promise<WriteEnd> | null;
  /** `reason` as for an AbortController; see `Ending`. */
  cancel(id: number, reason?: unknown): void;
  /** Cuts short what is being waited for, if anything. */
  skip(id: number): void;
  /** Cancels everything and waits until each end is on record. */
  stop(reason?: unknown): Promise<void>;
}

interface Run {
  readonly stop: AbortController;
  readonly over: Promise<WriteEnd>;
}

/** An empty set of running writes. */
export function createRunningWrites(): RunningWrites {
  const progress = createStore<ReadonlyMap<number, WriteProgress>>(new Map());
  const runs = new Map<number, Run>();
  const put = (id: number, next: WriteProgress) =>
    progress.set(new Map([...progress.get(), [id, next]]));
  const tell = (id: number, doing: string, event: SubmitEvent) => {
    const before = progress.get().get(id);
    const sent = before?.kind === "running" && before.sent;
    put(id, { kind: "running", doing, event, sent: sent || event.kind === "headers-sent" });
  };
  return {
    progress,
    start(id, doing, work) {
      if (runs.has(id)) return null;
      const stop = new AbortController();
      put(id, { kind: "running", doing, event: null, sent: false });
      const options: RunOptions = {
        signal: stop.signal,
        onEvent: (event) => tell(id, doing, event),
      };
      const over = work(options)
        .then(
          (came): WriteEnd => ({ kind: "ended", doing, ...came }),
          (error: unknown): WriteEnd => ({ kind: "failed", doing, error }),
        )
        .then((end) => {
          runs.delete(id);
          put(id, end);
          return end;
        });
      runs.set(id, { stop, over });
      return over;
    },
    cancel: (id, reason) => runs.get(id)?.stop.abort(reason),
    skip(id) {
      const now = progress.get().get(id);
      if (now?.kind === "running" && now.event?.kind === "waiting") now.event.skip();
    },
    async stop(reason) {
      const open = [...runs.values()];
      for (const run of open) run.stop.abort(reason);
      await Promise.all(open.map((run) => run.over));
    },
  };
}
