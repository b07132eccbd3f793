/**
 * Shows the result of comparing a list of accounts with the service: a sentence with the counts,
 * and one row for each class of accounts.
 */
import { useMemo } from "react";
import { shareBar } from "../../components/bar-pieces.ts";
import { type Column, column, countColumn } from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { rowsShown } from "../../components/list-screen/row-files.ts";
import { type List, useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useServiceNow, useShownZone } from "../../hooks/now.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { useRoom } from "../../hooks/window.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { storeCompared } from "../../session/compared-list.ts";
import { reconcilePlace } from "../../session/logged-work.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { sourceName } from "../../session/reconcile-task.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { listedAge } from "../../text/ages.ts";
import { shortInstant } from "../../text/dates.ts";
import { count, percent, plural } from "../../text/numbers.ts";
import { truncate, widthOf, wrap } from "../../text/width.ts";
import {
  answerWords,
  classesOf,
  classWords,
  type RowClass,
} from "../../triage/reconcile/classes.ts";
import { numbersOfClasses, type Reconciled } from "../../triage/reconcile/reconciled.ts";
import { leftOutWords } from "../../triage/source/source.ts";
import { correctedListKey, exportRowsKey, fileStem } from "./export-rows.ts";

const idOf = ({ name }: ClassRow) => name;

interface ClassRow {
  readonly name: RowClass;
  readonly count: number;
  readonly remark: string;
}

interface ResultProps {
  readonly supplier: string;
  readonly chosen: ChosenSource;
  readonly result: Reconciled;
  readonly comparedAt: number;
  readonly compareAgain: () => void;
  readonly comparesCorrected: boolean;
  readonly chooseList: () => void;
  /** Shows the list that was compared, or null if it was not named on this screen. */
  readonly toList: (() => void) | null;
}

