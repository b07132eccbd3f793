/** Completes a typed path when Tab is pressed, as a shell does. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Action } from "../keys/scopes.ts";
import {
  type Candidate,
  type Completion,
  completePath,
  describeNames,
} from "../session/complete-path.ts";
import { useApp } from "./app.tsx";

export interface PathCompletion {
  readonly change: (text: string) => void;
  readonly action: Action;
  readonly candidates: readonly Candidate[];
  readonly count: number;
  readonly problem: string | null;
}

/**
 * Maximum number of described names. No screen has room for more, so the others are only counted.
 */
const maxDescribed = 100;

interface ShownCompletion {
  readonly text: string;
  readonly candidates: readonly Candidate[];
  /** The number of possible names, or -1 if the text has no completion. */
  readonly count: number;
}

const noCandidates: readonly Candidate[] = [];

/**
 * Completes the last part of a typed path, as a shell does: up to the first difference between the
 * names, with a list of the names. `find` completes texts that are not paths, and returns null for
 * a path. `disabled` is the reason why nothing can be completed now.
 */
export function usePathCompletion(options: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly find?: (typed: string) => Promise<Completion> | null;
  readonly disabled?: string | null;
}): PathCompletion {
  const { text, onChange, find, disabled = null } = options;
  const { env } = useApp();
  const [last, setLast] = useState<ShownCompletion | null>(null);
  // A typed text is known here before it is drawn, so that the completion of an older text is
  // dropped.
  const latest = useRef(text);
  const drawn = useRef(text);
  if (drawn.current !== text) {
    drawn.current = text;
    latest.current = text;
  }
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const change = useCallback(
    (next: string) => {
      latest.current = next;
      onChange(next);
    },
    [onChange],
  );
  const complete = async () => {
    const typed = latest.current;
    const home = env.HOME;
    const other = find?.(typed) ?? null;
    const completion = await (other ?? completePath(typed, home));
    const candidates =
      other === null
        ? await describeNames(typed, completion, { home, most: maxDescribed })
        : completion.names.map((name) => ({ name, size: null, changedAt: null }));
    if (!mounted.current || latest.current !== typed) return;
    change(completion.text);
    const count = completion.names.length;
    const isNew = completion.text !== typed || count > 0;
    setLast({ text: completion.text, candidates, count: isNew ? count : -1 });
  };
  const shown = last !== null && last.text === text ? last : null;
  return {
    change,
    action: { run: () => void complete(), label: "complete", disabled },
    candidates: shown?.candidates ?? noCandidates,
    count: Math.max(0, shown?.count ?? 0),
    problem: shown?.count === -1 ? "No matching file." : null,
  };
}
