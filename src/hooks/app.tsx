import { useApp as useInk } from "ink";
import { createContext, type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import type { App, Here } from "../session/app.ts";
import type { CustomKey } from "../session/custom-keys.ts";
import type { LockState } from "../session/lock.ts";
import type { Stop } from "../session/navigation.ts";
import type { EndNotice, Notice, Notices } from "../session/notices.ts";
import type { Session } from "../session/open-session.ts";
import type { Overlay } from "../session/overlays.ts";
import type { Place } from "../session/places.ts";
import type { SessionState } from "../session/sessions.ts";
import { createStore } from "../session/store.ts";
import type { TourState } from "../session/tour.ts";
import { useRequired, useStore } from "./context.ts";

const AppContext = createContext<App | null>(null);

/**
 * Provides the app to the components below. The app starts when they are drawn, and closes with
 * them.
 */
export function AppProvider(props: { readonly app: App; readonly children: ReactNode }) {
  const { app } = props;
  const { exit, suspendTerminal } = useInk();
  useEffect(() => app.start({ exit, suspendTerminal }), [app, exit, suspendTerminal]);
  useEffect(() => () => void app.close(), [app]);
  return <AppContext value={app}>{props.children}</AppContext>;
}

/** Returns the app, which stays the same while the console runs. */
export function useApp(): App {
  return useRequired(AppContext, "AppProvider");
}

const SessionContext = createContext<Session | null>(null);

/** Provides the open session to the screens below. */
export function SessionProvider(props: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  return <SessionContext value={props.session}>{props.children}</SessionContext>;
}

/** The open session; only for screens that need one. */
export function useSession(): Session {
  return useRequired(SessionContext, "SessionProvider");
}

/** The state of the tour, rendered again when it changes. */
export function useTour(): TourState {
  return useStore(useApp().tour.state);
}

/** The app with the open session, for functions that need both; only for screens that need one. */
export function useHere(): Here {
  const app = useApp();
  const session = useSession();
  return useMemo(() => ({ app, session }), [app, session]);
}

/** The state of the session, rendered again when it changes. */
export function useSessionState(): SessionState {
  return useStore(useApp().sessions.state);
}

const noSuppliers = createStore<readonly string[]>([]);

/** The suppliers of the board, rendered again when they change; none without a session. */
export function useSuppliers(): readonly string[] {
  const state = useSessionState();
  return useStore(state.kind === "open" ? state.session.suppliers : noSuppliers);
}

/** The state of the lock, rendered again when it changes. */
export function useLock(): LockState {
  return useStore(useApp().lock.state);
}

/** Returns the reason why nothing can be sent now, or null if there is none. */
export function useWriteLock(): string | null {
  useLock();
  return useApp().lock.words();
}

/** The stack of places, outermost first. */
export function useStops(): readonly Stop[] {
  return useStore(useApp().navigation.stops);
}

/** The place on top of the stack. */
export function usePlace(): Place | undefined {
  return useStops().at(-1)?.place;
}

/** The open overlay, or null. */
export function useOverlay(): Overlay | null {
  return useStore(useApp().overlays.current);
}

/** The user's commands that work on the screen on top. */
export function useCustomKeys(): readonly CustomKey[] {
  return useStore(useApp().customKeys);
}

/** The notices shown now: those that stay until a key dismisses them, then one that passes. */
export function useNotices(): readonly Notice[] {
  return useStore(useApp().notices.shown);
}

/** Registers a sentence that the screen shows while it is mounted: no notice repeats it. */
export function useSaid(text: string | null): void {
  const { notices } = useApp();
  useEffect(() => (text === null ? undefined : notices.said(text)), [notices, text]);
}

/** Shows notices that apply only while `holds`, and removes them when that ends. */
export function useNoticeWhile(holds: boolean): Notices["show"] {
  const { notices } = useApp();
  const end = useRef<EndNotice>(() => {});
  useEffect(() => {
    if (!holds) end.current();
  }, [holds]);
  return useCallback(
    (text, tone) => {
      end.current = notices.show(text, tone);
      return end.current;
    },
    [notices],
  );
}
