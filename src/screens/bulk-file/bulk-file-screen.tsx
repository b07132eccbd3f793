/** The screen that checks a bulk file before it is sent. */

import { resolve } from "node:path";
import { Box } from "ink";
import { useCallback, useEffect, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Menu } from "../../components/menu.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { errorWords, isAbort } from "../../errors/error-words.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { defaultOptions, startFileCheck } from "../../session/bulk-file.ts";
import type { FileCheckRequest, FileEnd, FileTask } from "../../session/tasks.ts";
import { plural } from "../../text/numbers.ts";
import { kindName } from "../../writes/kinds/kinds.ts";
import { BulkFileForm } from "./bulk-file-form.tsx";
import { type CheckedTab, CheckedView } from "./checked-view.tsx";
import { checkingWords } from "./file-words.ts";

export function BulkFileScreen({ path }: { readonly path: string | null }) {
  const session = useSession();
  const app = useApp();
  const { navigation, history } = app;
  const { files } = session.tasks;
  const task = useStore(files.all).get(path ?? "") ?? null;
  const [isChoosing, setChoosing] = useState(false);
  const [shown, show] = useState<CheckedTab>({ tab: "causes", cause: null });
  const check = useCallback(
    (request: FileCheckRequest) => void startFileCheck(session, request, app),
    [session, app],
  );
  const open = useCallback(
    (chosen: string) => check({ path: chosen, kind: null, options: defaultOptions }),
    [check],
  );
  const isNew = path !== null && task === null;
  useEffect(() => {
    if (isNew) open(path);
  }, [isNew, path, open]);
  const isChecked = task?.kind === "ended";
  useEffect(() => {
    if (isChecked && path !== null) history.addFile(resolve(path));
  }, [isChecked, path, history]);
  const cancel = useCallback(() => files.cancel(path ?? ""), [files, path]);
  useCancellable(task?.kind === "running", cancel);
  if (path === null || isChoosing) {
    return (
      <BulkFileForm
        onChoose={(chosen) => {
          setChoosing(false);
          navigation.replace({ kind: "bulk-file", path: chosen });
          open(chosen);
        }}
        onClose={isChoosing ? () => setChoosing(false) : null}
      />
    );
  }
  const choose = () => setChoosing(true);
  switch (task?.kind) {
    case undefined:
      return null;
    case "running":
      return <Checking task={task} />;
    case "failed":
      return <Failed task={task} onRetry={() => check(task.progress.request)} choose={choose} />;
    case "ended": {
      const { request } = task.progress;
      return task.end.kind === "ambiguous" ? (
        <WhichKind
          path={path}
          kinds={task.end.kinds}
          onChoose={(kind) => check({ ...request, kind })}
          choose={choose}
        />
      ) : (
        <CheckedView
          file={task.end.file}
          request={request}
          check={check}
          choose={choose}
          shown={shown}
          show={show}
        />
      );
    }
  }
}

BulkFileScreen.help = {
  name: "Bulk file",
  about: [
    "A CSV or JSONL file of rows. Every row is checked with the rules of supplyline bulk run, and nothing is sent before you review it.",
    "Causes groups the issues by field and message; Enter shows their rows. Fix the file in your editor: it is checked again afterwards.",
    "Only the bytes that were checked are sent. A file that changes meanwhile is reported, and its run does not start.",
  ],
  words: ["run"],
} as const;

function Checking(props: { readonly task: Extract<FileTask, { kind: "running" }> }) {
  const { progress, stopping } = props.task;
  const { key } = useApp();
  return (
    <Body>
      <Paragraph bold>{`Checking every row of ${progress.request.path}…`}</Paragraph>
      <Box marginTop={1} flexDirection="column">
        <Paragraph>{stopping ? "Canceling…" : checkingWords(progress)}</Paragraph>
        <Paragraph tone="muted">
          {`Nothing is sent. ${key("cancel")} cancels. You can leave this screen; the check continues.`}
        </Paragraph>
      </Box>
    </Body>
  );
}

function WhichKind(props: {
  readonly path: string;
  readonly kinds: Extract<FileEnd, { readonly kind: "ambiguous" }>["kinds"];
  readonly onChoose: (kind: NonNullable<FileCheckRequest["kind"]>) => void;
  readonly choose: () => void;
}) {
  const { kinds, onChoose } = props;
  useKeys({ add: { run: props.choose, label: "other file" } });
  const fitting = kinds.filter(({ fits }) => fits).length;
  return (
    <Body>
      <Paragraph bold>
        {fitting === 0
          ? `The first row of ${props.path} fits no kind of rows. Which one is meant?`
          : `The first row of ${props.path} fits ${plural(fitting, "kind")} of rows. Which one is meant?`}
      </Paragraph>
      <Box marginTop={1}>
        <Menu
          items={kinds.map(({ kind, issues, fits }) => ({
            value: kind,
            label: kindName(kind),
            hint: fits ? "fits" : plural(issues, "issue"),
          }))}
          onChoose={onChoose}
        />
      </Box>
    </Body>
  );
}

function Failed(props: {
  readonly task: Extract<FileTask, { kind: "failed" }>;
  readonly onRetry: () => void;
  readonly choose: () => void;
}) {
  const { error, progress } = props.task;
  const { key } = useApp();
  useKeys({
    refresh: { run: props.onRetry, label: "try again" },
    add: { run: props.choose, label: "other file" },
  });
  const doing = `the check of ${progress.request.path}`;
  return (
    <Body>
      <Paragraph bold>Nothing is checked, and nothing was sent.</Paragraph>
      <Box marginTop={1} flexDirection="column">
        {isAbort(error) ? (
          <Paragraph tone="waiting">{errorWords(error, { doing }).sentence}</Paragraph>
        ) : (
          <Problem error={error} context={{ doing }} />
        )}
      </Box>
      <Box marginTop={1}>
        <Paragraph tone="muted">
          {`${key("refresh")} tries again; ${key("add")} chooses another file.`}
        </Paragraph>
      </Box>
    </Body>
  );
}
