import { useCallback, useEffect, useMemo } from "react";
import { Body } from "../../components/body.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useActive } from "../../hooks/active.tsx";
import { useCancellable } from "../../hooks/in-flight.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useNow } from "../../hooks/now.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useSession } from "../../hooks/session.tsx";
import { isUnderWay, type Submission } from "../../hooks/submissions.ts";
import { useRoom } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { useTheme } from "../../theme.tsx";
import type { WriteResult } from "../../writes/submit.ts";
import type { Plan } from "./plan.ts";
import { progressLines } from "./progress-lines.ts";
import { outcomeOf, resultLines } from "./result-lines.ts";
import { Scrolling } from "./scrolling.tsx";
import { contextOf, targetWords, whatWords } from "./words.ts";
import { useWriteAsCommand } from "./write-as-command.ts";

interface SubmissionProps {
  readonly draft: string;
  readonly plan: Plan;
  readonly submission: Submission;
  /** Out of the review and of the form below it. */
  readonly leave: () => void;
}

/** A write under way, and what became of it. */
export function SubmissionView(props: SubmissionProps) {
  const { draft, plan, submission, leave } = props;
  const { prepared } = plan;
  const session = useSession();
  const navigation = useNavigation();
  const overlays = useOverlays();
  const notices = useNotices();
  const room = useRoom();
  const { ascii } = useTheme();
  const now = useNow();
  const asCommand = useWriteAsCommand(plan);
  const underWay = isUnderWay(submission);
  useCancellable(
    underWay,
    useCallback(() => session.submissions.cancel(draft), [session, draft]),
  );
  useFollowCreated(plan, submission, leave);
  const toWrite = (id: number) => navigation.push({ kind: "write", id: String(id) });
  const actions = ((): Actions => {
    switch (submission.kind) {
      case "recording":
        return { back: { run: () => {}, disabled: "It is being put on record." } };
      case "sending": {
        const waits = submission.told.at(-1)?.kind === "waiting";
        return {
          ...(waits ? { "cut-short": { run: () => session.submissions.skip(draft) } } : {}),
          back: {
            label: "leave it to go on",
            run: () => {
              leave();
              notices.show(`Entry ${submission.journalId} goes on; A shows it.`, "busy");
            },
          },
        };
      }
      case "failed":
        return {
          back: { run: navigation.back, label: "to the form" },
          open: { run: navigation.back, label: "to the form" },
        };
      case "ended": {
        const { result } = submission;
        const { response } = result;
        const ways = waysOn(result);
        const out = ways === "form" ? navigation.back : leave;
        return {
          back: { run: out, label: ways === "form" ? "to the form" : "done" },
          open:
            ways === "entry"
              ? { run: () => toWrite(result.journalId), label: `entry ${result.journalId}` }
              : { run: out, label: ways === "form" ? "to the form" : "done" },
          ...(response === null
            ? {}
            : {
                raw: {
                  run: () =>
                    overlays.open({
                      kind: "raw",
                      title: `entry ${result.journalId}`,
                      raw: response,
                    }),
                },
              }),
        };
      }
    }
  })();
  useKeys({ ...actions, "as-command": { run: asCommand } });
  const context = useMemo(() => contextOf(prepared, session), [prepared, session]);
  const lines = useMemo(() => {
    const { columns } = room;
    if (submission.kind === "sending") return progressLines(submission.told, context, now, columns);
    if (submission.kind !== "ended") return [];
    const { result, told } = submission;
    return [
      ...resultLines(result, plan, context, ascii, columns),
      [{ text: " " }],
      [{ text: "What happened", tone: "title" } as const],
      ...progressLines(told, context, now, columns),
    ];
  }, [submission, plan, context, now, ascii, room]);
  const title = `${whatWords(prepared)} for ${targetWords(prepared.facts)}`;
  return (
    <Body>
      <Line pieces={[{ text: title, bold: true }]} />
      {submission.kind === "ended" ? (
        <Text>
          <StatusBadge words={outcomeOf(submission.result)} />
          <Text tone="muted">{`  journal entry ${submission.result.journalId}${statusText(submission.result)}`}</Text>
        </Text>
      ) : (
        <Text tone="busy">{underWay ? "Sending…" : " "}</Text>
      )}
      {submission.kind === "failed" ? (
        <JournalProblem error={submission.error} doing={context.doing} />
      ) : (
        <Scrolling lines={lines} taken={3} />
      )}
      <Text tone="muted">{footWords(submission)}</Text>
    </Body>
  );
}

/** Where Enter leads once it has ended. */
function waysOn({ outcome }: WriteResult): "form" | "entry" | "out" {
  if (outcome === "rejected" || outcome === "unsent") return "form";
  return outcome === "unknown" || outcome === "retryable" ? "entry" : "out";
}

function statusText({ httpStatus, attempts }: WriteResult): string {
  const status = httpStatus === null ? "" : `, answered ${httpStatus}`;
  return `${status}${attempts > 1 ? `, ${attempts} attempts` : ""}`;
}

function footWords(submission: Submission): string {
  switch (submission.kind) {
    case "recording":
      return "Being put on record; nothing has left this machine.";
    case "sending":
      return submission.sent
        ? "Ctrl-C stops waiting: it has been sent, its outcome would be unknown."
        : "Ctrl-C stops it: nothing has left this machine yet.";
    case "failed":
      return "Nothing was sent. The draft is kept.";
    case "ended":
      return "";
  }
}

/** A supply point that was created is followed on its own screen (INTERFACE 4.7). */
function useFollowCreated(plan: Plan, submission: Submission, leave: () => void): void {
  const navigation = useNavigation();
  const active = useActive();
  const { target } = plan.prepared.facts;
  const created = submission.kind === "ended" && submission.result.outcome === "confirmed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has been created
  useEffect(() => {
    if (!created || !active || target.kind !== "supply-point") return;
    leave();
    navigation.push({
      kind: "supply-point",
      supplier: target.importSupplier,
      identifier: target.externalIdentifier,
    });
  }, [created, active]);
}
