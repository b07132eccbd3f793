import { useCallback } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { useHistory } from "../../hooks/history.tsx";
import { type SessionState, useSessions } from "../../hooks/session.tsx";
import { wipeProfileData } from "../../settings/profile-data.ts";

/**
 * Removes a stored profile with everything that is kept for it alone, leaving it first where it is
 * the open one. Resolves with what could not be wiped, in words. Rejects with SettingsError.
 */
export function useRemoveProfile(): (name: string) => Promise<readonly string[]> {
  const { settings, stateDir } = useConsole();
  const sessions = useSessions();
  const history = useHistory();
  return useCallback(
    async (name) => {
      settings.remove(name);
      // A session that is still open would keep what it has seen, and its token.
      if (nameIn(sessions.state.get()) === name) await sessions.close();
      settings.forget(name);
      history.forgetPlaces(name);
      return wipeProfileData(stateDir, name).problems.map((problem) =>
        problem instanceof Error ? problem.message : String(problem),
      );
    },
    [settings, stateDir, sessions, history],
  );
}

function nameIn(state: SessionState): string | null {
  if (state.kind === "none") return null;
  return state.kind === "open" ? state.session.profile.name : state.profile;
}