export function ReconcileResult(props: ResultProps) {
  const { supplier, chosen, result, comparedAt } = props;
  const { navigation } = useApp();
  const room = useRoom();
  const zone = useShownZone();
  const now = useServiceNow(60_000);
  const rows = useClassRows(result);
  const { source, counts } = result;
  const columns = useMemo(() => classColumns(rows, source.rows), [rows, source]);
  const list = useRowList({ name: `reconcile ${supplier}`, rows, idOf, columns, isReplaced: true });
  const leftOut = leftOutWords(source);
  const answer = `${answerWords(counts, source.rows)}${leftOut === null ? "" : ` ${leftOut}`}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the formatted time depends on the zone
  const comparedText = useMemo(
    () =>
      ` compared ${shortInstant(comparedAt, now)} with the list of ${shortInstant(result.listedAt, now)}`,
    [comparedAt, result, now, zone],
  );
  const name = truncate(sourceName(chosen), Math.max(8, room.columns - widthOf(comparedText)));
  const answerRows = wrap(answer, Math.max(8, room.columns)).length;
  // The meaning of a class is shown only if all classes are visible.
  const freeRows = room.rows - answerRows - rows.length - 3;
  const resultKeys = useResultKeys({ ...props, answer, list });
  return (
    <ListScreen
      list={list}
      empty={["The list has no accounts."]}
      noun={["class", "classes"]}
      file={{ stem: fileStem(supplier, chosen, null), fields: [] }}
      history="reconcile"
      above={{
        rows: answerRows + 1,
        shown: (
          <>
            <Paragraph bold>{answer}</Paragraph>
            <Text>{name + comparedText}</Text>
          </>
        ),
      }}
      {...(freeRows < 1
        ? {}
        : {
            below: {
              rows: 1,
              shown: ({ name }: ClassRow) => (
                <Text>{`${classWords[name].label}: ${classWords[name].meaning}`}</Text>
              ),
            },
          })}
      valuesOf={() => ({ import_supplier: supplier })}
      enter={({ name }) => ({
        run: () => navigation.push({ kind: "reconciled-rows", supplier, class: name }),
        label: "rows",
      })}
      actions={resultKeys}
    />
  );
}

/** Returns the classes with rows, the most severe first, and `extra` last. */
function useClassRows(result: Reconciled): readonly ClassRow[] {
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
      if (name === "pending") return oldestWords(oldest, result.listedAt);
      const suggestionCount = suggestions(name);
      const parts = [
        suggestionCount === 0 ? "" : `${count(suggestionCount)} with a suggestion`,
        name === "absent" && failures > 0 ? plural(failures, "failed lookup") : "",
      ];
      return parts.filter((part) => part !== "").join(", ");
    };
    const names: readonly RowClass[] = [
      ...bySeverity(classesOf(result.counts)),
      ...(result.counts.extra > 0 ? (["extra"] as const) : []),
    ];
    return names.map((name) => ({
      name,
      count: result.counts[name],
      remark: name === "extra" ? "not in your list" : remark(name),
    }));
  }, [result, figures]);
}

const severity = ["bad", "waiting", "busy", "muted", "ok"] as const;

function bySeverity(names: readonly RowClass[]): readonly RowClass[] {
  const rank = (name: RowClass) => severity.indexOf(classWords[name].tone);
  return names.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Formats the age of the oldest pending account. Returns an empty text if the age is unknown or
 * less than a minute.
 */
function oldestWords(since: number | null, listedAt: number): string {
  return since === null || listedAt - since < 60_000 ? "" : `oldest ${listedAge(since, listedAt)}`;
}

/**
 * Returns the keys of the result in addition to those of every list. The export key writes the rows
 * of the marked classes, or of all shown classes if none is marked.
 */
function useResultKeys(
  props: ResultProps & { readonly answer: string; readonly list: List<ClassRow> },
): Actions {
  const { supplier, chosen, result, answer, list } = props;
  const here = useHere();
  const { clipboard } = here.app;
  const isWholeList = list.marks.count === 0 && list.length === list.total;
  const classes = (list.marks.count > 0 ? list.marked() : [...rowsShown(list)]).map(
    ({ name }) => name,
  );
  const writeFile = useWriteFile();
  const exported = { supplier, chosen, result, classes: isWholeList ? null : classes };
  const byNumber = openByNumber(here.app, supplier);
  const { pending, "in-progress": inProgress } = result.counts;
  const cohort = chosen.kind === "cohort" ? chosen.name : null;
  const watch = useWatchAction(
    cohort === null
      ? (maxCount) =>
          numbersOfClasses(result, ["in-progress", "pending"], maxCount).map((number) => ({
            kind: "account" as const,
            supplier,
            number,
          }))
      : { kind: "cohort", supplier, number: cohort },
  );
  return {
    refresh: {
      run: props.compareAgain,
      label: props.comparesCorrected ? "compare corrected" : "compare again",
      isMain: props.comparesCorrected,
    },
    edit: { run: props.chooseList, label: "other list", isMain: result.counts.malformed > 0 },
    ...(props.toList === null ? {} : { back: { run: props.toList, label: "list" } }),
    account: byNumber.account,
    watch:
      cohort === null
        ? {
            ...watch,
            label: "watch pending",
            disabled: pending + inProgress === 0 ? "No account is pending or in progress." : null,
          }
        : watch,
    copy: { run: () => clipboard(answer, "answer"), label: "copy answer" },
    "copy-row": {
      run: () => clipboard(summaryOf(supplier, answer, result), "summary"),
      label: "copy summary",
    },
    export: exportRowsKey(here, writeFile, exported),
    add: {
      label: "cohort",
      disabled: cohort === null ? null : `This list is the cohort ${cohort}.`,
      run: () => {
        const task = here.session.tasks.reconciles.all.get().get(supplier);
        if (task?.kind === "ended") storeCompared(here, supplier, task);
      },
    },
    "rejected-rows": correctedListKey(here, writeFile, supplier),
    "as-command": () => showListAsCommand(here, reconcilePlace(supplier, chosen), supplier),
  };
}

function summaryOf(supplier: string, answer: string, { counts }: Reconciled): string {
  const names: readonly RowClass[] = [...classesOf(counts), "extra"];
  return [
    `${supplier}: ${answer}`,
    ...names.map((name) => `${classWords[name].label}\t${counts[name]}`),
  ].join("\n");
}

function classColumns(rows: readonly ClassRow[], total: number): readonly Column<ClassRow>[] {
  const longest = Math.max(...rows.map(({ remark }) => remark.length), 0);
  const isInSource = ({ name }: ClassRow) => name !== "extra";
  const shareOf = ({ count: n }: ClassRow) => (total === 0 ? 0 : n / total);
  return [
    column("class", "Class", 11, ({ name }) => classWords[name].label, {
      tone: ({ name }) => classWords[name].tone,
    }),
    column("bar", "", 6, () => "", {
      picture: true,
      fills: true,
      pieces: (row, width) =>
        isInSource(row)
          ? shareBar(shareOf(row), width, classWords[row.name].tone)
          : [{ text: " ".repeat(width) }],
    }),
    countColumn("rows", "Rows", 4, (row) => row.count, { maxWidth: 9 }),
    column("share", "Share", 7, (row) => (isInSource(row) ? percent(row.count, total) : ""), {
      drop: 1,
      align: "right",
      value: (row) => (isInSource(row) ? shareOf(row) : null),
    }),
    column("remark", "Remark", Math.min(30, longest), (row) => row.remark, {
      minWidth: 8,
      short: "",
    }),
  ];
}
