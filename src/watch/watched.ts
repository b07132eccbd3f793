import { isServiceError } from "../api/errors.ts";
import type { Finality } from "./final.ts";
import type { PollEvent } from "./poll.ts";
import { finalityOf, type KeptWatch, keyOf, sinceWatched, type WatchSubject } from "./subject.ts";
import { notFound, observe, type Transition } from "./transitions.ts";

/** What a look found. */
export interface Sighting {
  readonly state: string;
  /** The service's own number for it; empty while there is none. */
  readonly serviceNumber: string;
}

/** A watched subject as far as it is worth drawing again when it changes. */
export interface Watched extends WatchSubject {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly addedAt: number;
  /** Empty before the first look. */
  readonly timeline: readonly Transition[];
  readonly finality: Finality;
  readonly serviceNumber: string;
  /** What the last look failed with; null when it went well. A 404 is a state, not a failure. */
  readonly trouble: unknown;
}

/** How looking at one of them goes; it moves on with every look, and nobody is told. */
export interface WatchProgress {
  readonly looking: boolean;
  /** Of the last answer that said something, a 404 included. Epoch milliseconds. */
  readonly lookedAt: number | null;
  readonly nextAt: number | null;
  readonly looks: number;
  readonly failures: number;
}

/** A subject and how looking at it goes. */
export interface Looked {
  readonly watched: Watched;
  readonly progress: WatchProgress;
}

/** How a look ended. */
export type LookEnd = Exclude<PollEvent<Sighting>, { kind: "looking" }>;

/** A kept subject before the first look of this run. */
export function fromKept(kept: KeptWatch): Looked {
  const { kind, supplier, number, addedAt, timeline } = kept;
  const finality = finalityOf(kind, sinceWatched(timeline, addedAt));
  const key = keyOf(kept);
  return {
    watched: {
      key,
      kind,
      supplier,
      number,
      addedAt,
      timeline,
      finality,
      serviceNumber: "",
      trouble: null,
    },
    progress: { looking: false, lookedAt: null, nextAt: null, looks: 0, failures: 0 },
  };
}

/**
 * A subject after one more look at it. The same `watched` object comes back when nothing about it
 * is worth drawing again; its timeline then stands as it was, but for when it was last seen.
 */
export function afterLook({ watched, progress }: Looked, end: LookEnd): Looked {
  const next: WatchProgress = {
    ...progress,
    looking: false,
    nextAt: end.nextAt,
    looks: progress.looks + 1,
  };
  if (end.kind === "failed" && !isServiceError(end.error, "not-found")) {
    return {
      watched: alike(watched.trouble, end.error) ? watched : { ...watched, trouble: end.error },
      progress: { ...next, failures: progress.failures + 1 },
    };
  }
  const seen = end.kind === "answer" ? end.value : { state: notFound, serviceNumber: "" };
  const seenAt = { ...next, lookedAt: end.at };
  const same =
    watched.timeline.at(-1)?.state === seen.state &&
    watched.serviceNumber === seen.serviceNumber &&
    watched.trouble === null;
  if (same) return { watched, progress: seenAt };
  const timeline = observe(seenUntil(watched.timeline, progress.lookedAt), seen.state, end.at);
  return {
    watched: {
      ...watched,
      timeline,
      finality: finalityOf(watched.kind, sinceWatched(timeline, watched.addedAt)),
      serviceNumber: seen.serviceNumber,
      trouble: null,
    },
    progress: seenAt,
  };
}

/** The timeline with its latest state seen until then, which is not put down look by look. */
function seenUntil(timeline: readonly Transition[], lookedAt: number | null) {
  const latest = timeline.at(-1);
  return latest && lookedAt !== null ? observe(timeline, latest.state, lookedAt) : timeline;
}

/** Whether two failures would be told in the same words. */
function alike(one: unknown, other: unknown): boolean {
  if (!isServiceError(one) || !isServiceError(other)) return one === other;
  return one.kind === other.kind && one.facts.httpStatus === other.facts.httpStatus;
}
