import { useEffect, useRef, useState } from "react";
import type { Action } from "../keys/scopes.ts";
import { plural } from "../text/numbers.ts";
import type { Cohort } from "../triage/cohorts/description.ts";
import { useNavigation } from "./navigation.tsx";
import { useNotices } from "./notices.tsx";
import { useOverlays } from "./overlay.tsx";
import { useViewAction } from "./saved-views.ts";
import { useSessionState } from "./session.tsx";

/** The stored cohorts by name; none while they are read, and where no session is open. */
export function useCohorts(): readonly Cohort[] {
  return useReadCohorts().cohorts;
}

/** The same, with a way to wait until they are read; what waits is dropped with the screen. */
function useReadCohorts() {
  const state = useSessionState();
  const stored = state.kind === "open" ? state.session.cohorts : null;
  const [cohorts, setCohorts] = useState<readonly Cohort[] | null>(null);
  const waiting = useRef<((cohorts: readonly Cohort[]) => void) | null>(null);
  useEffect(() => {
    if (stored === null) return;
    let isOver = false;
    const end = (found: readonly Cohort[]) => {
      if (isOver) return;
      setCohorts(found);
      waiting.current?.(found);
      waiting.current = null;
    };
    // One that cannot be read says why where it is opened, by `cohorts list` and by `cohorts show`.
    stored.list().then(
      (found) => end(found.cohorts),
      () => end([]),
    );
    return () => {
      isOver = true;
    };
  }, [stored]);
  return {
    cohorts: cohorts ?? [],
    isRead: cohorts !== null || stored === null,
    once: (run: (cohorts: readonly Cohort[]) => void) => {
      if (cohorts === null && stored !== null) waiting.current = run;
      else run(cohorts ?? []);
    },
  };
}

/** The key of the saved views on an overview, with the cohorts of the supplier before them. */
export function useCohortsAction(supplier: string): Action {
  const views = useViewAction({ supplier, shown: null });
  const navigation = useNavigation();
  const overlays = useOverlays();
  const notices = useNotices();
  const read = useReadCohorts();
  const choicesOf = (all: readonly Cohort[]) =>
    all
      .filter((cohort) => cohort.supplier === supplier)
      .map(({ name, accounts }) => ({
        label: `cohort ${name}`,
        hint: `overview of ${plural(accounts, "account")}`,
        run: () =>
          navigation.go([
            { kind: "suppliers" },
            { kind: "overview", supplier },
            { kind: "cohort", supplier, cohort: name },
          ]),
      }));
  const more = views.choices ?? [];
  const choices = choicesOf(read.cohorts);
  return {
    ...(choices.length === 0 ? views : { label: "cohorts", choices: [...choices, ...more] }),
    // Pressed before the cohorts are read, the key waits for them.
    ...(read.isRead ? {} : { disabled: null }),
    run: () =>
      read.once((all) => {
        const own = choicesOf(all);
        if (own.length === 0 && views.disabled) notices.show(views.disabled);
        else if (own.length === 0) views.run();
        else
          overlays.open({
            kind: "choose",
            title: `Cohorts and views of ${supplier}`,
            choices: [...own, ...more],
          });
      }),
  };
}
