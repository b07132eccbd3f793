import { errorLine } from "../../errors/error-words.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { addCohort } from "../../session/add-cohort.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { plural } from "../../text/numbers.ts";
import type { CohortRow } from "./cohort-list.ts";

/** The keys of the cohorts; `again` reads them again. */
export function useCohortKeys(current: CohortRow | null, again: () => void): Actions {
  const here = useHere();
  const { app, session } = here;
  const { navigation, overlays, notices } = app;
  const observed = current?.figures?.kind === "read" ? current.figures.observed : null;
  const supplier = current?.cohort.supplier ?? "";
  const watch = useWatchAction({
    kind: "many",
    find: (most) =>
      (observed?.pendingNumbers ?? [])
        .slice(0, most)
        .map((number) => ({ kind: "account", supplier, number }) as const),
    total: observed?.pending ?? 0,
  });
  const remove = ({ name, accounts }: CohortRow["cohort"]) =>
    overlays.confirm({
      question: `Remove the cohort ${name}?`,
      detail: `Its list of ${plural(accounts, "account")} is deleted from this machine and cannot be restored. Nothing changes at the service.`,
      yes: "Yes, remove it",
      onYes: () => {
        session.cohorts.remove(name).then(
          () => {
            notices.show(`The cohort ${name} is removed.`, "ok");
            again();
          },
          (error: unknown) =>
            notices.show(errorLine(error, { doing: "reading the cohorts" }), "bad"),
        );
      },
    });
  const compare = ({ name }: CohortRow["cohort"]) => {
    startReconcile(session, supplier, { kind: "cohort", name }, app);
    navigation.push({ kind: "reconcile", supplier });
  };
  return {
    ...(current === null
      ? {}
      : {
          reconcile: () => compare(current.cohort),
          watch: {
            ...watch,
            label: "watch pending",
            disabled: pendingWords(current),
          },
          remove: () => remove(current.cohort),
        }),
    add: () => addCohort(here, again),
    refresh: again,
  };
}

/** Why no account of a cohort can be watched from here; null where some can. */
function pendingWords({ cohort, figures }: CohortRow): string | null {
  if (figures?.kind !== "read" || figures.observed === null) {
    return `It is not known which accounts of ${cohort.name} are pending.`;
  }
  return figures.observed.pending === 0 ? `No account of ${cohort.name} is pending.` : null;
}
