/** The keys on the rows of one class of a comparison. */
import type { List } from "../../components/list-screen/use-list.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchRows } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, composeListed, notListedWords } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { reconcilePlace } from "../../session/reconcile-place.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { useCorrectedList } from "./corrected-key.ts";

/** The classes whose rows can have a suggestion. */
const mayBeNear: ReadonlySet<RowClass> = new Set(["failed", "not-staged", "absent"]);

/**
 * Returns the keys of the rows of a class and of marked rows, in addition to those of every list.
 */
export function useRowActions(options: {
  readonly supplier: string;
  readonly chosen: ChosenSource;
  readonly class: RowClass;
  readonly list: List<ReconciledRow>;
}): Actions {
  const { supplier, chosen, list } = options;
  const row = list.current;
  const here = useHere();
  const { app } = here;
  const marked = () => list.marked().flatMap(({ external }) => external ?? []);
  const external = row?.external ?? null;
  const isImported = options.class === "imported" || (row?.service ?? null) !== null;
  const writes = composeActions(
    here,
    supplier,
    external === null
      ? null
      : { account: external, notImported: notListedWords({ pending: !isImported, gone: false }) },
  );
  const watch = useWatchRows(list, ({ external: number }) =>
    number === null ? null : { kind: "account", supplier, number },
  );
  const suggestion = row?.suggestion ?? null;
  const corrected = useCorrectedList(supplier, () =>
    list.marks.count === 0 ? null : new Set(list.marked().flatMap(({ line }) => line ?? [])),
  );
  const near: Actions = !mayBeNear.has(options.class)
    ? {}
    : {
        "rejected-rows": corrected,
        accept: {
          disabled: suggestion === null ? "This row has no suggestion." : null,
          run: () => {
            if (suggestion === null) return;
            if (!list.isMarked(list.position)) list.mark([list.position]);
            app.navigation.push({ kind: "account", supplier, account: suggestion });
          },
        },
      };
  return {
    ...writes,
    ...near,
    account: openByNumber(app, supplier).account,
    refresh: {
      help: "Read the list of the service and your list again",
      run: () => startReconcile(here.session, supplier, chosen, app),
    },
    "compose-marked": composeListed(here, { supplier, marks: list.marks.count, marked }),
    "as-command": () =>
      showListAsCommand(here, reconcilePlace(supplier, chosen, options.class), supplier),
    watch,
  };
}
