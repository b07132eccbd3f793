/** Shows the causes of failures as a list, with the codes and the number of rows of each cause. */
import { useApp } from "../hooks/app.tsx";
import { type CauseScope, useCauseActions, useCauses } from "../hooks/causes.ts";
import { useKeysWaitForJournal } from "../hooks/in-flight.tsx";
import type { Actions } from "../keys/scopes.ts";
import type { Cause } from "../writes/causes.ts";
import { operationNoun } from "../writes/words/outcomes.ts";
import { journalState } from "./journal-problem.tsx";
import { type Column, column, countColumn } from "./list-screen/column.ts";
import { detailBlock, ListScreen } from "./list-screen/list-screen.tsx";
import type { Block, ListTabs } from "./list-screen/list-spec.ts";
import { useRowList } from "./list-screen/use-list.ts";

const idOf = ({ key }: Cause) => key;

const noCauses: readonly Cause[] = [];

/** Returns the error codes of a cause, or else the code of its response. */
export function causeCodes({ code, errorCodes }: Cause): string {
  return errorCodes.length > 0 ? errorCodes.join(", ") : (code ?? "");
}

/**
 * The columns of the list: the response of the service, the message of the first failure, and the
 * number of failures.
 */
const columns: readonly Column<Cause>[] = [
  column("operation", "Operation", 12, ({ operation }) => operationNoun(operation), {
    drop: 1,
    value: ({ operation }) => operation,
  }),
  column("http", "HTTP", 4, ({ httpStatus }) => String(httpStatus ?? "–"), {
    field: "http_status",
    value: ({ httpStatus }) => httpStatus,
  }),
  column("code", "Code", 12, causeCodes, { maxWidth: 24 }),
  column("message", "Message of the first", 8, ({ message }) => message ?? "", {
    fills: true,
    value: ({ message }) => message,
  }),
  countColumn("rows", "Rows", 7, (cause) => cause.count),
  column("key", "Key", 0, idOf),
];

/**
 * Shows the causes of failures as a list. `place` limits the failures to a supplier and an
 * account.
 */
export function CauseList(props: {
  /** The failures to group. Pass the same object while the scope is the same. */
  readonly scope: CauseScope;
  readonly place: { readonly supplier: string | null; readonly account: string | null };
  readonly tabs: ListTabs;
  readonly above?: Block;
  /** The task that an error message names if the causes cannot be read. */
  readonly doing: string;
  readonly actions: Actions;
}) {
  const { scope, place, tabs, above } = props;
  const { navigation } = useApp();
  const { view, refresh } = useCauses(scope);
  useKeysWaitForJournal(view.kind === "opening");
  const run = scope.kind === "run" ? scope.run : null;
  const name = run ?? JSON.stringify(place);
  const rows = view.kind === "read" ? view.value : noCauses;
  const list = useRowList({ name: `causes ${name}`, rows, idOf, columns });
  const { current } = list;
  const position = current === null ? 0 : rows.indexOf(current) + 1;
  const actions = useCauseActions(scope, current, position);
  return (
    <ListScreen
      list={list}
      state={journalState(view, props.doing, "Grouping the failures…")}
      empty={["No failures."]}
      noun={["cause", "causes"]}
      file={{ stem: run === null ? "activity.causes" : `${run}.causes` }}
      history="causes"
      tabs={tabs}
      {...(above === undefined ? {} : { above })}
      below={detailBlock(({ message }: Cause) => message)}
      enter={({ key }) => ({
        label: "rows",
        run: () => navigation.push({ kind: "cause", run, ...place, cause: key }),
      })}
      actions={{ ...props.actions, ...actions, refresh }}
    />
  );
}
