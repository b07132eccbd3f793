import { useMemo } from "react";
import { byRow, type InputIssue, type IssueCause } from "../../bulk/input/issues.ts";
import { footPart } from "../../components/list-screen/list-foot.tsx";
import { detailBlock, ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListTabs } from "../../components/list-screen/list-spec.ts";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { useFileChange } from "../../hooks/file-change.ts";
import { useRoom } from "../../hooks/window.tsx";
import { useWriteFile } from "../../hooks/write-file.ts";
import type { Action, Actions } from "../../keys/scopes.ts";
import type { App } from "../../session/app.ts";
import { fileCommandKey } from "../../session/bulk-file.ts";
import { stemOf } from "../../session/complete-path.ts";
import { editFile } from "../../session/external-program.ts";
import { fileChoices } from "../../session/file-choices.ts";
import { fixBadRows } from "../../session/fix-rows.ts";
import type { CheckedFile, FileCheckRequest } from "../../session/tasks.ts";
import { plural } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import { countsWords, nextWords, obstacleOf, sendableLines } from "./file-words.ts";
import { causeColumns, causeFields, issueColumns, issueFields } from "./issue-columns.ts";

const tabs = [
  { id: "causes", label: "Causes" },
  { id: "rows", label: "Rows" },
] as const;

interface CheckedProps {
  readonly file: CheckedFile;
  readonly request: FileCheckRequest;
  readonly check: (request: FileCheckRequest) => void;
  readonly choose: () => void;
  readonly shown: CheckedTab;
  readonly show: (next: CheckedTab) => void;
}

/** The tab, and the key of the cause that limits its issues, or null for all issues. */
export interface CheckedTab {
  readonly tab: string;
  readonly cause: string | null;
}

export function CheckedView(props: CheckedProps) {
  const { file } = props;
  const { causes, first, count: rowCount } = file.issues;
  const { tab, cause: opened } = props.shown;
  const cause = causes.find(({ key }) => key === opened) ?? null;
  const show = (next: string, key: string | null) => props.show({ tab: next, cause: key });
  const shown: ListTabs = {
    tabs: [
      { ...tabs[0], count: causes.length },
      { ...tabs[1], count: cause?.count ?? rowCount, ...(cause ? { note: "of one cause" } : {}) },
    ],
    current: tab,
    to: (next) => show(next, null),
  };
  return tab === "causes" ? (
    <Causes {...props} tabs={shown} open={(key) => show("rows", key)} />
  ) : (
    <Issues
      {...props}
      key={opened}
      tabs={shown}
      issues={cause?.issues ?? first}
      count={cause?.count ?? rowCount}
      toCauses={cause === null ? null : () => show("causes", null)}
    />
  );
}

function Causes(props: CheckedProps & { readonly tabs: ListTabs; open: (key: string) => void }) {
  const { file, open } = props;
  const { causes: rows } = file.issues;
  const list = useRowList({
    name: `causes of ${file.path}`,
    rows,
    idOf: keyOf,
    columns: causeColumns,
    isReplaced: true,
  });
  const { current } = list;
  const { shown, stem, keys } = useChecked(props, current?.issues[0] ?? null);
  return (
    <ListScreen
      {...shown}
      file={{ stem, fields: causeFields }}
      list={list}
      tabs={props.tabs}
      noun={["cause", "causes"]}
      below={detailBlock(({ message }: IssueCause) => message)}
      enter={({ key }) => ({ run: () => open(key), label: "rows" })}
      actions={keys}
    />
  );
}

function Issues(
  props: CheckedProps & {
    readonly tabs: ListTabs;
    readonly issues: readonly InputIssue[];
    readonly count: number;
    readonly toCauses: (() => void) | null;
  },
) {
  const { file, issues, toCauses } = props;
  const { navigation } = useApp();
  const rows = useMemo(() => byRow(issues), [issues]);
  const list = useRowList({
    name: `issues of ${file.path}`,
    rows,
    idOf: lineOf,
    columns: issueColumns,
    ...(toCauses === null ? { isReplaced: true } : {}),
  });
  const { current } = list;
  const { shown, stem, keys } = useChecked(props, current);
  return (
    <ListScreen
      {...shown}
      file={{ stem, fields: issueFields }}
      list={list}
      tabs={props.tabs}
      noun={["row", "rows"]}
      below={detailBlock(({ column: field, message }: InputIssue) =>
        field === null ? message : `${field}: ${message}`,
      )}
      enter={({ about }) => openSubject(navigation, about)}
      status={[
        footPart(
          1,
          rows.length < props.count ? `the first ${plural(rows.length, "row")} are listed` : "",
          "muted",
        ),
      ]}
      actions={{
        ...keys,
        ...(toCauses === null ? {} : { back: { run: toCauses, label: "causes" } }),
      }}
    />
  );
}

const keyOf = ({ key }: IssueCause) => key;
const lineOf = ({ line }: InputIssue) => String(line);

function openSubject(
  { push }: Pick<App["navigation"], "push">,
  about: InputIssue["about"],
): Action {
  switch (about?.kind) {
    case "entry": {
      const { id } = about;
      return {
        label: "entry",
        run: () => push({ kind: "write", id: String(id) }),
        disabled: id === null ? "The earlier entry was removed from the journal." : null,
      };
    }
    case "account": {
      const { supplier, number: account } = about;
      return { label: "account", run: () => push({ kind: "account", supplier, account }) };
    }
    case undefined:
      return { run() {}, disabled: "Nothing else belongs to this row: correct it in the file." };
  }
}

/** Returns what both lists show of the file, and its keys. The editor opens it at `issue`. */
function useChecked({ file, request, check, choose }: CheckedProps, issue: InputIssue | null) {
  const here = useHere();
  const { app } = here;
  const { navigation, overlays, key } = app;
  const { columns } = useRoom();
  const change = useFileChange(file);
  const obstacle = obstacleOf(file, change, key);
  const writeFile = useWriteFile();
  const choices = fileChoices(app, request, file.reading.kind, check);
  const checkAgain = () => check({ ...request, kind: file.reading.kind });
  const edit = async () => {
    // Without an issue, the file opens at its first line.
    if (await editFile(app, file.path, issue?.line ?? 1)) checkAgain();
  };
  const summary = countsWords(file);
  const next = obstacle ?? nextWords(file, key);
  const lineCount = (text: string) => Math.min(2, wrap(text, Math.max(8, columns)).length);
  const keys: Actions = {
    review: {
      run: () => navigation.push({ kind: "review-file", path: file.path }),
      disabled: obstacle,
    },
    edit: {
      run: () => void edit(),
      isMain: true,
      help: "Open the file in $VISUAL or $EDITOR at this row, and check it again afterwards",
    },
    refresh: {
      run: checkAgain,
      label: "read again",
      help: "Read the file and check every row again",
    },
    "rejected-rows": fixBadRows(here, writeFile, file, change === "same"),
    add: { run: choose, label: "other file", help: "Check another file" },
    options: {
      run: () => overlays.choose("Change how it is read", choices),
      choices,
    },
    "as-command": fileCommandKey(here, file),
  };
  const shown = {
    empty: sendableLines(file),
    history: "issues",
    above: {
      rows: lineCount(summary) + lineCount(next),
      shown: (
        <>
          <Paragraph bold most={2}>
            {summary}
          </Paragraph>
          <Paragraph bold most={2}>
            {next}
          </Paragraph>
        </>
      ),
    },
  };
  return { shown, stem: `${stemOf(file.path)}.issues`, keys };
}
