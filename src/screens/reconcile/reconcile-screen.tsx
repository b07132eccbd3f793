import { Box } from "ink";
import { useCallback, useEffect, useState } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { errorPlace, Problem } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import { listingContext } from "../../errors/app-error.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useRoom } from "../../hooks/window.tsx";
import { columnChoices, columnQuestion } from "../../session/add-cohort.ts";
import { markAsSeen } from "../../session/compared-list.ts";
import { exampleSource, sourceName, startReconcile } from "../../session/reconcile-task.ts";
import type { ChosenSource, ReconcileTask } from "../../session/tasks.ts";
import { count } from "../../text/numbers.ts";
import { ReconcileResult } from "./reconcile-result.tsx";
import { SourceForm } from "./source-form.tsx";

/**
 * The result of the comparison; its list, from which the back key leaves the screen; or the list to
 * replace it, from which the back key returns to the result.
 */
type View = "result" | "list" | "other-list";

export function ReconcileScreen(props: { readonly supplier: string }) {
  const { supplier } = props;
  const session = useSession();
  const app = useApp();
  const { reconciles } = session.tasks;
  const task = useStore(reconciles.all).get(supplier) ?? null;
  // A comparison that was seen before is behind its list.
  const [view, show] = useState<View>(() =>
    task?.kind === "ended" && task.end.isSeen ? "list" : "result",
  );
  const running = task?.kind === "running";
  const cancel = useCallback(() => reconciles.cancel(supplier), [reconciles, supplier]);
  useCancellable(running, cancel);
  // A comparison that was started elsewhere, for example of a cohort, leads back to that place.
  const [beganWithList] = useState(task === null || view === "list");
  const isShown = task?.kind === "ended" && view === "result";
  useEffect(() => {
    if (isShown) markAsSeen(session, supplier);
  }, [isShown, session, supplier]);
  const start = (chosen: ChosenSource) => {
    show("result");
    startReconcile(session, supplier, chosen, app);
  };
  if (task === null || view !== "result") {
    return (
      <SourceForm
        supplier={supplier}
        initial={task?.progress.chosen ?? exampleSource(session, supplier)}
        onChoose={start}
        onClose={view === "other-list" ? () => show("result") : null}
        last={task?.kind === "ended" ? { end: task.end, show: () => show("result") } : null}
      />
    );
  }
  const corrected = task.kind === "ended" ? task.end.corrected : null;
  const again = () => start(corrected ?? task.progress.chosen);
  const choose = () => show("other-list");
  const toList = beganWithList ? () => show("list") : null;
  switch (task.kind) {
    case "running":
      return <Comparing supplier={supplier} task={task} />;
    case "failed":
      return (
        <Failed
          supplier={supplier}
          task={task}
          again={again}
          choose={choose}
          toList={toList}
          start={start}
        />
      );
    case "ended":
      return (
        <ReconcileResult
          supplier={supplier}
          chosen={task.progress.chosen}
          result={task.end.result}
          comparedAt={task.end.comparedAt}
          compareAgain={again}
          comparesCorrected={corrected !== null}
          chooseList={choose}
          toList={toList}
        />
      );
  }
}

ReconcileScreen.help = {
  name: "Reconcile",
  about: [
    "Compares your own list of accounts with the list of the service: which are imported, which are not, and why.",
    "The status of accounts on no list is read one by one, for at most 1,000 of them. A suggestion is the only similar number that is listed.",
    "You can store the list as a cohort, which can be watched, and write it with the suggestions in place of its numbers.",
    "Only read requests are sent. If the service's list is incomplete, there is no result.",
  ],
  words: ["account-state"],
} as const;

function Comparing(props: {
  readonly supplier: string;
  readonly task: Extract<ReconcileTask, { kind: "running" }>;
}) {
  const { supplier, task } = props;
  const { chosen, stage } = task.progress;
  const { key } = useApp();
  return (
    <Body>
      <Paragraph
        bold
      >{`Comparing ${sourceName(chosen)} with the accounts of ${supplier}…`}</Paragraph>
      <Box marginTop={1} flexDirection="column">
        <Paragraph>{task.stopping ? "Canceling…" : stageWords(stage)}</Paragraph>
        <Paragraph tone="muted">
          {`${key("cancel")} cancels. You can leave this screen; the comparison continues.`}
        </Paragraph>
      </Box>
    </Body>
  );
}

function stageWords(stage: ReconcileTask["progress"]["stage"]): string {
  switch (stage.phase) {
    case "reading":
      return "Reading the source, and asking for the service's list.";
    case "listing": {
      const { imported, pending } = stage.counts;
      const found = imported + pending;
      return `Reading the service's list: ${count(stage.listed)} accounts so far, ${count(found)} of yours among them.`;
    }
    case "looking-up":
      return `Checking accounts on no list: ${count(stage.done)} of ${count(stage.total)}, at most 8 a second.`;
    case "suggesting":
      return "Searching for similar numbers.";
  }
}

function Failed(props: {
  readonly supplier: string;
  readonly task: Extract<ReconcileTask, { kind: "failed" }>;
  readonly again: () => void;
  readonly choose: () => void;
  /** Shows the list that was named, or null if it was not named on this screen. */
  readonly toList: (() => void) | null;
  readonly start: (chosen: ChosenSource) => void;
}) {
  const { supplier, task, again, choose, toList, start } = props;
  const session = useSession();
  const { overlays, key } = useApp();
  const room = useRoom();
  const { error } = task;
  const { chosen } = task.progress;
  const columns =
    chosen.kind === "file" ? columnChoices(error, (column) => start({ ...chosen, column })) : [];
  const chooseColumn = columns.length === 0 ? null : () => overlays.choose(columnQuestion, columns);
  useKeys({
    refresh: { run: again, label: "try again" },
    edit: { run: choose, label: "other list", isMain: true },
    ...(toList === null ? {} : { back: { run: toList, label: "list" } }),
    ...(chooseColumn === null
      ? {}
      : {
          open: { run: chooseColumn, label: "choose the column" },
          columns: { run: chooseColumn, label: "choose the column", isMain: true },
        }),
  });
  const keyHints = `${key("refresh")} tries again; ${key("edit")} chooses another list.`;
  return (
    <Body>
      <Problem
        rows={Math.max(2, room.rows - 5)}
        error={error}
        context={{ ...listingContext(supplier), ...errorPlace(session) }}
      />
      {columns.length === 0 ? null : (
        <Paragraph>
          {`It has the columns ${columns.map(({ label }) => label).join(", ")}. ${key("open")} chooses one of them.`}
        </Paragraph>
      )}
      <Text> </Text>
      <Paragraph>{`Nothing is compared with the accounts of ${supplier} yet.`}</Paragraph>
      <Paragraph>{keyHints}</Paragraph>
    </Body>
  );
}
