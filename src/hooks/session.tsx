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
import { useApp } from "./app.tsx";
import { useRequired, useStore } from "./context.ts";

/** The state of the session. */
export type SessionState =
  | { readonly kind: "none" }
  | { readonly kind: "opening"; readonly profile: string }
  | { readonly kind: "open"; readonly session: Session }
  | { readonly kind: "failed"; readonly profile: string; readonly error: unknown };

export interface Sessions {
  readonly state: Store<SessionState>;
  /** Closes the current profile, dropping its rows, and opens this one. */
  open(resolved: ResolvedProfile): Promise<SessionState>;
  close(): Promise<void>;
}

const SessionContext = createContext<Sessions | null>(null);

/** Holds at most one session; the later of two openings wins. */
export function SessionProvider(props: {
  readonly initial: ResolvedProfile | null;
  readonly children: ReactNode;
}) {
  const console = useApp();
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
          // Loaded here, after the first frame is drawn.
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

/** The ways to open and close a session. */
export function useSessions(): Sessions {
  return useRequired(SessionContext, "SessionProvider");
}

/** The state of the session, rendered again when it changes. */
export function useSessionState(): SessionState {
  return useStore(useSessions().state);
}

const OpenSessionContext = createContext<Session | null>(null);

/** Gives the open session to the screens below. */
export function OpenSessionProvider(props: {
  readonly session: Session;
  readonly children: ReactNode;
}) {
  return <OpenSessionContext value={props.session}>{props.children}</OpenSessionContext>;
}

/** The open session; only for screens that need one. */
export function useSession(): Session {
  const session = useContext(OpenSessionContext);
  if (!session) throw new Error("this screen needs an open session");
  return session;
}

/**
 * Leaves the open profile by calling `then`. While something is being sent it asks first, stops it
 * and waits for what is in flight.
 */
export function useLeaving(): (how: string, then: () => void) => void {
  const sessions = useSessions();
  const { overlays, notices, key } = useApp();
  return useCallback(
    (how, then) => {
      const state = sessions.state.get();
      const work = state.kind === "open" ? workUnderWay(state.session, key("resume-run")) : null;
      if (state.kind !== "open" || work === null) {
        then();
        return;
      }
      overlays.confirm({
        question: `${work.what}. Stop and ${how}?`,
        detail: `Requests in flight have up to ${runPatienceMs / 1_000} s to finish. ${work.later}`,
        yes: `Stop and ${how}`,
        onYes: () => {
          notices.show("Stopping: waiting for requests in flight…", "waiting");
          void state.session.endTasks().then(then);
        },
      });
    },
    [sessions, overlays, notices, key],
  );
}

/** What is being sent, and how it is continued when it was stopped; null while nothing is. */
function workUnderWay({ tasks }: Session, resumeKey: string) {
  const runs = runningIds(tasks.runs.all.get());
  const entries = runningIds(tasks.entries.all.get());
  const forms = runningIds(tasks.forms.all.get()).length;
  const [run, ...more] = runs;
  const sending = Math.max(entries.length, forms);
  if (run === undefined && sending === 0) return null;
  const parts = [
    run === undefined
      ? ""
      : more.length === 0
        ? `Run ${run} is running`
        : `${plural(runs.length, "run is", "runs are")} running`,
    sending === 0 ? "" : `${plural(sending, "entry is", "entries are")} being sent`,
  ];
  const verify = entries.map((id) => `supplyline activity verify ${id}`).join(", ");
  const later = [
    run === undefined
      ? ""
      : `To resume the rows that are left: ${runs.map((id) => `supplyline bulk resume ${id}`).join(", ")}, or ${resumeKey} on the screen of the run.`,
    verify === "" ? "" : `Without an answer an outcome is unknown; ${verify} finds it out.`,
  ];
  return { what: parts.filter(Boolean).join(", "), later: later.filter(Boolean).join(" ") };
}
