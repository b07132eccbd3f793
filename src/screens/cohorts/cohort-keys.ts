import { errorLine } from "../../errors/error-words.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { addCohort } from "../../session/add-cohort.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { plural } from "../../text/numbers.ts";
import type { CohortRow } from "./cohort-list.ts";

/** Returns the keys of the cohorts screen. `again` reads the cohorts again. */
export function useCohortKeys(current: CohortRow | null, again: () => void): Actions {
  const here = useHere();
  const { app, session } = here;
  const { navigation, overlays, notices } = app;
  const supplier = current?.cohort.supplier ?? "";
  const watch = useWatchAction({ kind: "cohort", supplier, number: current?.cohort.name ?? "" });
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
          watch,
          remove: () => remove(current.cohort),
        }),
    add: () => addCohort(here, again),
    refresh: again,
  };
}
