import { useKeyWords } from "./keys.tsx";
import { useLock } from "./lock.tsx";

/** Why nothing may be sent here and now, in words; null when it may. */
export function useWriteLock(): string | null {
  const { locked, action } = useLock();
  const key = useKeyWords();
  if (!locked) return null;
  if (!action) return "Nothing is sent: the console was started with --read-only.";
  return action.disabled ?? `Writes to production are locked: ${key("unlock")} unlocks them.`;
}
