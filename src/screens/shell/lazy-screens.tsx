/** Loads the code of screens at the first use or when the program is idle, and draws the screens. */
import { useEffect, useLayoutEffect, useRef } from "react";
import type { Clock } from "../../api/clock.ts";
import { Body } from "../../components/body.tsx";
import type { HelpTopic } from "../../components/overlays/help-lines.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { errorWords } from "../../errors/error-words.ts";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useActive } from "../../hooks/window.tsx";
import type { Place } from "../../session/places.ts";
import { createStore, type Store } from "../../session/store.ts";
import type { ExplainedScreen, ScreenEntry, Screens } from "../registry.tsx";

/** The milliseconds before preloading starts. The first frame and the first keys have priority. */
const readAheadAfterMs = 100;
/** The milliseconds between two chunks, so that keys are handled in between. */
const readAheadPauseMs = 20;
/**
 * The share of a pause, from 0 to 1, above which the program counts as busy and preloading waits.
 */
const busyShare = 0.5;
/**
 * The maximum number of consecutive pauses, which take ten seconds. After them, preloading
 * continues even if the program is busy.
 */
const maxPauses = 500;

type AnyScreen = ExplainedScreen<Place>;

const noHelp: HelpTopic = { name: "this screen", about: [], words: [] };

export interface LazyScreens {
  of(kind: Place["kind"]): Lazy<AnyScreen>;
  all(): Iterable<Lazy<AnyScreen>>;
  needsSession(place: Place): boolean;
  help(place: Place): HelpTopic;
}

export function createLazyScreens(screens: Screens): LazyScreens {
  const all = new Map<string, Lazy<AnyScreen>>();
  for (const [kind, entry] of Object.entries(screens)) {
    // Each screen receives only places of its kind.
    const { load } = entry as ScreenEntry<Place>;
    all.set(kind, createLazy(load));
  }
  const of = (kind: Place["kind"]) => {
    const screen = all.get(kind);
    if (!screen) throw new Error(`there is no screen for ${kind}`);
    return screen;
  };
  return {
    of,
    all: () => all.values(),
    needsSession: (place) => screens[place.kind].needsSession,
    help({ kind }) {
      const state = of(kind).state.get();
      return state.kind === "ready" ? state.value.help : noHelp;
    },
  };
}

/** Returns the share of a wait, from 0 to 1, in which the event loop was busy. */
type BusyShareOf = (wait: () => Promise<void>) => Promise<number>;

const busyShareOf: BusyShareOf = async (wait) => {
  const before = performance.eventLoopUtilization();
  await wait();
  return performance.eventLoopUtilization(before).utilization;
};

/**
 * Loads all remaining screens one by one, so that later keys need not wait for them. Pauses while
 * the program is busy, for example with a long list. A screen that cannot be loaded is loaded again
 * when the user opens it. Rejects if the signal is aborted.
 */
export async function readAhead(
  screens: LazyScreens,
  clock: Clock,
  signal: AbortSignal,
  shareOf: BusyShareOf = busyShareOf,
): Promise<void> {
  const pause = async () => {
    for (let pauses = 0; pauses < maxPauses; pauses++) {
      const share = await shareOf(() => clock.sleep(readAheadPauseMs, signal));
      if (share <= busyShare) return;
    }
  };
  await clock.sleep(readAheadAfterMs, signal);
  await pause();
  const others = [
    () => import("../../session/open-session.ts"),
    () => import("../../api/connections.ts"),
  ];
  for (const read of others) {
    await read().catch(() => {});
    await pause();
  }
  for (const screen of screens.all()) {
    if (screen.state.get().kind !== "unread") continue;
    await screen.load();
    await pause();
  }
}

type LazyState<T> =
  | { readonly kind: "unread" }
  | { readonly kind: "reading" }
  | { readonly kind: "ready"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown };

interface Lazy<T> {
  readonly state: Store<LazyState<T>>;
  /** Loads the chunk unless it is loaded or loading. Tries again after a failure. Never rejects. */
  load(): Promise<void>;
}

function createLazy<T>(read: () => Promise<T>): Lazy<T> {
  const state = createStore<LazyState<T>>({ kind: "unread" });
  let loading: Promise<void> | null = null;
  const startLoading = async () => {
    state.set({ kind: "reading" });
    try {
      state.set({ kind: "ready", value: await read() });
    } catch (error) {
      state.set({ kind: "failed", error });
    } finally {
      loading = null;
    }
  };
  return {
    state,
    load() {
      if (state.get().kind === "ready") return Promise.resolve();
      loading ??= startLoading();
      return loading;
    },
  };
}

/**
 * Shows the screen of a place. The first place of a kind loads the screen from disk. Meanwhile, for
 * one or two frames, nothing is drawn, and typed keys wait.
 */
export function PlaceScreen(props: { readonly place: Place; readonly lazyScreens: LazyScreens }) {
  const lazy = props.lazyScreens.of(props.place.kind);
  const state = useStore(lazy.state);
  useEffect(() => {
    void lazy.load();
  }, [lazy]);
  switch (state.kind) {
    case "ready": {
      const Screen = state.value;
      return <Screen {...props.place} />;
    }
    case "failed":
      return <Unreadable error={state.error} onRetry={() => void lazy.load()} />;
    case "unread":
    case "reading":
      return <KeysWait />;
  }
}

function KeysWait() {
  const { holdKeys } = useApp();
  const active = useActive();
  const releaseKeys = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (active) releaseKeys.current = holdKeys();
  }, [active, holdKeys]);
  // The keys are released in a passive effect, because a text field starts to listen in a passive
  // effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each hold is released once
  useEffect(() => {
    const release = releaseKeys.current;
    releaseKeys.current = null;
    return () => release?.();
  }, [active, holdKeys]);
  return null;
}

function Unreadable(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { key } = useApp();
  useKeys({ refresh: { run: props.onRetry, label: "try again" } });
  const { why } = errorWords(props.error, { doing: "opening this screen" });
  return (
    <Body>
      <Paragraph tone="bad" bold>
        This screen could not be opened: its program file could not be read.
      </Paragraph>
      {why ? <Paragraph>{why}</Paragraph> : null}
      <Paragraph tone="muted">
        {`Nothing was sent and nothing is lost. If supplyline was updated or moved while it ran, quit with ${key("quit")} and start it again; ${key("refresh")} tries again.`}
      </Paragraph>
    </Body>
  );
}
