import { Box } from "ink";
import { useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { type Column, column } from "../../components/column.ts";
import { DataTable } from "../../components/data-table.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRowCursor } from "../../hooks/list-cursor.ts";
import { useNow, useShownZone } from "../../hooks/now.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { useLinear, useRoom } from "../../hooks/window.tsx";
import { openByNumber } from "../../session/open-by-number.ts";
import { reconcilePlace } from "../../session/reconcile-place.ts";
import { sourceName } from "../../session/reconcile-task.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { bar } from "../../text/chart.ts";
import { shortInstant } from "../../text/dates.ts";
import { atLeastAge } from "../../text/durations.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import { useTheme } from "../../theme.tsx";
import { answerWords, classesOf, classWords } from "../../triage/reconcile/class-words.ts";
import type { RowClass } from "../../triage/reconcile/classes.ts";
import type { Reconciled } from "../../triage/reconcile/reconciled.ts";
import { externalsOf, useExportRows } from "./export-rows.ts";

const idOf = ({ name }: ClassRow) => name;

/** A class with what its line says. */
interface ClassRow {
  readonly name: RowClass;
  readonly count: number;
  readonly remark: string;
}

interface ResultProps {
  readonly supplier: string;
  readonly chosen: ChosenSource;
  readonly result: Reconciled;
  /** Epoch milliseconds. */
  readonly comparedAt: number;
  readonly again: () => void;
  readonly choose: () => void;
}

/** The answer, and a bar for each class that has rows. */
export function ReconcileResult(props: ResultProps) {
  const { supplier, chosen, result, comparedAt } = props;
  const { navigation } = useApp();
  const room = useRoom();
  const theme = useTheme();
  const linear = useLinear();
  const zone = useShownZone();
  const now = useNow(60_000);
  const rows = useClassRows(result, now);
  const { source, counts } = result;
  const answer = answerWords(counts, source.rows);
  // Below the answer: when it was compared, and the titles of the columns.
  const height = room.rows - wrap(answer, Math.max(8, room.columns)).length - 2;
  const spare = height - rows.length;
  const page = Math.max(1, height);
  const cursor = useRowCursor(rows, idOf, page);
  const { current } = cursor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another zone it is another time
  const when = useMemo(
    () =>
      `${sourceName(chosen)} compared ${shortInstant(comparedAt, now)} with the list of ${shortInstant(result.listedAt, now)}`,
    [chosen, comparedAt, result, now, zone],
  );
  useResultKeys({ ...props, answer, current: current?.name ?? null });
  useKeys({
    ...cursor.actions,
    ...(current === null
      ? {}
      : {
          open: {
            run: () => navigation.push({ kind: "reconciled-rows", supplier, class: current.name }),
            label: "rows",
          },
        }),
  });
  return (
    <Body>
      <Paragraph bold>{answer}</Paragraph>
      <Text>{when}</Text>
      <Box marginTop={spare > 1 ? 1 : 0} flexDirection="column">
        <DataTable
          columns={classColumns(rows, room.columns, source.rows, { ascii: theme.ascii, linear })}
          rows={cursor.visible}
          cursor={current?.name ?? null}
          first={cursor.top}
        />
      </Box>
      <Box flexGrow={1} />
      {current === null || spare < 1 ? null : <Text>{classWords[current.name].meaning}</Text>}
    </Body>
  );
}

/** The classes that have rows, and last the accounts that only the service lists. */
function useClassRows(result: Reconciled, now: number): readonly ClassRow[] {
  const figures = useMemo(() => {
    const failures = [...result.lookupErrors()].length;
    return {
      oldest: result.oldestPendingSince(),
      failures,
      suggestions: (name: RowClass) => result.suggestionsOf(name),
    };
  }, [result]);
  return useMemo(() => {
    const remark = (name: RowClass): string => {
      const { oldest, failures, suggestions } = figures;
      if (name === "pending") return oldestWords(oldest, now);
      const near = suggestions(name);
      const parts = [
        near === 0 ? "" : `${count(near)} with a suggestion`,
        name === "absent" && failures > 0 ? plural(failures, "failed lookup") : "",
      ];
      return parts.filter((part) => part !== "").join(", ");
    };
    const names: readonly RowClass[] = [
      ...classesOf(result.counts),
      ...(result.counts.extra > 0 ? (["extra"] as const) : []),
    ];
    return names.map((name) => ({
      name,
      count: result.counts[name],
      remark: name === "extra" ? "not in your list" : remark(name),
    }));
  }, [result, figures, now]);
}

/** Empty where no age is known yet. */
function oldestWords(since: number | null, now: number): string {
  return since === null || now - since < 60_000 ? "" : `oldest ${atLeastAge(now - since)}`;
}

/** The keys of the result, those that move the cursor apart. */
function useResultKeys(
  props: ResultProps & { readonly answer: string; readonly current: RowClass | null },
): void {
  const { supplier, chosen, result, answer, current } = props;
  const here = useHere();
  const { clipboard } = here.app;
  const exportRows = useExportRows(supplier, chosen, result);
  const byNumber = openByNumber(here.app, supplier);
  const { pending, "in-progress": inProgress } = result.counts;
  const watch = useWatchAction({
    kind: "many",
    total: pending + inProgress,
    find: (most) =>
      externalsOf(result, ["in-progress", "pending"], most).map((number) => ({
        ...({ kind: "account", supplier, number } as const),
      })),
  });
  useKeys({
    refresh: { run: props.again, label: "compare again" },
    edit: { run: props.choose, label: "other list" },
    account: byNumber.account,
    watch: {
      ...watch,
      label: "watch pending",
      disabled: pending + inProgress === 0 ? "No account is pending or in progress." : null,
    },
    copy: { run: () => clipboard(answer, "answer"), label: "copy answer" },
    "copy-row": {
      run: () => clipboard(summaryOf(supplier, answer, result), "summary"),
      label: "copy summary",
    },
    ...(current === null ? {} : { export: exportRows(null) }),
    "as-command": () =>
      showAsCommand(here, reconcilePlace(supplier, chosen), listSegments(supplier)),
  });
}

function listSegments(supplier: string): readonly string[] {
  return ["v1/data-import/all-account-import-processes", supplier];
}

/** The counts, one per line, with the answer above them. */
function summaryOf(supplier: string, answer: string, { counts }: Reconciled): string {
  const names: readonly RowClass[] = [...classesOf(counts), "extra"];
  return [
    `${supplier}: ${answer}`,
    ...names.map((name) => `${classWords[name].label}\t${counts[name]}`),
  ].join("\n");
}

/** From this width on, the share and the remark have room. */
const wide = 76;

function classColumns(
  rows: readonly ClassRow[],
  width: number,
  total: number,
  { ascii, linear }: { readonly ascii: boolean; readonly linear: boolean },
): readonly Column<ClassRow>[] {
  const longest = Math.max(...rows.map(({ remark: words }) => words.length), 0);
  const remarkWidth = width >= wide && longest > 0 ? Math.max(6, Math.min(30, longest)) : 0;
  const fixed = 4 + 11 + 2 + 9 + 2 + 7 + (remarkWidth > 0 ? remarkWidth + 2 : 0);
  const barWidth = Math.max(4, Math.min(60, width - fixed - 2));
  const share = ({ name, count: n }: ClassRow) => (name === "extra" ? "" : percent(n, total));
  const picture: Column<ClassRow> = column(
    "bar",
    "",
    barWidth,
    ({ name, count: n }) => (name === "extra" ? "" : bar(n / total, barWidth, ascii)),
    { tone: ({ name }) => classWords[name].tone },
  );
  const remark: Column<ClassRow> = column(
    "remark",
    "Remark",
    remarkWidth === 0 ? 40 : remarkWidth,
    (row) => row.remark,
  );
  return [
    column("class", "Class", 11, ({ name }) => classWords[name].label, {
      tone: ({ name }) => classWords[name].tone,
    }),
    ...(linear ? [] : [picture]),
    column("count", "Rows", 9, (row) => count(row.count), { align: "right" }),
    column("share", "Share", 7, share, { align: "right" }),
    ...(linear || remarkWidth > 0 ? [remark] : []),
  ];
}
