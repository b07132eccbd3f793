import { useCallback, useInsertionEffect, useRef } from "react";
import type { KeyWords } from "../keys/keymap.ts";
import { useConsole } from "./console.tsx";
import { useKeyWords } from "./keys.tsx";
import { type Lock, useLock } from "./lock.tsx";
import { useNotices } from "./notices.tsx";
import { useProfileStands } from "./profile-check.ts";

/** Why nothing may be sent here and now, in words; null when it may. */
export function useWriteLock(): string | null {
  return wordsOf(useLock(), useKeyWords());
}

/**
 * Does what writes, unless the profile has changed or writing is locked at that very moment; then it
 * says so. For what a dialog
 * was opened for: the time may have run out while it stood open, or while the machine slept.
 */
export function useUnlessLocked(): (act: () => void) => void {
  const { clock } = useConsole();
  const notices = useNotices();
  const lock = useLock();
  const key = useKeyWords();
  const stands = useProfileStands();
  const latest = useRef(lock);
  useInsertionEffect(() => {
    latest.current = lock;
  });
  return useCallback(
    (act) => {
      if (!stands()) return;
      const { until } = latest.current;
      const isOver = until !== null && clock.now() >= until;
      const words = isOver ? lockedWords(key) : wordsOf(latest.current, key);
      if (words === null) act();
      else notices.show(`${words} Nothing was sent.`, "waiting");
    },
    [clock, notices, key, stands],
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
