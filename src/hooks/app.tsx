import { useApp as useInk } from "ink";
import { createContext, type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import type { App, CustomKey, Here } from "../session/app.ts";
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

/** Provides the app, which starts and closes with the components below. */
export function AppProvider(props: { readonly app: App; readonly children: ReactNode }) {
  const { app } = props;
  const { exit, suspendTerminal } = useInk();
  useEffect(() => app.start({ exit, suspendTerminal }), [app, exit, suspendTerminal]);
  useEffect(() => () => void app.close(), [app]);
  return <AppContext value={app}>{props.children}</AppContext>;
}

export function useApp(): App {
  return useRequired(AppContext, "AppProvider");
}

const SessionContext = createContext<Session | null>(null);

export function SessionProvider(props: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  return <SessionContext value={props.session}>{props.children}</SessionContext>;
}

/** Returns the open session. Only a screen that needs a session can use it. */
export function useSession(): Session {
  return useRequired(SessionContext, "SessionProvider");
}

export function useTour(): TourState {
  return useStore(useApp().tour.state);
}

/** Returns the app with the open session. Only a screen that needs a session can use it. */
export function useHere(): Here {
  const app = useApp();
  const session = useSession();
  return useMemo(() => ({ app, session }), [app, session]);
}

export function useSessionState(): SessionState {
  return useStore(useApp().sessions.state);
}

export function useOpenSession(): Session | null {
  const state = useSessionState();
  return state.kind === "open" ? state.session : null;
}

const noSuppliers = createStore<readonly string[]>([]);

/**
 * Returns the suppliers of the board, or none without a session. Renders again when they change.
 */
export function useSuppliers(): readonly string[] {
  return useStore(useOpenSession()?.suppliers ?? noSuppliers);
}

export function useLock(): LockState {
  return useStore(useApp().lock.state);
}

/**
 * Returns the reason why nothing can be sent now, or null if there is none. Renders again when the
 * lock changes.
 */
export function useWriteLock(): string | null {
  useLock();
  return useApp().lock.words();
}

/** Returns the stack of places, outermost first. */
export function useStops(): readonly Stop[] {
  return useStore(useApp().navigation.stops);
}

export function usePlace(): Place | undefined {
  return useStops().at(-1)?.place;
}

export function useOverlay(): Overlay | null {
  return useStore(useApp().overlays.current);
}

export function useCustomKeys(): readonly CustomKey[] {
  return useStore(useApp().customKeys);
}

/**
 * Returns the shown notices: first those that stay until a key dismisses them, then a temporary
 * one.
 */
export function useNotices(): readonly Notice[] {
  return useStore(useApp().notices.shown);
}

/** Hides notices with a sentence that the screen shows itself, while the component is mounted. */
export function useShownSentence(text: string | null): void {
  const { notices } = useApp();
  useEffect(() => (text === null ? undefined : notices.suppress(text)), [notices, text]);
}

export function useNoticeWhile(applies: boolean): Notices["show"] {
  const { notices } = useApp();
  const endNotice = useRef<EndNotice>(() => {});
  useEffect(() => {
    if (!applies) endNotice.current();
  }, [applies]);
  return useCallback(
    (text, tone) => {
      endNotice.current = notices.show(text, tone);
      return endNotice.current;
    },
    [notices],
  );
}
