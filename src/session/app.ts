import type { Clock } from "../api/clock.ts";
import { createNotices, type Notices } from "./notices.ts";
import { createOverlays, type Overlays } from "./overlays.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Everything that stays the same as long as the console runs. What changes in it is in a store.
 * Screens read it with `useApp`, and functions without React get it as an argument.
 */
export interface App extends Surroundings {
  readonly notices: Notices;
  readonly overlays: Overlays;
  readonly inFlight: InFlight;
}

/** Everything that Ctrl-C can cancel; each item is one thing that is running. */
export interface InFlight {
  add(cancel: () => void): () => void;
  /** Cancels everything that is running; false when nothing was. */
  cancelAll(): boolean;
}

/** How the console starts. */
export interface AppOptions {
  /** Notices end by this clock. Default: the clock of the surroundings. */
  readonly noticeClock?: Clock;
}

/** Builds the console's model, before anything is drawn. */
export function createApp(surroundings: Surroundings, options: AppOptions = {}): App {
  const { noticeClock = surroundings.clock } = options;
  const notices = createNotices(noticeClock);
  return { ...surroundings, notices, overlays: createOverlays(), inFlight: createInFlight() };
}

function createInFlight(): InFlight {
  const entries = new Set<() => void>();
  return {
    add(cancel) {
      entries.add(cancel);
      return () => entries.delete(cancel);
    },
    cancelAll() {
      const running = [...entries];
      for (const cancel of running) cancel();
      return running.length > 0;
    },
  };
}
