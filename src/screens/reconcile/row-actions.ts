import { useHere } from "../../hooks/app.tsx";
import { useMarks } from "../../hooks/list-cursor.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, composeMarked, notListedWords } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { reconcilePlace } from "../../session/reconcile-place.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { count, plural } from "../../text/numbers.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { rowCell, rowFields } from "../../triage/reconcile/row-text.ts";
import type { ClassRows } from "./class-rows.ts";
import { useExportRows } from "./export-rows.ts";

/** Marking more rows at once would hold up the keys. */
const mostMarked = 100_000;

/** More marks do not fit into what terminals take. */
const mostCopied = 20_000;

/** The keys of the rows of a class and of what is marked, those that move the cursor apart. */
export function useRowActions(options: {
  readonly supplier: string;
  readonly chosen: ChosenSource;
  readonly result: Reconciled;
  readonly class: RowClass;
  readonly rows: ClassRows;
  readonly row: ReconciledRow | null;
  /** Moves the cursor to the next row. */
  readonly toNext: () => void;
}): {
  readonly actions: Actions;
  readonly marks: ReadonlySet<string>;
  readonly mark: (more: readonly string[]) => void;
} {
  const { supplier, chosen, result, rows, row } = options;
  const { marks, ...marking } = useMarks<string>();
  const here = useHere();
  const { clipboard, notices, key } = here.app;
  const exportRows = useExportRows(supplier, chosen, result);
  const byNumber = openByNumber(here.app, supplier);
  const composeMarked = useMarkedComposing(supplier, marks);
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
    marks.size > 0
      ? {
          kind: "many",
          find: (most) => [...marks].slice(0, most).map(subject),
          total: marks.size,
        }
      : { kind: "one", subject: subject(external ?? "") },
  );
  const allMarked = marks.size > 0 && marks.size >= rows.length;
  const copyMarks = () => {
    if (marks.size > mostCopied) {
      const words = `${count(marks.size)} marked accounts do not fit the terminal's clipboard; ${key("export")} writes a file.`;
      notices.show(words, "waiting");
      return;
    }
    clipboard([...marks].join("\n"), plural(marks.size, "marked account"));
  };
  const actions: Actions = {
    ...writes,
    account: byNumber.account,
    "compose-marked": composeMarked,
    "mark-all": {
      label: allMarked ? "unmark all" : "mark all",
      disabled: rows.isFiltering
        ? "The filter is still being applied."
        : rows.length > mostMarked
          ? `At most ${count(mostMarked)} rows can be marked; ${key("export")} writes all of them to a file.`
          : null,
      run: () => marking.set(allMarked ? [] : externalsIn(rows)),
    },
    export: exportRows({ class: options.class, length: rows.length, at: rows.at }),
    "as-command": () =>
      showAsCommand(here, reconcilePlace(supplier, chosen, options.class), [
        "v1/data-import/all-account-import-processes",
        supplier,
      ]),
    ...(external === null
      ? {}
      : {
          mark: () => {
            marking.toggle(external);
            options.toNext();
          },
          copy: () => clipboard(external, external),
        }),
    ...(row === null
      ? {}
      : {
          "copy-row": () => {
            if (marks.size > 0) copyMarks();
            else clipboard(rowFields.map((name) => rowCell(row, name) ?? "").join("\t"), "row");
          },
        }),
    ...(external === null && marks.size === 0 ? {} : { watch }),
  };
  return { actions, marks, mark: marking.add };
}

/** Composes for the marked accounts by marking them in the list of imported accounts that is loaded. */
function useMarkedComposing(supplier: string, marks: ReadonlySet<string>) {
  const here = useHere();
  const { notices } = here.app;
  const list = here.session.list(supplier, "all");
  return composeMarked(here, {
    ...{ supplier, list: "all", marks: marks.size },
    problem:
      list.getSnapshot().loadedAt === null
        ? `Open the accounts of ${supplier} once: the marked ones are found in that list.`
        : null,
    prepare() {
      list.clearMarks();
      const absent = list.markListed(marks);
      if (absent > 0)
        notices.show(`${plural(absent, "marked account")} on no list: left out.`, "waiting");
      return absent < marks.size;
    },
  });
}

function* externalsIn(rows: ClassRows): Generator<string> {
  for (let at = 0; at < rows.length; at++) {
    const { external } = rows.at(at);
    if (external !== null) yield external;
  }
}
