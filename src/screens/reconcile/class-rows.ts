/** The columns and keys of the rows of one class of a comparison. */
import type { MarkedAccount } from "../../accounts/marks.ts";
import { type Column, fieldColumn } from "../../components/list-screen/column.ts";
import type { List } from "../../components/list-screen/use-list.ts";
import { useHere } from "../../hooks/app.tsx";
import { useWatchRows } from "../../hooks/watching.ts";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Actions } from "../../keys/scopes.ts";
import { toggleSuggestions } from "../../session/compared-list.ts";
import { composeActions, composeCompared, notListedWords } from "../../session/compose-actions.ts";
import { reconcilePlace } from "../../session/logged-work.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import type { ChosenSource } from "../../session/tasks.ts";
import { listedAge } from "../../text/ages.ts";
import { formatInstant } from "../../text/dates.ts";
import { fieldCell } from "../../text/fields.ts";
import { count } from "../../text/numbers.ts";
import { classWords, type RowClass } from "../../triage/reconcile/classes.ts";
import type { ReconciledRow } from "../../triage/reconcile/reconciled.ts";
import { reconciledFields, rowErrorWords } from "../../triage/reconcile/row-fields.ts";
import { correctedListKey } from "./export-rows.ts";

const none = "–";

const flexible = { minWidth: 8, maxWidth: 60 } as const;

/**
 * Returns the columns for the rows of a class. A field that has no meaning for the class has no
 * width. `listedAt` is the time of the compared list (epoch milliseconds). `taken` has the lines whose suggestion is taken.
 */
export function rowColumns(
  name: RowClass,
  listedAt: number,
  taken: ReadonlySet<number>,
): readonly Column<ReconciledRow>[] {
  const isOneOf = (...classes: readonly RowClass[]) => classes.includes(name);
  const field = (
    id: string,
    title: string,
    name: keyof typeof reconciledFields,
    width: number,
    more: Partial<Column<ReconciledRow>> = {},
  ): Column<ReconciledRow> => {
    const value = (row: ReconciledRow) => fieldCell(reconciledFields[name], row);
    const text = (row: ReconciledRow) => String(value(row) ?? none);
    return fieldColumn({ value }, id, title, width, { text, ...more });
  };
  const number = { align: "right" } as const;
  return [
    field("ext", "External account", "account", isOneOf("malformed") ? 0 : 14, {
      short: "Account",
      maxWidth: 36,
    }),
    field("line", "Line", "line", isOneOf("extra") ? 0 : 9, {
      ...number,
      text: ({ line }) => (line === null ? none : count(line)),
    }),
    field("text", reconciledFields.text.title, "text", isOneOf("malformed") ? 24 : 0, {
      drop: 1,
      minWidth: 12,
      maxWidth: 80,
    }),
    field("class", "Class", "class", 0),
    field("svc", "Service account", "service", isOneOf("imported", "extra") ? 16 : 0, {
      short: "Service acct",
    }),
    field("created", "Created", "created", isOneOf("imported", "extra") ? 19 : 0, {
      minWidth: 10,
      text: ({ created }, width) => createdText(created, width),
    }),
    field("pending", "Pending for", "pendingSince", isOneOf("pending") ? 12 : 0, {
      text: ({ pendingSince }) =>
        pendingSince === null ? none : listedAge(pendingSince, listedAt),
      ...flexible,
    }),
    field("status", "Status", "status", isOneOf("in-progress") ? 14 : 0, flexible),
    field("first", "First on line", "firstLine", isOneOf("duplicate") ? 13 : 0, {
      ...number,
      text: ({ firstLine }) => (firstLine === null ? none : count(firstLine)),
    }),
    field(
      "near",
      "Did you mean",
      "suggestion",
      isOneOf("failed", "not-staged", "absent") ? 18 : 0,
      {
        text: ({ line, suggestion }) =>
          suggestion === null
            ? none
            : line !== null && taken.has(line)
              ? `✓ ${suggestion}`
              : suggestion,
        tone: ({ line }) => (line !== null && taken.has(line) ? "ok" : "plain"),
        ...(isOneOf("absent") ? {} : flexible),
      },
    ),
    field(
      "elsewhere",
      "Elsewhere",
      "elsewhere",
      isOneOf("failed", "not-staged", "absent") ? 9 : 0,
      flexible,
    ),
    field(
      "error",
      isOneOf("malformed") ? "Why" : "Lookup",
      "error",
      isOneOf("malformed", "absent") ? 20 : 0,
      {
        text: ({ error, status }) =>
          error === null
            ? isOneOf("absent")
              ? (status ?? "not checked")
              : none
            : rowErrorWords(error),
        ...(isOneOf("malformed") ? { tone: () => classWords.malformed.tone } : {}),
        ...flexible,
      },
    ),
  ];
}

/** Formats a time in `cells` characters. A text that is not a time is returned unchanged. */
function createdText(created: string | null, cells: number): string {
  const ms = created === null ? Number.NaN : Date.parse(created);
  return Number.isNaN(ms) ? (created ?? none) : formatInstant(ms).slice(0, cells);
}

const classesWithSuggestions: ReadonlySet<RowClass> = new Set(["failed", "not-staged", "absent"]);

/** Returns the keys of the rows of a class, in addition to those of every list. */
export function useClassRowKeys(options: {
  readonly supplier: string;
  readonly chosen: ChosenSource;
  /** The list to compare next: the corrected list, if one was written. */
  readonly next: ChosenSource;
  readonly class: RowClass;
  readonly taken: ReadonlySet<number>;
  readonly list: List<ReconciledRow>;
}): Actions {
  const { supplier, chosen, list } = options;
  const row = list.current;
  const here = useHere();
  const { app } = here;
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
  const writeFile = useWriteFile();
  const lines = list
    .chosen()
    .flatMap(({ line, suggestion }) => (line === null || suggestion === null ? [] : [line]));
  const suggestionKeys: Actions = !classesWithSuggestions.has(options.class)
    ? {}
    : {
        accept: {
          ...(lines.length > 0 && lines.every((line) => options.taken.has(line))
            ? { label: "take it back" }
            : {}),
          disabled: lines.length > 0 ? null : "This row has no suggestion.",
          run: () => toggleSuggestions(here, supplier, lines),
        },
      };
  return {
    ...writes,
    ...suggestionKeys,
    "rejected-rows": correctedListKey(here, writeFile, supplier),
    account: openByNumber(app, supplier).account,
    refresh: {
      ...(options.next === chosen ? {} : { label: "compare corrected", isMain: true }),
      help: "Read the list of the service and your list again",
      run: () => startReconcile(here.session, supplier, options.next, app),
    },
    "compose-marked": composeCompared(here, {
      supplier,
      marks: list.marks.count,
      listed: () => list.marked().flatMap((row) => markedAccount(row) ?? []),
      problem:
        options.class === "duplicate"
          ? "These numbers are rows of another class too: mark them there."
          : null,
    }),
    "as-command": () =>
      showListAsCommand(here, reconcilePlace(supplier, chosen, options.class), supplier),
    watch,
  };
}

function markedAccount({ class: name, external, service }: ReconciledRow): MarkedAccount | null {
  if (external === null) return null;
  if (service !== null && service !== "") return { external, standing: "imported" };
  return name === "pending" || name === "extra" ? { external, standing: "staged" } : null;
}
