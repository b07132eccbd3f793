/** Opens and closes the session of the console, one at a time. */
import type { ResolvedProfile } from "../settings/resolve.ts";
import type { Session } from "./open-session.ts";
import { createStore, type Store } from "./store.ts";
import type { Surroundings } from "./surroundings.ts";

/** The state of the console's session. */
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

/**
 * Creates the store of the one session. Of two openings, the later one wins. `app.start` opens
 * `initial`.
 */
export function createSessions(
  surroundings: Surroundings,
  initial: ResolvedProfile | null,
): Sessions {
  let latest = 0;
  const state = createStore<SessionState>(
    initial === null ? { kind: "none" } : { kind: "opening", profile: initial.profile.name },
  );
  const leave = async () => {
    const previous = state.get();
    if (previous.kind === "open") await previous.session.close();
  };
  return {
    state,
    async open(resolved) {
      const opening = ++latest;
      const leaving = leave();
      state.set({ kind: "opening", profile: resolved.profile.name });
      const next = await leaving
        // Loaded here, after the first frame is drawn.
        .then(() => import("./open-session.ts"))
        .then(({ openSession }) => openSession(resolved, surroundings))
        .then(
          (session): SessionState => ({ kind: "open", session }),
          (error: unknown): SessionState => ({
            kind: "failed",
            profile: resolved.profile.name,
            error,
          }),
        );
      if (opening === latest) state.set(next);
      else if (next.kind === "open") await next.session.close();
      return state.get();
    },
    async close() {
      latest++;
      await leave();
      state.set({ kind: "none" });
    },
  };
}

/** Returns the name of the profile that is open or being opened, or null for none. */
export function profileIn(state: SessionState): string | null {
  if (state.kind === "none") return null;
  return state.kind === "open" ? state.session.profile.name : state.profile;
}
