import { useCallback, useEffect, useRef, useState } from "react";
import type { Action } from "../keys/scopes.ts";
import {
  type Candidate,
  type Completion,
  completePath,
  describeNames,
} from "../session/complete-path.ts";
import { useApp } from "./app.tsx";

export interface TypedPath {
  readonly text: string;
  readonly change: (text: string) => void;
  readonly complete: Action;
  readonly candidates: readonly Candidate[];
  /** Number of possible names, of which `candidates` has the first ones. */
  readonly count: number;
  readonly problem: string | null;
  /** Shows a problem of the text until the next change, or none if it is null. */
  readonly reject: (problem: string | null) => void;
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

interface TypedPathOptions {
  readonly initial?: string | undefined;
  readonly find?: (typed: string) => Promise<Completion> | null;
  readonly disabled?: (text: string) => string | null;
}

/**
 * Returns a path that the user types. The last part is completed as a shell does: up to the first
 * difference between the names, with a list of the names. `find` completes texts that are not paths,
 * and returns null for a path. `disabled` returns the reason why a text cannot be completed, or null.
 */
export function useTypedPath(options: TypedPathOptions = {}): TypedPath {
  const { initial = "", find, disabled } = options;
  const { env } = useApp();
  const [text, setText] = useState(initial);
  const [rejection, reject] = useState<string | null>(null);
  const [last, setLast] = useState<ShownCompletion | null>(null);
  // A typed text is known here before it is drawn, so that the completion of an older text is
  // dropped.
  const latest = useRef(text);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const change = useCallback((next: string) => {
    latest.current = next;
    setText(next);
    reject(null);
  }, []);
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
    const { names, isPossible } = completion;
    setLast({ text: completion.text, candidates, count: isPossible ? names.length : -1 });
  };
  const shown = last !== null && last.text === text ? last : null;
  return {
    text,
    change,
    complete: {
      run: () => void complete(),
      label: "complete",
      disabled: disabled?.(text) ?? null,
    },
    candidates: shown?.candidates ?? noCandidates,
    count: Math.max(0, shown?.count ?? 0),
    problem: rejection ?? (shown?.count === -1 ? "No matching file." : null),
    reject,
  };
}
