import {
  createContext,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { Action } from "../keys/scopes.ts";
import type { Session } from "../session/open-session.ts";
import { isSamePlace, type Place, pathTo } from "../session/places.ts";
import { createStore } from "../session/store.ts";
import { resumedStep, type TourStep, tourSteps } from "../session/tour-steps.ts";
import { useApp, usePlace, useSessionState } from "./app.tsx";
import { useRequired, useStore } from "./context.ts";

/** The tour through the sandbox. */
export interface Tour {
  /** The current step; null while the tour is off. */
  readonly current: { readonly number: number; readonly step: TourStep } | null;
  readonly action: Action;
  /**
   * Starts or resumes the tour when the sandbox is open; returns the places that lead to its step.
   */
  begin(): readonly Place[];
}

const TourContext = createContext<Tour | null>(null);

const nothingSent = createStore<ReadonlyMap<string, unknown>>(new Map());

/** Advances the tour as its steps are done, and saves the step. */
export function TourProvider(props: { readonly children: ReactNode }) {
  const { history, navigation, notices, key } = useApp();
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  const inSandbox = session !== null && session.profile.baseUrl === null;
  const [step, setStep] = useState<number | null>(null);
  const place = usePlace();
  const watched = useWatchedCount(session);
  const sent = useStore(session?.tasks.forms.all ?? nothingSent).size;
  const said = useRef<string | null>(null);
  const now = step === null ? undefined : tourSteps[step];
  useEffect(() => {
    if (step === null || !inSandbox || !place || !now?.done({ place, watched, sent })) return;
    setStep(step + 1);
    history.setTour(step + 1);
  }, [step, now, inSandbox, place, watched, sent, history]);
  const tour = useMemo<Tour>(() => {
    const begin = () => {
      // The notice of the pause or the end no longer applies.
      if (said.current !== null && notices.current.get()?.text === said.current) {
        notices.current.set(null);
      }
      const at = resumedStep(history.state.get().tour ?? 0);
      setStep(at);
      history.setTour(at);
      return pathTo(tourSteps[at]?.from ?? { kind: "suppliers" });
    };
    const end = (at: number) => {
      setStep(null);
      const isLast = at === tourSteps.length - 1;
      history.setTour(isLast ? null : at);
      said.current = isLast
        ? `The tour is over. ${key("tour")} starts it again.`
        : `Tour paused at step ${at + 1} of ${tourSteps.length}. ${key("tour")} resumes it.`;
      notices.show(said.current);
    };
    const resume = () => {
      const way = begin();
      const to = way.at(-1);
      if (to && place && !isSamePlace(to, place)) navigation.go(way);
    };
    return {
      current: now && step !== null && inSandbox ? { number: step + 1, step: now } : null,
      begin,
      action:
        step === null
          ? {
              run: resume,
              disabled: inSandbox
                ? null
                : "The tour needs the sandbox: open it on the Profiles screen.",
            }
          : {
              run: () => end(step),
              label: step === tourSteps.length - 1 ? "end tour" : "pause tour",
            },
    };
  }, [history, navigation, notices, inSandbox, now, step, place, key]);
  return <TourContext value={tour}>{props.children}</TourContext>;
}

function useWatchedCount(session: Session | null): number {
  return useSyncExternalStore(
    session?.watch.subscribe ?? never,
    () => session?.watch.snapshot().entries.length ?? 0,
  );
}

function never(): () => void {
  return () => {};
}

/** The tour, and the ways to start and pause it. */
export function useTour(): Tour {
  return useRequired(TourContext, "TourProvider");
}
