import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
} from "react";
import type { Session } from "../session/open-session.ts";
import { createStore, type Store } from "../session/store.ts";
import { runningIds, runPatienceMs } from "../session/tasks.ts";
import type { ResolvedProfile } from "../settings/resolve.ts";
import { plural } from "../text/numbers.ts";
import { useConsole } from "./console.tsx";
import { useKeyWords } from "./keys.tsx";
import { useNotices } from "./notices.tsx";
import { useOverlays } from "./overlay.tsx";
import { useStore } from "./store.ts";

/** The state of the connection to a profile's service. */
export type SessionState =
  | { readonly kind: "none" }
  | { readonly kind: "opening"; readonly profile: string }
  | { readonly kind: "open"; readonly session: Session }
  | { readonly kind: "failed"; readonly profile: string; readonly error: unknown };

export interface Sessions {
  readonly state: Store<SessionState>;
  /** Leaves the present profile, dropping every row of it, and opens this one. */
  open(resolved: ResolvedProfile): Promise<SessionState>;
  close(): Promise<void>;
}

const SessionContext = createContext<Sessions | null>(null);

/** Holds at most one session at a time; the later of two openings wins. */
export function SessionProvider(props: {
  readonly initial: ResolvedProfile | null;
  readonly children: ReactNode;
}) {
  const console = useConsole();
  const { onClosing } = console;
  const latest = useRef(0);
  const initial = useRef(props.initial);
  const sessions = useMemo<Sessions>(() => {
    const first = initial.current;
    const state = createStore<SessionState>(
      first === null ? { kind: "none" } : { kind: "opening", profile: first.profile.name },
    );
    const leave = async () => {
      const previous = state.get();
      if (previous.kind === "open") await previous.session.close();
    };
    return {
      state,
      async open(resolved) {
        const opening = ++latest.current;
        const leaving = leave();
        state.set({ kind: "opening", profile: resolved.profile.name });
        const next = await leaving
          // The first frame is drawn before the way to a service is read.
          .then(() => import("../session/open-session.ts"))
          .then(({ openSession }) => openSession(resolved, console))
          .then(
            (session): SessionState => ({ kind: "open", session }),
            (error: unknown): SessionState => ({
              kind: "failed",
              profile: resolved.profile.name,
              error,
            }),
          );
        if (opening === latest.current) state.set(next);
        else if (next.kind === "open") await next.session.close();
        return state.get();
      },
      async close() {
        latest.current++;
        await leave();
        state.set({ kind: "none" });
      },
    };
  }, [console]);
  useEffect(() => {
    if (initial.current) void sessions.open(initial.current);
    return () => onClosing?.(sessions.close());
  }, [sessions, onClosing]);
  return <SessionContext value={sessions}>{props.children}</SessionContext>;
}

/** The ways to open and leave a session. */
export function useSessions(): Sessions {
  const sessions = useContext(SessionContext);
  if (!sessions) throw new Error("useSessions needs a SessionProvider above it");
  return sessions;
}

/** The state of the session, rendered again when it changes. */
export function useSessionState(): SessionState {
  return useStore(useSessions().state);
}

const OpenSessionContext = createContext<Session | null>(null);

/** Gives the screens below an open session. */
export function OpenSessionProvider(props: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  return <OpenSessionContext value={props.session}>{props.children}</OpenSessionContext>;
}

/** The open session; only for screens that are never shown without one. */
export function useSession(): Session {
  const session = useContext(OpenSessionContext);
  if (!session) throw new Error("this screen needs an open session");
  return session;
}

/**
 * Leaves the open profile by doing `then`. While a bulk run is under way it asks first; the run is
 * stopped, and what is in flight is waited for, before `then` is done.
 */
export function useLeaving(): (how: string, then: () => void) => void {
  const sessions = useSessions();
  const overlays = useOverlays();
  const notices = useNotices();
  const key = useKeyWords();
  return useCallback(
    (how, then) => {
      const state = sessions.state.get();
      const runs = state.kind === "open" ? state.session.tasks.runs : null;
      const [run, ...more] = runs === null ? [] : runningIds(runs.all.get());
      if (runs === null || run === undefined) {
        then();
        return;
      }
      const which = more.length === 0 ? `Run ${run}` : `${plural(more.length + 1, "run")}`;
      const resume = [run, ...more].map((id) => `supplyline bulk resume ${id}`).join(", ");
      overlays.open({
        kind: "confirm",
        question: `${which} ${more.length === 0 ? "is" : "are"} under way. Stop and ${how}?`,
        detail: `What is in flight is waited for, ${runPatienceMs / 1_000} s at the most. The rows left can be gone on with: ${resume}, or ${key("resume-run")} on the run's screen.`,
        yes: `Stop and ${how}`,
        onYes: () => {
          notices.show("Stopping: what is in flight is waited for…", "waiting");
          void runs.end({ patienceMs: runPatienceMs }).then(then);
        },
      });
    },
    [sessions, overlays, notices, key],
  );
}
