/** Locks production profiles until the user types the profile's name. */
import type { Clock } from "../api/clock.ts";
import { errorLine } from "../errors/error-words.ts";
import type { KeyWords } from "../keys/keymap.ts";
import type { Action } from "../keys/scopes.ts";
import { changeWords, isStored, profileChange } from "../settings/profile-change.ts";
import type { Profile } from "../settings/schemas.ts";
import type { Settings } from "../settings/settings.ts";
import type { Notices } from "./notices.ts";
import type { Session } from "./open-session.ts";
import type { Overlays } from "./overlays.ts";
import type { Sessions } from "./sessions.ts";
import { createStore, type ReadStore } from "./store.ts";

const unlockedMs = 15 * 60_000;

export interface LockState {
  readonly locked: boolean;
  /** Epoch milliseconds at which the profile is locked again, or null if it is not unlocked. */
  readonly until: number | null;
  /** The action of the unlock key, or null if there is nothing to unlock. */
  readonly action: Action | null;
}

/**
 * Locks production until its name is typed, for fifteen minutes. A read-only profile and a console
 * with --read-only cannot be unlocked.
 */
export interface Lock {
  readonly state: ReadStore<LockState>;
  /**
   * Returns the reason why nothing can be sent at the moment of the call, or null if there is none.
   * It compares the clock, because the fifteen minutes can end before `state` is updated, for
   * example while the machine sleeps.
   */
  words(): string | null;
  /**
   * Reads the open profile from disk again, then returns the reason why nothing can be sent, or
   * null if there is none. The gate calls it before each send.
   */
  refusal(): string | null;
  /**
   * Reads the open profile from disk again. Returns null if it has not changed. Otherwise updates
   * the session to the profile, and returns the reason why nothing can be sent.
   */
  check(): string | null;
  /**
   * Returns true if the open profile has not changed, or else shows a notice and returns false.
   * Call it before each unlock and lookup: a console stays open for hours, and another process can
   * lock, move or remove the profile meanwhile.
   */
  isProfileUnchanged(): boolean;
  /** Stops the timer, so that no notice reports the end of the fifteen minutes. */
  close(): void;
}

/** An unlocked profile. The profile is locked again if its session or its settings change. */
interface Unlocked {
  readonly session: string;
  readonly profile: Profile;
  /** Epoch milliseconds at which the profile is locked again. */
  readonly until: number;
}

interface Parts {
  readonly clock: Clock;
  readonly readOnly: boolean;
  readonly settings: Settings;
  readonly sessions: Sessions;
  readonly overlays: Overlays;
  readonly notices: Notices;
  readonly key: KeyWords;
}

export function createLock(parts: Parts): Lock {
  const { clock, sessions, overlays, notices, key } = parts;
  let unlocked: Unlocked | null = null;
  let timer = new AbortController();
  const setUnlocked = (next: Unlocked | null) => {
    timer.abort();
    unlocked = next;
    state.set(stateNow());
    if (next === null) return;
    timer = new AbortController();
    clock.sleep(next.until - clock.now(), timer.signal).then(
      () => {
        setUnlocked(null);
        notices.announce("Writes are locked again.", "waiting");
      },
      () => {},
    );
  };
  const unlock = ({ id, profile }: Session) => {
    if (!isProfileUnchanged()) return;
    overlays.prompt({
      title: `Unlock writes to ${profile.name} (production) for 15 minutes`,
      label: "Profile's name",
      hint: `Type ${profile.name} to unlock.`,
      onSubmit: (typed) => {
        if (typed !== profile.name) return `That is not ${profile.name}; still locked.`;
        if (isProfileUnchanged())
          setUnlocked({ session: id, profile, until: clock.now() + unlockedMs });
        return null;
      },
    });
  };
  const stateNow = (): LockState => {
    const open = sessions.state.get();
    if (open.kind !== "open") return { locked: parts.readOnly, until: null, action: null };
    const { session } = open;
    const { profile, id } = session;
    const permanent = permanentLockWords(session, parts.readOnly);
    if (permanent !== null)
      return { locked: true, until: null, action: { run: () => {}, disabled: permanent } };
    if (profile.environment !== "production") {
      const disabled = `Nothing is locked: ${profile.name} is no production profile.`;
      return { locked: false, until: null, action: { run: () => {}, disabled, footer: null } };
    }
    if (unlocked?.session === id && unlocked.profile === profile) {
      const action = { label: "lock", run: () => setUnlocked(null) };
      return { locked: false, until: unlocked.until, action };
    }
    return { locked: true, until: null, action: { run: () => unlock(session) } };
  };
  const state = createStore(stateNow());
  sessions.state.subscribe(() => state.set(stateNow()));
  const lockedWords = () => `Writes to production are locked: ${key("unlock")} unlocks them.`;
  const words = () => {
    const { locked, until, action } = state.get();
    if (until !== null && clock.now() >= until) return lockedWords();
    if (!locked) return null;
    if (!action) return "Nothing is sent: the console was started with --read-only.";
    return action.disabled ?? lockedWords();
  };
  const isProfileUnchanged = () => {
    const changed = check(parts);
    if (changed !== null) notices.show(`${changed} Nothing was sent.`, "bad");
    return changed === null;
  };
  return {
    state,
    words,
    check: () => check(parts),
    isProfileUnchanged,
    refusal: () => check(parts) ?? words(),
    close: () => timer.abort(),
  };
}

/** Returns the reason why a session cannot be unlocked, or null if it can or need not be. */
function permanentLockWords({ profile, outdated }: Session, readOnly: boolean): string | null {
  if (outdated !== null) {
    const change = outdated === "gone" ? "was removed" : "has changed";
    return `Nothing is sent: the profile ${profile.name} ${change} since it was opened. Open a profile on the Profiles screen.`;
  }
  if (!readOnly && !profile.readOnly) return null;
  const why = readOnly ? "started with --read-only" : `the profile ${profile.name} is read-only`;
  return `Writes cannot be unlocked: ${why}.`;
}

function check({ settings, sessions }: Parts): string | null {
  const state = sessions.state.get();
  if (state.kind !== "open") return null;
  const { session } = state;
  const { profile } = session;
  if (!isStored(profile)) return null;
  let stored: Profile | null;
  try {
    stored = settings.find(profile.name);
  } catch (error) {
    return errorLine(error, { doing: "reading the profile" });
  }
  const change = profileChange(profile, stored);
  const words = changeWords(profile, change);
  const update = (patch: Partial<Pick<Session, "profile" | "outdated">>) =>
    sessions.state.set({ kind: "open", session: { ...session, ...patch } });
  switch (change.kind) {
    case "same":
      if (session.outdated !== null) update({ outdated: null });
      return null;
    case "relabeled":
      update({ profile: change.profile, outdated: null });
      return words;
    case "moved":
    case "gone":
      // The session continues to read from the service that it was opened with, and reports the
      // change.
      if (session.outdated !== change.kind) update({ outdated: change.kind });
      return words;
  }
}
