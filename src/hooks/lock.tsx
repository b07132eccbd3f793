import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { errorMessage } from "../api/errors.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import type { Session } from "../session/open-session.ts";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Profile } from "../settings/profile.ts";
import { changeWords, profileChange } from "../settings/profile-change.ts";
import { adHocName } from "../settings/sandbox-profile.ts";
import type { Settings } from "../settings/settings.ts";
import { useApp, useSessionState } from "./app.tsx";

/** How long a production profile stays unlocked, in milliseconds. */
const unlockedMs = 15 * 60_000;

/** Whether sending is locked. */
interface Lock {
  readonly locked: boolean;
  /** When an unlocked production profile is locked again, in epoch milliseconds; else null. */
  readonly until: number | null;
  /** The action of the unlock key; null where there is nothing to unlock. */
  readonly action: Action | null;
}

/** What was unlocked; a profile that is relabeled meanwhile is locked again. */
interface Unlocked {
  readonly session: string;
  readonly profile: Profile;
  readonly until: number;
}

const LockContext = createContext<Lock>({ locked: false, until: null, action: null });

/**
 * Locks production until its name is typed, for fifteen minutes. A read-only profile and a console
 * with --read-only cannot be unlocked.
 */
export function LockProvider(props: { readonly children: ReactNode }) {
  const { clock, readOnly, notices, overlays } = useApp();
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  const stands = useProfileStands();
  const [unlocked, setUnlocked] = useState<Unlocked | null>(null);
  const open =
    unlocked !== null && unlocked.session === session?.id && unlocked.profile === session.profile;
  useEffect(() => {
    if (!unlocked) return;
    return runUntilCleanup(async (signal) => {
      await clock.sleep(unlocked.until - clock.now(), signal);
      setUnlocked(null);
      notices.announce("Writes are locked again.", "waiting");
    });
  }, [clock, unlocked, notices]);
  const lock = useMemo<Lock>(() => {
    if (!session) return { locked: readOnly, until: null, action: null };
    const { profile, outdated } = session;
    if (outdated !== null) {
      const what = outdated === "gone" ? "was removed" : "has changed";
      return {
        locked: true,
        until: null,
        action: {
          run: () => {},
          disabled: `Nothing is sent: the profile ${profile.name} ${what} since it was opened. Open a profile on the Profiles screen.`,
        },
      };
    }
    if (readOnly || profile.readOnly) {
      const why = readOnly
        ? "started with --read-only"
        : `the profile ${profile.name} is read-only`;
      return {
        locked: true,
        until: null,
        action: { run: () => {}, disabled: `Writes cannot be unlocked: ${why}.` },
      };
    }
    if (profile.environment !== "production") return { locked: false, until: null, action: null };
    if (open) {
      return {
        locked: false,
        until: unlocked.until,
        action: { label: "lock", run: () => setUnlocked(null) },
      };
    }
    return {
      locked: true,
      until: null,
      action: {
        run: () => {
          if (!stands()) return;
          overlays.prompt({
            title: `Unlock writes to ${profile.name} (production) for 15 minutes`,
            label: "Profile's name",
            hint: `Type ${profile.name} to unlock.`,
            onSubmit: (typed) => {
              if (typed !== profile.name) return `That is not ${profile.name}; still locked.`;
              if (stands())
                setUnlocked({ session: session.id, profile, until: clock.now() + unlockedMs });
              return null;
            },
          });
        },
      },
    };
  }, [session, readOnly, open, unlocked, overlays, clock, stands]);
  return <LockContext value={lock}>{props.children}</LockContext>;
}

/** Whether sending is locked, and how to unlock it. */
export function useLock(): Lock {
  return useContext(LockContext);
}

/** Why nothing can be sent now, in words; null when it can. */
export function useWriteLock(): string | null {
  return wordsOf(useLock(), useApp().key);
}

/**
 * Returns why nothing can be sent at the moment of the call, in words, or null if it can. The fifteen
 * minutes can end while a dialog is open or the machine sleeps, before anything is drawn again.
 */
function useLockNow(): () => string | null {
  const { clock, key } = useApp();
  const lock = useLock();
  const latest = useRef(lock);
  useInsertionEffect(() => {
    latest.current = lock;
  });
  return useCallback(() => {
    const { until } = latest.current;
    const isOver = until !== null && clock.now() >= until;
    return isOver ? lockedWords(key) : wordsOf(latest.current, key);
  }, [clock, key]);
}

/**
 * Sends, unless the profile has changed or is locked at that moment, which it then says. Use it
 * after a dialog.
 */
export function useUnlessLocked(): (act: () => void) => void {
  const { notices } = useApp();
  const lockNow = useLockNow();
  const stands = useProfileStands();
  return useCallback(
    (act) => {
      if (!stands()) return;
      const words = lockNow();
      if (words === null) act();
      else notices.show(`${words} Nothing was sent.`, "waiting");
    },
    [notices, lockNow, stands],
  );
}

function lockedWords(key: KeyWords): string {
  return `Writes to production are locked: ${key("unlock")} unlocks them.`;
}

function wordsOf({ locked, action }: Lock, key: KeyWords): string | null {
  if (!locked) return null;
  if (!action) return "Nothing is sent: the console was started with --read-only.";
  return action.disabled ?? lockedWords(key);
}

/**
 * Reads the open profile from disk again. Null when it has not changed; otherwise the sentence why
 * nothing can be sent, and the session is updated to the profile as it is now.
 */
export function useProfileCheck(): () => string | null {
  const { settings, sessions } = useApp();
  return useCallback(() => check(settings, sessions), [settings, sessions]);
}

/**
 * Whether the open profile has not changed; shows a notice when it has. Check it before each send,
 * unlock, verify, resend and resume: consoles stay open for hours, and a profile can be locked,
 * moved or removed elsewhere meanwhile.
 */
export function useProfileStands(): () => boolean {
  const check = useProfileCheck();
  const { notices } = useApp();
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
    return errorMessage(error);
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
