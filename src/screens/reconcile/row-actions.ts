import type { List } from "../../components/list-screen/use-list.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, composeMarked, notListedWords } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { reconcilePlace } from "../../session/reconcile-place.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { plural } from "../../text/numbers.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";

/** The keys of the rows of a class and of what is marked, besides those of every list. */
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
  const marked = (most?: number) => list.marked(most).flatMap(({ external }) => external ?? []);
  const markedAction = useMarkedComposing(supplier, list.marks.count, marked);
  const external = row?.external ?? null;
  const isImported = options.class === "imported" || (row?.service ?? null) !== null;
  const writes = composeActions(
    here,
    supplier,
    external === null
      ? null
      : { account: external, notImported: notListedWords({ pending: !isImported, gone: false }) },
  );
  const subject = (number: string) => ({ kind: "account", supplier, number }) as const;
  const watch = useWatchAction(
    list.marks.count > 0
      ? { kind: "many", find: (most) => marked(most).map(subject), total: list.marks.count }
      : { kind: "one", subject: subject(external ?? "") },
  );
  return {
    ...writes,
    account: openByNumber(app, supplier).account,
    "compose-marked": markedAction,
    "as-command": () =>
      showAsCommand(here, reconcilePlace(supplier, chosen, options.class), [
        "v1/data-import/all-account-import-processes",
        supplier,
      ]),
    ...(external === null && list.marks.count === 0 ? {} : { watch }),
    ...(external === null
      ? {}
      : { open: () => app.navigation.push({ kind: "account", supplier, account: external }) }),
  };
}

/** Composes for the marked accounts by marking them in the list of imported accounts that is loaded. */
function useMarkedComposing(supplier: string, marks: number, marked: () => readonly string[]) {
  const here = useHere();
  const { notices } = here.app;
  const list = here.session.list(supplier, "all");
  return composeMarked(here, {
    ...{ supplier, list: "all", marks },
    problem:
      list.getSnapshot().loadedAt === null
        ? `Open the accounts of ${supplier} once: the marked ones are found in that list.`
        : null,
    prepare() {
      list.clearMarks();
      const absent = list.markListed(marked());
      if (absent > 0)
        notices.show(`${plural(absent, "marked account")} on no list: left out.`, "waiting");
      return absent < marks;
    },
  });
}
