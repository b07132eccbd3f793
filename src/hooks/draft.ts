import { useCallback, useState } from "react";
import { useConsole } from "./console.tsx";

/**
 * State of a form that outlives its screen: what was typed is there again when the place is opened
 * again, until it is dropped. It may hold secrets, so it lives in memory alone.
 */
export function useDraft<T>(
  key: string,
  initial: () => T,
): { readonly value: T; set(next: T): void; drop(): void } {
  const { drafts } = useConsole();
  const [value, setValue] = useState<T>(() => (drafts.get(key) as T | undefined) ?? initial());
  const set = useCallback(
    (next: T) => {
      drafts.set(key, next);
      setValue(next);
    },
    [drafts, key],
  );
  const drop = useCallback(() => drafts.delete(key), [drafts, key]);
  return { value, set, drop };
}
