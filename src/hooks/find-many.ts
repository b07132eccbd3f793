/** Searches for the account numbers of a text at all suppliers of the profile. */
import { useEffect, useState } from "react";
import { runSliced, runToEnd, type Sliced } from "../accounts/slices.ts";
import { type FindProgress, find } from "../triage/find/find.ts";
import { readKnownNumbers } from "../triage/find/known-numbers.ts";
import { numbersIn } from "../triage/find/pasted-numbers.ts";
import type { Search } from "../triage/find/search.ts";
import { useApp, useSession } from "./app.tsx";
import { useFindSources } from "./find.ts";

export type FindManyView<T> =
  | { readonly kind: "reading" }
  /** The text has no number. `samples` are numbers of the lists, whose like would count. */
  | { readonly kind: "none"; readonly samples: readonly string[] }
  | {
      readonly kind: "searched";
      readonly result: T;
      readonly progress: FindProgress | null;
    };

const maxLive = 1_000;

const reading = { kind: "reading" } as const;

/**
 * Searches for the numbers of a text, and again after each load of a list. With `isAsking`, the search
 * also sends requests for numbers that are on no list, once. A change of `turn` repeats the search.
 * `resultOf` makes the result from the search. Pass the same function on every render.
 */
export function useFindMany<T>(
  text: string,
  resultOf: (search: Search) => Sliced<T>,
  asking: Parameters<typeof useFindSources>[1],
): FindManyView<T> {
  const { clock } = useApp();
  const session = useSession();
  const { sources, loads } = useFindSources(session, asking);
  const [view, setView] = useState<FindManyView<T>>(reading);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an ended load is searched too
  useEffect(() => {
    if (sources === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const search = async () => {
      const known = await readKnownNumbers(sources, signal);
      const numbers = await runSliced(numbersIn(text, known), signal);
      if (numbers.length === 0) return setView({ kind: "none", samples: known.shapes.samples });
      const ended = await find(numbers, sources, {
        signal,
        now: () => clock.now() - session.service.wrongByMs(),
        asksOnlyForAbsent: true,
        onProgress: (search, progress) => {
          if (signal.aborted || progress.phase !== "asking") return;
          setView((before) =>
            numbers.length <= maxLive
              ? { kind: "searched", result: runToEnd(resultOf(search)), progress }
              : before.kind === "searched"
                ? { ...before, progress }
                : before,
          );
        },
      });
      const result = await runSliced(resultOf(ended), signal);
      setView({ kind: "searched", result, progress: null });
    };
    // Only the signal ends the search early. A source that fails is part of the result.
    search().catch(() => {});
    return () => stop.abort();
  }, [text, resultOf, sources, session, clock, loads]);
  return view;
}
