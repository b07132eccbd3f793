/**
 * Builds the console's model: navigation, sessions, keys, notices and the other parts that all
 * screens share.
 */
import type { Clock } from "../api/clock.ts";
import { errorMessage } from "../api/errors.ts";
import { type KeyWords, keyWord } from "../keys/keymap.ts";
import type { RowValues } from "../settings/custom/values.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import { openDrafts } from "../state/drafts.ts";
import type { State } from "../state/state.ts";
import { createTerminal, type Drawing } from "./console-terminal.ts";
import { createHistory } from "./history.ts";
import { type ActiveKeymap, createRegistry, defaultKeys } from "./key-registry.ts";
import { createLock } from "./lock.ts";
import { createNavigation } from "./navigation.ts";
import { createNotices } from "./notices.ts";
import { createNumberedChoices } from "./numbered-choices.ts";
import type { Session } from "./open-session.ts";
import { createOverlays } from "./overlays.ts";
import type { Place } from "./places.ts";
import { createSessions } from "./sessions.ts";
import { createStore } from "./store.ts";
import type { Surroundings } from "./surroundings.ts";
import { createTour } from "./tour.ts";

export interface Here {
  readonly app: App;
  readonly session: Session;
}

/** The arrival time of the top screen's data, and the age at which the header calls it stale. */
export interface Freshness {
  /** The time at which the response on the screen arrived, in epoch milliseconds. */
  readonly at: number;
  readonly staleAfterMs: number;
}

export interface AppOptions extends Surroundings {
  /** The places that the console starts with, outermost first. The list is never empty. */
  readonly start: readonly Place[];
  /** The profile that `start` opens, or null to choose one. */
  readonly profile: ResolvedProfile | null;
  readonly noticeClock?: Clock;
  readonly keys?: ActiveKeymap | undefined;
}

/**
 * Creates the shared parts of the console, once. A part that changes is a store. Screens read the
 * app with `useApp`, and functions without React receive it as an argument.
 */
export function createApp(options: AppOptions) {
  const {
    start,
    profile,
    keys = defaultKeys,
    noticeClock = options.clock,
    ...surroundings
  } = options;
  const navigation = createNavigation(start);
  const notices = createNotices(noticeClock, navigation.here);
  for (const words of stateNotices(options.state)) notices.announce(words, "waiting");
  const history = createHistory({ ...surroundings, notices });
  const overlays = createOverlays();
  const sessions = createSessions(surroundings, profile);
  const key: KeyWords = (id) => keyWord(id, keys.keymap);
  const lock = createLock({ ...surroundings, sessions, overlays, notices, key });
  let drawing: Drawing | null = null;
  const drawingOrThrow = () => {
    if (drawing === null) throw new Error("the console is not drawn yet");
    return drawing;
  };
  let closing: Promise<void> | null = null;
  return {
    ...surroundings,
    sessions,
    lock,
    navigation,
    formDrafts: openDrafts(options.state, options.clock.now),
    history,
    tour: createTour({ history, navigation, notices, sessions, key }),
    keys: createRegistry(keys),
    /**
     * Returns the name of an action's key in a sentence: its first key, or its label for the palette
     * (`:label`) if the keymap has none.
     */
    key,
    numberedChoices: createNumberedChoices(notices),
    notices,
    overlays,
    inFlight: createInFlight(),
    subject: createStore<ScreenSubject | null>(null),
    customKeys: createStore<readonly CustomKey[]>([]),
    isFolded: createStore(false),
    freshness: createStore<Freshness | null>(null),
    ...createTerminal({ ...surroundings, notices, drawing: drawingOrThrow }),
    /** Sets the drawing library. The first call also opens the first profile. */
    start(next: Drawing) {
      const isFirst = drawing === null;
      drawing = next;
      if (isFirst && profile !== null) void sessions.open(profile);
    },
    close() {
      history.flush();
      lock.close();
      closing ??= sessions.close();
      return closing;
    },
  };
}

export type App = Readonly<ReturnType<typeof createApp>>;

function stateNotices({ problem }: State): readonly string[] {
  if (problem === null) return [];
  const { fix } = problem.facts;
  // A notice has one line, so the remedy comes before the path that it names.
  const remedy = fix == null ? "" : ` Fix: ${fix}.`;
  return [`Not saved: drafts, watch list and history.${remedy} ${errorMessage(problem)}`];
}

function createInFlight() {
  const entries = new Set<() => void>();
  return {
    add(cancel: () => void) {
      entries.add(cancel);
      return () => void entries.delete(cancel);
    },
    cancelAll() {
      const running = [...entries];
      for (const cancel of running) cancel();
      return running.length > 0;
    },
  };
}

export interface ScreenSubject {
  readonly values: RowValues;
  readonly marked?:
    | { readonly count: number; readonly find: (most: number) => readonly RowValues[] }
    | undefined;
}

export interface CustomKey {
  readonly name: string;
  /** The name of its key, or null if only the palette runs it. */
  readonly key: string | null;
  readonly description: string;
  readonly disabled: string | null;
  readonly run: () => void;
}
