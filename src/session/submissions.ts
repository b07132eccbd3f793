import type { Again } from "../writes/guard.ts";
import type { Writes } from "../writes/open-writes.ts";
import type { WriteRequest } from "../writes/prepare.ts";
import { intend, type SubmitEvent, sendIntent, type WriteResult } from "../writes/submit.ts";
import type { RunningWrites } from "./running-writes.ts";
import { createStore, type Store } from "./store.ts";

/** What has become of a draft that was sent. */
export type Submission =
  /** It is being put on record; nothing can have left this machine. */
  | { readonly kind: "recording" }
  | {
      readonly kind: "sending";
      readonly journalId: number;
      /** Everything told so far, oldest first. */
      readonly told: readonly SubmitEvent[];
      /** Whether headers have left for the wire: from then on it may land. */
      readonly sent: boolean;
    }
  | {
      readonly kind: "ended";
      readonly told: readonly SubmitEvent[];
      /** One for each request that was sent, at least one; only the last can be unconfirmed. */
      readonly results: readonly [WriteResult, ...WriteResult[]];
      /** What kept the next request from being recorded or sent; null when nothing did. */
      readonly failure: { readonly error: unknown } | null;
    }
  /** It was refused before it was sent, or the journal failed. */
  | { readonly kind: "failed"; readonly error: unknown; readonly journalId: number | null };

export interface SubmissionOptions {
  readonly writes: () => Promise<Writes>;
  /** Sent one after another; what follows one that was not confirmed is not sent. */
  readonly requests: readonly WriteRequest[];
  readonly again: Again | null;
  /** Called once a request is in the journal, before it is sent; it must not throw. */
  readonly onRecorded?: (journalId: number) => void;
  /** Called once when it has ended, whatever screen is up; it must not throw. */
  readonly onEnd: (end: Submission) => void;
}

/**
 * The drafts that are being sent. Like the running writes they belong to the session: leaving the
 * screen ends nothing, and one draft is never under way twice.
 */
export interface Submissions {
  /** By the draft's id; how the last one ended stays to be read. */
  readonly all: Store<ReadonlyMap<string, Submission>>;
  /** False when this draft is under way already. */
  start(draft: string, options: SubmissionOptions): boolean;
  cancel(draft: string): void;
  /** Cuts a countdown short, if there is one. */
  skip(draft: string): void;
  /** Cancels everything and waits until each end is on record; `reason` as in RunningWrites. */
  stop(reason?: unknown): Promise<void>;
}

/** Whether a submission has not come to its end. */
export function isUnderWay(submission: Submission | null | undefined): boolean {
  return submission?.kind === "recording" || submission?.kind === "sending";
}

/** No drafts under way. */
export function createSubmissions(running: RunningWrites): Submissions {
  const all = createStore<ReadonlyMap<string, Submission>>(new Map());
  const runs = new Map<string, { readonly stop: AbortController; over: Promise<void> }>();
  const put = (draft: string, next: Submission) => all.set(new Map([...all.get(), [draft, next]]));
  const tell = (draft: string, journalId: number, event: SubmitEvent) => {
    const before = all.get().get(draft);
    const told = before?.kind === "sending" ? before.told : [];
    const sent = before?.kind === "sending" && before.sent;
    put(draft, {
      kind: "sending",
      journalId,
      told: [...told, event],
      sent: event.kind === "headers-sent" || (sent && event.kind !== "queued"),
    });
  };
  const sendOne = async (
    draft: string,
    { context }: Writes,
    request: WriteRequest,
    { again, onRecorded }: SubmissionOptions,
    stop: AbortSignal,
  ): Promise<WriteResult> => {
    const id = await intend(context, request, { signal: stop, ...(again ? { again } : {}) });
    onRecorded?.(id);
    tell(draft, id, { kind: "queued", journalId: id });
    const end = await running.start(id, "sending", async (given) => {
      stop.addEventListener("abort", () => running.cancel(id, stop.reason), { once: true });
      const result = await sendIntent(context, id, {
        signal: stop.aborted ? stop : given.signal,
        ...(again ? { again } : {}),
        onEvent: (event) => {
          given.onEvent(event);
          if (event.kind !== "outcome") tell(draft, id, event);
        },
      });
      return { outcome: result.outcome, result };
    });
    if (end?.kind === "failed") throw end.error;
    if (!end?.result) throw new Error(`entry ${id} is being sent elsewhere`);
    return end.result;
  };
  const send = async (
    draft: string,
    options: SubmissionOptions,
    stop: AbortSignal,
  ): Promise<Submission> => {
    const { writes, requests } = options;
    const results: WriteResult[] = [];
    let failure: { readonly error: unknown } | null = null;
    try {
      const opened = await writes();
      for (const request of requests) {
        // Whoever stopped the last one wants none of the others.
        if (results.length > 0 && stop.aborted) break;
        const result = await sendOne(draft, opened, request, options, stop);
        results.push(result);
        if (result.outcome !== "confirmed") break;
      }
    } catch (error) {
      failure = { error };
    }
    const now = all.get().get(draft);
    const [first, ...others] = results;
    if (first) {
      const told = now?.kind === "sending" ? now.told : [];
      return { kind: "ended", told, results: [first, ...others], failure };
    }
    const journalId = now?.kind === "sending" ? now.journalId : null;
    return { kind: "failed", error: failure?.error, journalId };
  };
  return {
    all,
    start(draft, options) {
      if (isUnderWay(all.get().get(draft))) return false;
      const stop = new AbortController();
      put(draft, { kind: "recording" });
      const over = send(draft, options, stop.signal).then((end) => {
        runs.delete(draft);
        // What must be kept is kept before it is shown.
        options.onEnd(end);
        put(draft, end);
      });
      runs.set(draft, { stop, over });
      return true;
    },
    cancel: (draft) => runs.get(draft)?.stop.abort(),
    skip(draft) {
      const now = all.get().get(draft);
      const last = now?.kind === "sending" ? now.told.at(-1) : undefined;
      if (last?.kind === "waiting") last.skip();
    },
    async stop(reason) {
      const open = [...runs.values()];
      for (const { stop } of open) stop.abort(reason);
      await Promise.all(open.map(({ over }) => over));
    },
  };
}
