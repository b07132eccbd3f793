/** Shows the causes of failures as a list, with the codes and the number of rows of each cause. */
import { useMemo } from "react";
import { useApp } from "../hooks/app.tsx";
import { type CauseScope, useCauseActions, useCauses } from "../hooks/causes.ts";
import { useKeysWaitForJournal } from "../hooks/in-flight.tsx";
import type { Actions } from "../keys/scopes.ts";
import {
  type Cause,
  causeCodes,
  causeFields,
  type NumberedCause,
  numbered,
} from "../writes/causes.ts";
import { operationNoun } from "../writes/words/outcomes.ts";
import { journalState } from "./journal-problem.tsx";
import { type Column, column, countColumn, fieldColumn } from "./list-screen/column.ts";
import { detailBlock, ListScreen } from "./list-screen/list-screen.tsx";
import type { Block, ListTabs } from "./list-screen/list-spec.ts";
import { useRowList } from "./list-screen/use-list.ts";

const idOf = ({ key }: NumberedCause) => key;

const noCauses: readonly NumberedCause[] = [];

const fields = Object.values(causeFields);

const columns: readonly Column<NumberedCause>[] = [
  fieldColumn(causeFields.operation, "operation", "Operation", 12, {
    text: ({ operation }) => operationNoun(operation),
    drop: 1,
  }),
  fieldColumn(causeFields.httpStatus, "http", "HTTP", 4, {
    text: ({ httpStatus }) => String(httpStatus ?? "–"),
  }),
  column("code", "Code", 12, causeCodes, { maxWidth: 24 }),
  fieldColumn(causeFields.message, "message", "Message of the first", 8, { fills: true }),
  countColumn("rows", "Rows", 7, causeFields.count.value),
  fieldColumn(causeFields.key, "key", "Key", 0),
];

/** `place` limits the failures to a supplier and an account. */
export function CauseList(props: {
  /** The failures to group. Pass the same object while the scope is the same. */
  readonly scope: CauseScope;
  readonly place: { readonly supplier: string | null; readonly account: string | null };
  readonly tabs: ListTabs;
  readonly above?: Block;
  readonly doing: string;
  readonly actions: Actions;
}) {
  const { scope, place, tabs, above } = props;
  const { navigation } = useApp();
  const { view, refresh } = useCauses(scope);
  useKeysWaitForJournal(view.kind === "opening");
  const run = scope.kind === "run" ? scope.run : null;
  const name = run ?? JSON.stringify(place);
  const causes = view.kind === "read" ? view.value : null;
  const rows = useMemo(() => (causes === null ? noCauses : numbered(causes)), [causes]);
  const list = useRowList({ name: `causes ${name}`, rows, idOf, columns });
  const { current } = list;
  const actions = useCauseActions(scope, current, current?.number ?? 0);
  return (
    <ListScreen
      list={list}
      state={journalState(view, props.doing, "Grouping the failures…")}
      empty={["No failures."]}
      noun={["cause", "causes"]}
      file={{ stem: run === null ? "activity.causes" : `${run}.causes`, fields }}
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
