/** The tour through the sandbox: its steps, and the current step, which is saved. */
import type { ActionId } from "../keys/bindings.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import { recentlyUsed } from "../state/used.ts";
import type { HistoryLog } from "./history.ts";
import type { Navigation } from "./navigation.ts";
import type { EndNotice, Notices } from "./notices.ts";
import { isSamePlace, pathTo } from "./place-words.ts";
import type { Place } from "./places.ts";
import type { Sessions } from "./sessions.ts";
import { createStore, type ReadStore } from "./store.ts";

export interface TourState {
  readonly current: { readonly number: number; readonly step: TourStep } | null;
  readonly action: Action;
}

/** Creates the tour. It advances with the session's open places, watch list and sent forms. */
export function createTour(parts: {
  readonly history: HistoryLog;
  readonly navigation: Navigation;
  readonly notices: Notices;
  readonly sessions: Sessions;
  readonly key: KeyWords;
}) {
  const { history, navigation, notices, sessions, key } = parts;
  let step: number | null = null;
  let sentBefore: ReadonlySet<string> = new Set();
  let endNotice: EndNotice = () => {};
  const sandboxSession = () => {
    const state = sessions.state.get();
    return state.kind === "open" && state.session.profile.baseUrl === null ? state.session : null;
  };
  const setStep = (next: number | null, saved = next ?? 0) => {
    step = next;
    sentBefore = new Set(sandboxSession()?.tasks.forms.all.get().keys());
    history.setTour(saved);
    update();
  };
  const update = () => state.set(stateNow());
  const advance = () => {
    const session = sandboxSession();
    const place = navigation.here();
    if (step === null || session === null || place === undefined) return;
    const isWatched = session.watch.has({ kind: "account", supplier, number: pendingAccount });
    const hasSent = [...session.tasks.forms.all.get().keys()].some((id) => !sentBefore.has(id));
    if (!tourSteps[step]?.done({ place, isWatched, hasSent })) return;
    setStep(step + 1);
    advance();
  };
  /** Starts or resumes the tour. Returns the place of its step, with those above it. */
  const begin = () => {
    // The notice of the pause or the end no longer applies.
    endNotice();
    const resumed = resumedStep(Number(recentlyUsed(history.state.get(), "tour")[0] ?? 0));
    setStep(resumed);
    return pathTo(tourSteps[resumed]?.from ?? { kind: "suppliers" });
  };
  const leave = (index: number) => {
    const isLast = index === tourSteps.length - 1;
    setStep(null, isLast ? 0 : index);
    endNotice = notices.show(
      isLast
        ? `The tour has ended. ${key("tour")} starts it again.`
        : `Tour paused at step ${index + 1} of ${tourSteps.length}. ${key("tour")} resumes it.`,
    );
  };
  const resume = () => {
    const path = begin();
    const [start, place] = [path.at(-1), navigation.here()];
    if (start && place && !isSamePlace(start, place)) navigation.go(path);
    else advance();
  };
  const stateNow = (): TourState => {
    const index = step;
    const inSandbox = sandboxSession() !== null;
    if (index === null) {
      const needs = "The tour needs the sandbox: open it on the Profiles screen.";
      return { current: null, action: { run: resume, disabled: inSandbox ? null : needs } };
    }
    const current = tourSteps[index];
    const label = index === tourSteps.length - 1 ? "end tour" : "pause tour";
    return {
      current: current && inSandbox ? { number: index + 1, step: current } : null,
      action: { run: () => leave(index), label },
    };
  };
  const state = createStore(stateNow());
  navigation.stops.subscribe(advance);
  let unsubscribes: readonly (() => void)[] = [];
  sessions.state.subscribe(() => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    const session = sandboxSession();
    unsubscribes =
      session === null
        ? []
        : [session.watch.subscribe(advance), session.tasks.forms.all.subscribe(advance)];
    update();
    advance();
  });
  return { state: state as ReadStore<TourState>, begin };
}

interface TourView {
  readonly place: Place;
  /** True if the account of the watch step is on the watch list. */
  readonly isWatched: boolean;
  /** True if a form was sent since the step began. */
  readonly hasSent: boolean;
}

