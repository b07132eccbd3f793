import { useCallback } from "react";
import type { Session } from "../session/open-session.ts";
import type { Profile } from "../settings/profile.ts";
import { changeWords, profileChange } from "../settings/profile-change.ts";
import { adHocName } from "../settings/sandbox-profile.ts";
import type { Settings } from "../settings/settings.ts";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";
import { type Sessions, useSessions } from "./session.tsx";

/**
 * Reads the open profile from disk again. Null when it has not changed; otherwise the sentence why
 * nothing can be sent, and the session is updated to the profile as it is now.
 */
export function useProfileCheck(): () => string | null {
  const { settings } = useConsole();
  const sessions = useSessions();
  return useCallback(() => check(settings, sessions), [settings, sessions]);
}

/**
 * Whether the open profile has not changed; shows a notice when it has. Check it before each send,
 * unlock, verify, resend and resume: consoles stay open for hours, and a profile can be locked,
 * moved or removed elsewhere meanwhile.
 */
export function useProfileStands(): () => boolean {
  const check = useProfileCheck();
  const notices = useNotices();
  return useCallback(() => {
    const words = check();
    if (words !== null) notices.show(`${words} Nothing was sent.`, "bad");
    return words === null;
  }, [check, notices]);
}

function check(settings: Settings, sessions: Sessions): string | null {
  const state = sessions.state.get();
  if (state.kind !== "open") return null;
  const { session } = state;
  const { profile } = session;
  if (!isStored(profile)) return null;
  let stored: Profile | null;
  try {
    stored = settings.find(profile.name);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const change = profileChange(profile, stored);
  const words = changeWords(profile, change);
  const take = (taken: Partial<Pick<Session, "profile" | "outdated">>) =>
    sessions.state.set({ kind: "open", session: { ...session, ...taken } });
  switch (change.kind) {
    case "same":
      if (session.outdated !== null) take({ outdated: null });
      return null;
    case "relabeled":
      take({ profile: change.profile, outdated: null });
      return words;
    case "moved":
    case "gone":
      // The session continues to read from where it was opened, and says so.
      if (session.outdated !== change.kind) take({ outdated: change.kind });
      return words;
  }
}

/** The sandbox and a profile from the environment are not stored, so they cannot change. */
function isStored({ baseUrl, name }: Profile): boolean {
  return baseUrl !== null && name !== adHocName;
}
