/** Runs the tour through the sandbox, and saves the current step. */
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import { recentlyUsed } from "../state/used.ts";
import type { HistoryLog } from "./history.ts";
import type { Navigation } from "./navigation.ts";
import type { EndNotice, Notices } from "./notices.ts";
import { isSamePlace, type Place, pathTo } from "./places.ts";
import type { Sessions } from "./sessions.ts";
import { createStore, type ReadStore } from "./store.ts";
import { resumedStep, type TourStep, tourSteps } from "./tour-steps.ts";

/** The state of the tour. */
export interface TourState {
  /** The current step, or null while the tour is off. */
  readonly current: { readonly number: number; readonly step: TourStep } | null;
  readonly action: Action;
}

/** The tour through the sandbox. It advances when a step is done, and saves the current step. */
export interface Tour {
  readonly state: ReadStore<TourState>;
  /**
   * Starts or resumes the tour when the sandbox is open. Returns the places that lead to its step.
   */
  begin(): readonly Place[];
}

/**
 * Creates the tour of the console. It follows the places, the open session and the writes of the
 * session.
 */
export function createTour(parts: {
  readonly history: HistoryLog;
  readonly navigation: Navigation;
  readonly notices: Notices;
  readonly sessions: Sessions;
  readonly key: KeyWords;
}): Tour {
  const { history, navigation, notices, sessions, key } = parts;
  let step: number | null = null;
  let endNotice: EndNotice = () => {};
  const sandbox = () => {
    const state = sessions.state.get();
    return state.kind === "open" && state.session.profile.baseUrl === null ? state.session : null;
  };
  const put = (next: number | null, saved = next ?? 0) => {
    step = next;
    history.setTour(saved);
    update();
  };
  const update = () => state.set(stateNow());
  const advance = () => {
    const session = sandbox();
    const place = navigation.here();
    if (step === null || session === null || place === undefined) return;
    const watched = session.watch.snapshot().entries.length;
    const sent = session.tasks.forms.all.get().size;
    if (!tourSteps[step]?.done({ place, watched, sent })) return;
    put(step + 1);
    advance();
  };
  const begin = () => {
    // The notice of the pause or the end no longer applies.
    endNotice();
    const at = resumedStep(Number(recentlyUsed(history.state.get(), "tour")[0] ?? 0));
    put(at);
    return pathTo(tourSteps[at]?.from ?? { kind: "suppliers" });
  };
  const end = (at: number) => {
    const isLast = at === tourSteps.length - 1;
    put(null, isLast ? 0 : at);
    endNotice = notices.show(
      isLast
        ? `The tour has ended. ${key("tour")} starts it again.`
        : `Tour paused at step ${at + 1} of ${tourSteps.length}. ${key("tour")} resumes it.`,
    );
  };
  const resume = () => {
    const way = begin();
    const [to, place] = [way.at(-1), navigation.here()];
    if (to && place && !isSamePlace(to, place)) navigation.go(way);
    else advance();
  };
  const stateNow = (): TourState => {
    const at = step;
    const now = at === null ? undefined : tourSteps[at];
    const inSandbox = sandbox() !== null;
    if (at === null) {
      const needs = "The tour needs the sandbox: open it on the Profiles screen.";
      return { current: null, action: { run: resume, disabled: inSandbox ? null : needs } };
    }
    const label = at === tourSteps.length - 1 ? "end tour" : "pause tour";
    return {
      current: now && inSandbox ? { number: at + 1, step: now } : null,
      action: { run: () => end(at), label },
    };
  };
  const state = createStore(stateNow());
  navigation.stops.subscribe(advance);
  let follows: readonly (() => void)[] = [];
  sessions.state.subscribe(() => {
    for (const end of follows) end();
    const session = sandbox();
    follows =
      session === null
        ? []
        : [session.watch.subscribe(advance), session.tasks.forms.all.subscribe(advance)];
    update();
    advance();
  });
  return { state, begin };
}