/** A step: its instruction, with the user's keys, and the condition that completes it. */
interface TourStep {
  readonly words: (key: (id: ActionId) => string) => string;
  readonly done: (view: TourView) => boolean;
  readonly from: Place;
  /** True if the step needs the screen as the previous step left it. */
  readonly needsPrevious?: true;
}

const supplier = "ACME";
const migratingSupplier = "NORTH";
const pendingAccount = "EXT-0000007";
const importedAccount = "EXT-0000001";

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier };
const accounts: Place = { kind: "accounts", supplier, tab: "all" };
const account = (number: string): Place => ({ kind: "account", supplier, account: number });

const isAccount = ({ place }: TourView, number: string) =>
  place.kind === "account" && place.account === number;

export const tourSteps: readonly TourStep[] = [
  {
    words: (key) =>
      `These are import suppliers, worst first. Select ${supplier}; ${key("open")} opens it.`,
    done: ({ place }) =>
      (place.kind === "overview" || place.kind === "accounts") && place.supplier === supplier,
    from: suppliers,
  },
  {
    words: (key) =>
      `The progress of its import, and when it could finish. ${key("open")} shows its accounts.`,
    done: ({ place }) => place.kind === "accounts",
    from: overview,
  },
  {
    words: (key) =>
      `Find one: ${key("filter")}, type 0000007, ${key("open")} keeps the filter, ${key("open")} opens the account.`,
    done: (view) => isAccount(view, pendingAccount),
    from: accounts,
  },
  {
    words: (key) =>
      `Its state is checked while it is open. ${key("watch")} watches it on every screen: the bell rings when it is imported.`,
    done: ({ isWatched }) => isWatched,
    from: account(pendingAccount),
  },
  {
    words: (key) =>
      `Go anywhere: ${key("palette")}, type ${supplier}/${importedAccount}, ${key("open")}. Pasting a number does the same.`,
    done: (view) => isAccount(view, importedAccount),
    from: account(pendingAccount),
  },
  {
    words: (key) =>
      `It is imported, so it takes notes: ${key("note")}, type a few words, then ${key("review")} for the review.`,
    done: ({ place }) => place.kind === "review",
    from: account(importedAccount),
  },
  {
    words: (key) =>
      `This is the exact request. ${key("send")} sends it; ${key("open")} never does.`,
    done: ({ hasSent }) => hasSent,
    from: account(importedAccount),
    needsPrevious: true,
  },
  {
    words: (key) =>
      `It is sent, and the journal has an entry for it. ${key("back")} leaves the result, ${key("activity")} shows everything sent from here.`,
    done: ({ place }) => place.kind === "activity",
    from: account(importedAccount),
  },
  {
    words: (key) =>
      `${migratingSupplier} migrates today. Which of your accounts are missing? ${key("palette")}, type ${migratingSupplier}, ${key("open")}.`,
    done: ({ place }) => place.kind === "overview" && place.supplier === migratingSupplier,
    from: suppliers,
  },
  {
    words: (key) =>
      `${key("reconcile")} compares a list of yours with the accounts of ${migratingSupplier}.`,
    done: ({ place }) => place.kind === "reconcile",
    from: { kind: "overview", supplier: migratingSupplier },
  },
  {
    words: (key) =>
      `An example list is filled in: ${key("open")} compares it. Each row gets a class; select one, and ${key("open")} shows its rows.`,
    done: ({ place }) => place.kind === "reconciled-rows",
    from: { kind: "reconcile", supplier: migratingSupplier },
  },
  {
    words: (key) =>
      `That is all: ${key("watch")} watches such rows, supplyline cohorts add stores a list. ${key("help")} explains each screen, ${key("profiles")} adds your service. ${key("tour")} ends the tour.`,
    done: () => false,
    from: suppliers,
  },
];

/** Returns the step to resume at: the previous one, if the step depends on it. */
export function resumedStep(step: number): number {
  const valid = Math.max(0, Math.min(step, tourSteps.length - 1));
  return tourSteps[valid]?.needsPrevious ? valid - 1 : valid;
}
