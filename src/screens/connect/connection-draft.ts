/** Saves the typed values of a connection while it is edited, also after a hang-up. */
import { createHash } from "node:crypto";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../../hooks/app.tsx";
import { isRecord } from "../../json/exact.ts";
import type { SavedDrafts } from "../../state/drafts.ts";

/** The storable values of an unfinished connection. They contain no secret. */
export type ConnectionDraftData = Readonly<Record<string, string | boolean | null>>;

/** The profile name of the draft. No profile has an empty name. */
const ofNoProfile = "";

/**
 * Remembers the typed values of a connection. They stay in memory until they are dropped, because
 * they can contain a key. If the terminal hangs up, the result of `keep` is saved in the state
 * folder and restored at the next start. `from` is the reason why the restored form was unfinished:
 * Esc or a hang-up.
 */
export function useConnectionDraft<T extends object>(
  edited: string | null,
  options: {
    readonly initial: () => T;
    readonly keep: (typed: T) => ConnectionDraftData;
    readonly restore: (saved: ConnectionDraftData) => T;
  },
): {
  readonly value: T;
  readonly from: "left" | "hung-up" | null;
  set(next: T): void;
  drop(): void;
} {
  const { formDrafts, drafts, end } = useApp();
  const key = `connect ${edited ?? ""}`;
  const id = idOf(edited);
  const latest = useRef(options);
  const [wasLeft] = useState(() => drafts.has(key));
  const [saved] = useState(() => (wasLeft ? null : takeUp(formDrafts, id)));
  const [value, setValue] = useState<T>(
    () =>
      (drafts.get(key) as T | undefined) ??
      (saved === null ? options.initial() : options.restore(saved)),
  );
  useEffect(() => {
    latest.current = options;
  });
  const keepAtEnd = useRef(false);
  const set = useCallback(
    (next: T) => {
      drafts.set(key, next);
      setValue(next);
      if (keepAtEnd.current) return;
      keepAtEnd.current = true;
      // The listener stays after Esc, so that a hang-up then loses no typed values.
      const onEnd = () => {
        const typed = drafts.get(key) as T | undefined;
        if (typed !== undefined) keepDraft(formDrafts, id, latest.current.keep(typed));
      };
      end.addEventListener("abort", onEnd, { once: true });
    },
    [drafts, key, formDrafts, id, end],
  );
  // Restored values count as typed, so that a second hang-up saves them again.
  const first = useRef(saved === null ? null : value);
  useEffect(() => {
    if (first.current !== null) set(first.current);
    first.current = null;
  }, [set]);
  const drop = useCallback(() => void drafts.delete(key), [drafts, key]);
  return { value, from: wasLeft ? "left" : saved === null ? null : "hung-up", set, drop };
}

function idOf(edited: string | null): string {
  if (edited === null) return "connect";
  return `connect-${createHash("sha256").update(edited).digest("hex").slice(0, 32)}`;
}

/** Returns the draft of an earlier console, and removes it from the disk. */
function takeUp(drafts: SavedDrafts, id: string): ConnectionDraftData | null {
  const found = drafts.find(id);
  if (found === null) return null;
  try {
    drafts.remove(id);
  } catch {
    // The draft stays on the disk, and is restored again.
  }
  return isRecord(found.value) ? (found.value as ConnectionDraftData) : null;
}

function keepDraft(drafts: SavedDrafts, id: string, value: ConnectionDraftData): void {
  try {
    drafts.save({
      id,
      kind: "connection",
      profile: ofNoProfile,
      supplier: "",
      account: null,
      value,
      query: {},
      updatedAt: drafts.find(id)?.updatedAt ?? 0,
      refusals: [],
    });
  } catch {
    // The terminal is closed: no one can read a message.
  }
}
