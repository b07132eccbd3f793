import { Box } from "ink";
import { useCallback, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import type { InputIssue, IssueCause } from "../../bulk/input/issues.ts";
import { Body } from "../../components/body.tsx";
import { type Column, column } from "../../components/column.ts";
import { DataTable } from "../../components/data-table.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { RowFoot } from "../../components/row-foot.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { useHere } from "../../hooks/app.tsx";
import { useFileChange } from "../../hooks/file-change.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useListCursor } from "../../hooks/list-cursor.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { App } from "../../session/app.ts";
import { fileCommandKey } from "../../session/bulk-file.ts";
import {
  atLine,
  editorCommand,
  type ProgramExit,
  runProgram,
} from "../../session/external-program.ts";
import type { CheckedFile, FileToCheck } from "../../session/tasks.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import { useFileChoices } from "./file-choices.ts";
import { countsWords, obstacleOf } from "./file-words.ts";

type TabId = "causes" | "rows";

const tabs = [
  { id: "causes", label: "Causes" },
  { id: "rows", label: "Issues" },
] as const;

/** Lines around the list. */
const around = 7;

/** What is wrong with a file, by cause and by row, and what can be done about it. */
export function CheckedView(props: {
  readonly file: CheckedFile;
  readonly asked: FileToCheck;
  readonly check: (asked: FileToCheck) => void;
  readonly choose: () => void;
}) {
  const { file, asked, check } = props;
  const { causes, first, count: all } = file.issues;
  const here = useHere();
  const { app } = here;
  const { navigation, overlays, key } = app;
  const asCommand = fileCommandKey(here, file);
  const change = useFileChange(file);
  const room = useRoom();
  const { ascii } = useTheme();
  const [tab, setTab] = useState<TabId>("causes");
  const [opened, setOpened] = useState<string | null>(null);
  const cause = causes.find((one) => one.key === opened) ?? null;
  const showsRows = tab === "rows" || cause !== null;
  const issues = cause === null ? first : cause.issues;
  const length = showsRows ? issues.length : causes.length;
  const page = Math.max(1, room.rows - around);
  const cursor = useListCursor({
    length,
    page,
    idAt: useCallback((at: number) => (at < length ? String(at) : null), [length]),
    positionOf: useCallback((id: string) => Number(id), []),
  });
  const { position, top } = cursor;
  const issue: InputIssue | null =
    (showsRows ? issues[position] : causes[position]?.issues[0]) ?? null;
  const current: IssueCause | null = showsRows ? null : (causes[position] ?? null);
  const obstacle = obstacleOf(file, change, key);
  const choices = useFileChoices(asked, file.reading.kind, check);
  const again = () => check({ ...asked, kind: file.reading.kind });
  const show = (next: TabId, key: string | null) => {
    setTab(next);
    setOpened(key);
    cursor.moveTo(0);
  };
  const edit = async () => {
    // Without an issue, the file opens at its first line.
    if (await editFile(app, file.path, issue?.line ?? 1)) again();
  };
  useKeys({
    ...cursor.actions,
    ...tabActions(tabs, tab, (next) => show(next, null)),
    ...(current === null
      ? {}
      : { open: { run: () => show("causes", current.key), label: "issues" } }),
    ...(cause === null ? {} : { back: { run: () => show("causes", null), label: "causes" } }),
    review: {
      run: () => navigation.push({ kind: "review-file", path: file.path }),
      disabled: obstacle,
    },
    edit: {
      run: () => void edit(),
      leads: true,
      help: "Open the file in $VISUAL or $EDITOR at this row, and check it again afterwards",
    },
    refresh: { run: again, label: "read again", help: "Read the file and check every row again" },
    add: { run: props.choose, label: "other file", help: "Check another file" },
    options: {
      run: () => overlays.choose("Change how it is read", choices),
      choices,
    },
    "as-command": asCommand,
  });
  const shownOf = showsRows ? (cause?.count ?? all) : causes.length;
  return (
    <Body>
      <Paragraph bold most={2}>
        {countsWords(file)}
      </Paragraph>
      <Paragraph tone={obstacle === null ? "accent" : "waiting"} most={2}>
        {obstacle ?? `${heldLine(file)} ${key("review")} reviews what will be sent.`.trim()}
      </Paragraph>
      <Tabs
        tabs={[
          { ...tabs[0], count: causes.length },
          { ...tabs[1], count: all },
        ]}
        current={tab}
      />
      {length === 0 ? (
        <Paragraph tone="muted">No row has an issue.</Paragraph>
      ) : showsRows ? (
        <DataTable
          columns={issueColumns(room.columns, ascii)}
          rows={issues.slice(top, top + page).map((row, at) => ({ id: String(top + at), row }))}
          cursor={String(position)}
          first={top}
        />
      ) : (
        <DataTable
          columns={causeColumns(room.columns, ascii)}
          rows={causes.slice(top, top + page).map((row, at) => ({ id: String(top + at), row }))}
          cursor={String(position)}
          first={top}
        />
      )}
      <Box flexGrow={1} />
      {length === 0 ? null : (
        <RowFoot
          detail={(current ?? issue)?.message ?? null}
          position={`${count(position + 1)} of ${count(shownOf)}`}
          {...(showsRows && length < shownOf
            ? { hint: `the first ${count(length)} are listed` }
            : {})}
        />
      )}
    </Body>
  );
}

/** The first row that is held back, and why; the review lists all of them. */
function heldLine({ heldBack: { first } }: CheckedFile): string {
  const [row] = first;
  return row === undefined ? "" : `Line ${row.line}: ${row.words}`;
}

/**
 * Opens a file of the user's in $VISUAL or $EDITOR at a line, and resolves when the editor is left;
 * a notice says when it could not be used. Resolves with whether the console goes on.
 */
async function editFile(
  { env, end, borrowTerminal, notices }: App,
  path: string,
  line: number,
): Promise<boolean> {
  const command = editorCommand(env);
  let exit: ProgramExit = { kind: "left" };
  const edit = async () => {
    const options = { env, signal: end, remedy: "set VISUAL or EDITOR" };
    exit = await runProgram(command, atLine(command, path, line), options);
  };
  try {
    await borrowTerminal(edit);
  } catch (error) {
    const words = errorMessage(error);
    exit = { kind: "failed", words: `The file could not be opened in an editor: ${words}` };
  }
  // The compiler does not see the assignment in the closure.
  const ended = exit as ProgramExit;
  if (ended.kind === "failed") notices.show(ended.words, "bad");
  return ended.kind !== "hung-up";
}

type Severity = Pick<InputIssue, "severity">;

function severityColumn<Row extends Severity>(ascii: boolean): Column<Row> {
  return column(
    "severity",
    "",
    1,
    ({ severity }) => (severity === "error" ? (ascii ? "x" : "✗") : "!"),
    { tone: ({ severity }) => (severity === "error" ? "bad" : "waiting") },
  );
}

/** From this width on, there is room for the account. */
const medium = 72;

function withMessage<Row extends { readonly message: string }>(
  columns: readonly Column<Row>[],
  width: number,
): readonly Column<Row>[] {
  const used = columns.reduce((sum, column) => sum + column.width + 2, 4);
  const message: Column<Row> = column(
    "message",
    "Issue",
    Math.max(8, width - used),
    (row) => row.message,
  );
  return [...columns, message];
}

function causeColumns(width: number, ascii: boolean): readonly Column<IssueCause>[] {
  return withMessage<IssueCause>(
    [
      severityColumn(ascii),
      column("count", "Issues", 9, (one) => count(one.count), { align: "right" }),
      column("column", "Field", 23, ({ column }) => column ?? "–"),
    ],
    width,
  );
}

/** One line for each issue of a row. */
function issueColumns(width: number, ascii: boolean): readonly Column<InputIssue>[] {
  const account: Column<InputIssue> = column("account", "Account", 14, (one) => one.account ?? "–");
  return withMessage<InputIssue>(
    [
      severityColumn(ascii),
      column("line", "Line", 9, ({ line }) => count(line), { align: "right" }),
      ...(width < medium ? [] : [account]),
      column("column", "Field", 18, ({ column }) => column ?? "–"),
    ],
    width,
  );
}
