import { useMemo } from "react";
import { AccountPreview, type PreviewedAccount } from "../../components/account-preview.tsx";
import { Body } from "../../components/body.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { RowSource } from "../../components/list-screen/row-source.ts";
import { useSourceList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import type { ChosenSource, ReconcileTask } from "../../session/tasks.ts";
import type { RowValues } from "../../settings/custom/values.ts";
import { count } from "../../text/numbers.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import { classWords } from "../../triage/reconcile/classes.ts";
import type { Reconciled, ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { rowFields } from "../../triage/reconcile/row-fields.ts";
import { rowColumns, useClassRowKeys } from "./class-rows.ts";
import { fileStem, rowsCommand } from "./export-rows.ts";

interface RowsProps {
  readonly supplier: string;
  readonly class: RowClass;
}

export function ClassRowsScreen(props: RowsProps) {
  const { reconciles } = useSession().tasks;
  const { key } = useApp();
  const task = useStore(reconciles.all).get(props.supplier);
  if (task?.kind === "ended") {
    return <Rows key={props.class} {...props} chosen={task.progress.chosen} end={task.end} />;
  }
  return (
    <Body>
      <Paragraph>
        {task?.kind === "running"
          ? `Comparing again; ${key("back")} shows the progress.`
          : `There is no comparison yet; ${key("back")} goes back.`}
      </Paragraph>
    </Body>
  );
}

ClassRowsScreen.help = {
  name: "Rows of a class",
  about: [
    "The rows of your list that have one class, in the order of your list. Filter, mark, copy, watch or export them.",
    "A row with a suggestion is marked when you take it; the corrected list has the suggestions of the marked rows, or all.",
  ],
  words: ["account-state"],
} as const;

interface ComparedRowsProps extends RowsProps {
  readonly chosen: ChosenSource;
  readonly end: Extract<ReconcileTask, { readonly kind: "ended" }>["end"];
}

function Rows(props: ComparedRowsProps) {
  const { supplier, chosen, end } = props;
  const { result, taken, corrected } = end;
  const { navigation } = useApp();
  const name = props.class;
  const { listedAt } = result;
  const columns = useMemo(() => rowColumns(name, listedAt, taken), [name, listedAt, taken]);
  const source = useMemo(() => classSource(result, name), [result, name]);
  const list = useSourceList({
    name: `${supplier} ${name}`,
    source,
    idOf,
    columns,
    isReplaced: true,
  });
  const words = classWords[name];
  const command = rowsCommand(useSession(), supplier, chosen, name);
  return (
    <ListScreen
      list={list}
      empty={["This class has no rows now."]}
      noun={["row", "rows"]}
      file={{
        stem: fileStem(supplier, chosen, name),
        fields: rowFields,
        ...(list.length === list.total ? { command } : {}),
      }}
      history="reconcile"
      above={{
        rows: 1,
        shown: <Text bold>{`${count(result.counts[name])} ${words.label}. ${words.meaning}`}</Text>,
      }}
      preview={(row) => {
        const account = previewed(row);
        return account && <AccountPreview supplier={supplier} row={account} version={result} />;
      }}
      valuesOf={valuesOf}
      enter={({ external: account }) => ({
        run: () => account !== null && navigation.push({ kind: "account", supplier, account }),
        disabled: account === null ? "This row has no account number." : null,
      })}
      actions={useClassRowKeys({
        supplier,
        chosen,
        next: corrected ?? chosen,
        class: name,
        taken,
        list,
      })}
    />
  );
}

/**
 * Returns an ID from the number and the line of a row, because the source can have the same number
 * twice or a line without a number.
 */
function idOf({ external, line }: ReconciledRow): string {
  return external === null || line === null
    ? `${external ?? ""} ${line ?? ""}`
    : `${external} ${line}`;
}

/**
 * Returns the rows of a class. Each row is created when it is read, because there can be a million.
 */
function classSource(result: Reconciled, name: RowClass): RowSource<ReconciledRow> {
  const length = result.counts[name];
  let cachedIndex = { id: "", index: -1 };
  return {
    length,
    isInMemory: false,
    at: (index) => result.rowIn(name, index),
    idAt: (index) => idOf(result.rowIn(name, index)),
    indexOf(id) {
      if (cachedIndex.id === id) return cachedIndex.index;
      cachedIndex = { id, index: -1 };
      for (let index = 0; index < length && cachedIndex.index < 0; index++)
        if (idOf(result.rowIn(name, index)) === id) cachedIndex = { id, index };
      return cachedIndex.index;
    },
  };
}

function valuesOf({ external, service, class: name }: ReconciledRow): RowValues {
  return {
    external_account_number: external ?? undefined,
    service_account_number: service ?? undefined,
    status: name,
  };
}

function previewed(row: ReconciledRow): PreviewedAccount | null {
  const { external, service, created, pendingSince } = row;
  if (external === null) return null;
  return {
    external,
    service,
    created,
    createdAt: created === null ? Number.NaN : Date.parse(created),
    pendingSince: pendingSince ?? Number.NaN,
    goneAt: Number.NaN,
  };
}
