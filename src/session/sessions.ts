/** Opens and closes the session of the console, one at a time. */
import type { ResolvedProfile } from "../settings/resolve.ts";
import type { Session } from "./open-session.ts";
import { createStore, type Store } from "./store.ts";
import type { Surroundings } from "./surroundings.ts";

export type SessionState =
  | { readonly kind: "none" }
  | { readonly kind: "opening"; readonly profile: string }
  | { readonly kind: "open"; readonly session: Session }
  | { readonly kind: "failed"; readonly profile: string; readonly error: unknown };

export interface Sessions {
  readonly state: Store<SessionState>;
  /** Closes the current session, and opens one for this profile. Never rejects. */
  open(resolved: ResolvedProfile): Promise<SessionState>;
  close(): Promise<void>;
}

/**
 * Creates the store of the one session. If two profiles are opened at the same time, the later one
 * stays open. `initial` is shown as being opened until `app.start` opens it.
 */
export function createSessions(
  surroundings: Surroundings,
  initial: ResolvedProfile | null,
): Sessions {
  let lastOpening = 0;
  const state = createStore<SessionState>(
    initial === null ? { kind: "none" } : { kind: "opening", profile: initial.profile.name },
  );
  const closeCurrent = async () => {
    const previous = state.get();
    if (previous.kind === "open") await previous.session.close();
  };
  return {
    state,
    async open(resolved) {
      const opening = ++lastOpening;
      const closing = closeCurrent();
      state.set({ kind: "opening", profile: resolved.profile.name });
      const next = await closing
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
      if (opening === lastOpening) state.set(next);
      else if (next.kind === "open") await next.session.close();
      return state.get();
    },
    async close() {
      lastOpening++;
      await closeCurrent();
      state.set({ kind: "none" });
    },
  };
}

/** Returns the profile that is open, being opened or could not be opened, or null. */
export function profileIn(state: SessionState): string | null {
  if (state.kind === "none") return null;
  return state.kind === "open" ? state.session.profile.name : state.profile;
}
