import { useCallback, useEffect, useRef, useState } from "react";
import { isServiceError } from "../api/errors.ts";
import type { Answer } from "../api/service.ts";
import type { Actions } from "../keys/scopes.ts";
import type { Finality } from "../watch/final.ts";
import { poll } from "../watch/poll.ts";
import { notFound, observe, type Transition } from "../watch/transitions.ts";
import { useActive } from "./active.tsx";
import { useConsole } from "./console.tsx";
import { useFreshness } from "./freshness.tsx";
import { useCancellable } from "./in-flight.tsx";
import { useKeyWords } from "./keys.tsx";
import { useReading } from "./reading.ts";
import { useSession } from "./session.tsx";

/** Something the service is asked for again and again, and what was seen. */
export interface Follow<T> {
  /** The last answer that could be read. */
  readonly latest: Answer<T> | null;
  /** What the last look failed with; null when it went well. A 404 is no failure but a state. */
  readonly error: unknown;
  readonly transitions: readonly Transition[];
  readonly looking: boolean;
  readonly lookedAt: number | null;
  readonly nextAt: number | null;
  readonly everyMs: number;
  readonly paused: boolean;
  readonly final: boolean;
  /** The last body as it came, of an error too; null before the first answer. */
  readonly raw: string | null;
  togglePause(): void;
  refresh(): void;
}

interface Seen<T> {
  readonly latest: Answer<T> | null;
  readonly error: unknown;
  readonly transitions: readonly Transition[];
  readonly looking: boolean;
  readonly lookedAt: number | null;
  readonly nextAt: number | null;
  readonly raw: string | null;
}

const nothingSeen: Seen<never> = {
  latest: null,
  error: null,
  transitions: [],
  looking: false,
  lookedAt: null,
  nextAt: null,
  raw: null,
};

/**
 * Polls while the screen is on top, nothing is paused and no final state was reached. What was seen
 * is kept while the screen is covered; then it looks again at once.
 */
export function useFollow<T>(options: {
  readonly look: (signal: AbortSignal) => Promise<Answer<T>>;
  readonly stateOf: (value: T) => string;
  readonly finality: (timeline: readonly Transition[]) => Finality;
}): Follow<T> {
  const { look, stateOf, finality } = options;
  const { clock, settings } = useConsole();
  const { report } = useSession();
  const active = useActive();
  const [seen, setSeen] = useState<Seen<T>>(nothingSeen);
  const [paused, setPaused] = useState(false);
  const [turn, setTurn] = useState(0);
  const asked = useRef(0);
  // Kept in a file: it is read when the screen opens, not whenever it is drawn.
  const [everyMs] = useState(() => settings.preferences().pollIntervalMs);
  const final = finality(seen.transitions) !== "open";
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    const forced = turn !== asked.current;
    asked.current = turn;
    if (!active || ((paused || final) && !forced)) return;
    const stop = new AbortController();
    running.current = stop;
    const follow = async () => {
      for await (const event of poll({
        look,
        intervalMs: everyMs,
        clock,
        signal: stop.signal,
      })) {
        if (event.kind === "looking") {
          setSeen((before) => ({ ...before, looking: true, nextAt: null }));
          continue;
        }
        const outcome = event.kind === "answer" ? null : event.error;
        report(outcome);
        setSeen((before) => ({ ...before, ...after(before, event, stateOf) }));
        if (forced && (paused || final)) return;
      }
    };
    follow().finally(() => {
      if (running.current === stop) setSeen((before) => ({ ...before, looking: false }));
    });
    return () => stop.abort();
  }, [look, stateOf, clock, report, everyMs, active, paused, final, turn]);
  const cancel = useCallback(() => {
    running.current?.abort();
    setPaused(true);
  }, []);
  useCancellable(active && seen.looking, cancel);
  useFreshness(final ? null : seen.lookedAt, everyMs * 3);
  return {
    ...seen,
    everyMs,
    paused,
    final,
    togglePause: () => setPaused((before) => !before),
    refresh: () => setTurn((count) => count + 1),
  };
}

type Outcome<T> =
  | {
      readonly kind: "answer";
      readonly at: number;
      readonly value: Answer<T>;
      readonly nextAt: number;
    }
  | {
      readonly kind: "failed";
      readonly at: number;
      readonly error: unknown;
      readonly nextAt: number;
    };

function after<T>(
  before: Seen<T>,
  event: Outcome<T>,
  stateOf: (value: T) => string,
): Partial<Seen<T>> {
  const common = { looking: false, nextAt: event.nextAt };
  if (event.kind === "answer") {
    return {
      ...common,
      latest: event.value,
      error: null,
      raw: event.value.raw,
      lookedAt: event.at,
      transitions: observe(before.transitions, stateOf(event.value.value), event.at),
    };
  }
  const body = isServiceError(event.error) ? (event.error.facts.body ?? before.raw) : before.raw;
  if (isServiceError(event.error, "not-found")) {
    return {
      ...common,
      latest: null,
      error: null,
      raw: body,
      lookedAt: event.at,
      transitions: observe(before.transitions, notFound, event.at),
    };
  }
  return { ...common, error: event.error, raw: body };
}

/** The keys every followed screen has: refresh, pause, and the answer as it came. */
export function useFollowActions(follow: Follow<unknown>, title: string): Actions {
  const reading = useReading();
  const key = useKeyWords();
  const { raw } = follow;
  return {
    refresh: {
      run: follow.refresh,
      disabled: follow.looking ? "A look is under way; Ctrl-C cancels it." : null,
    },
    pause: {
      run: follow.togglePause,
      label: follow.paused ? "resume" : "pause",
      disabled: follow.final
        ? `Polling has ended: this state is final. ${key("refresh")} looks again.`
        : null,
    },
    ...reading({ title, raw: raw ?? "" }, raw === null ? "No answer has come yet." : null),
  };
}
