/** Shows one journal entry: its outcome, its record, its body and its responses. */
import { useMemo, useState } from "react";
import { errorLine } from "../errors/error-words.ts";
import { useApp, useSession } from "../hooks/app.tsx";
import { useStore } from "../hooks/context.ts";
import { useEntryKeys } from "../hooks/entry-keys.ts";
import type { EntryView } from "../hooks/journal.ts";
import { useKeys } from "../hooks/keys.tsx";
import { useNow } from "../hooks/now.ts";
import { useRoom } from "../hooks/window.tsx";
import type { KeyWords } from "../keys/keymap.ts";
import { failureWords } from "../session/entry-actions.ts";
import { journalCommand } from "../session/overlays.ts";
import { readingKeys } from "../session/pager.ts";
import type { EntryTask } from "../session/tasks.ts";
import { asCurl } from "../text/as-command.ts";
import { capital } from "../text/connection-words.ts";
import { plural } from "../text/numbers.ts";
import type { ActivityDetail } from "../writes/activity-detail.ts";
import { isOperation, kindOf } from "../writes/kinds/kinds.ts";
import { resendWords } from "../writes/resend.ts";
import { isSkippable } from "../writes/send/events.ts";
import { verifyWords } from "../writes/verify.ts";
import { asClause, eventWords, stopWords } from "../writes/words/events.ts";
import {
  effectWords,
  meaningWords,
  operationNoun,
  outcomeLabel,
  outcomeWords,
  reasonWords,
  targetNumber,
} from "../writes/words/outcomes.ts";
import { Body } from "./body.tsx";
import { Document, DocumentBuilder, type DocumentLine } from "./document.tsx";
import { bodyLines, purgedWords, recordLines, responseLines } from "./entry-lines.ts";
import { Tabs, tabActions } from "./tabs.tsx";
import { Lines, Text } from "./text.tsx";

const tabs = [
  { id: "record", label: "Record" },
  { id: "body", label: "Body" },
  { id: "answers", label: "Answers" },
] as const;

type Tab = (typeof tabs)[number]["id"];

export function useRecordKeys(id: number, view: EntryView | null): void {
  const session = useSession();
  const { overlays, navigation, clipboard } = useApp();
  const rowActions = useEntryKeys(view?.detail ?? null);
  const account = view?.detail.external_account_number;
  const identifier = view?.detail.external_identifier;
  const supplier = view?.detail.import_supplier ?? "";
  const isHere = view?.detail.base_url === session.baseUrl;
  const wrongService = isHere
    ? null
    : "It was sent to another service; use that service's profile.";
  useKeys({
    ...rowActions,
    copy: () => clipboard(String(id), "journal id"),
    ...(account === undefined
      ? {}
      : {
          account: {
            run: () => navigation.push({ kind: "account", supplier, account }),
            disabled: wrongService,
          },
        }),
    ...(identifier === undefined
      ? {}
      : {
          "supply-point": {
            run: () => navigation.push({ kind: "supply-point", supplier, identifier }),
            disabled: wrongService,
          },
        }),
    ...(view
      ? {
          "as-command": () =>
            overlays.command(
              journalCommand(session.profile, {
                command: `supplyline activity show ${id}`,
                curl: view.body === null ? null : curlOf(view, session.authForm()),
                note: "curl keeps no journal.",
              }),
            ),
        }
      : {}),
  });
}

function curlOf({ detail, body }: EntryView, form: "token" | "bare"): string {
  const query = new URLSearchParams(detail.query).toString();
  const url = `${detail.base_url}${detail.path}${query === "" ? "" : `?${query}`}`;
  return asCurl({ method: "POST", url, body: body ?? "" }, form);
}

/**
 * Shows the outcome of an entry, and a tab with its record, body or responses. `above` is shown
 * below the outcome.
 */
export function EntryRecord(props: {
  readonly view: EntryView;
  readonly title?: string;
  readonly above?: readonly DocumentLine[];
}) {
  const { detail, body } = props.view;
  const title = `${operationNoun(detail.operation)} for ${detail.import_supplier}/${targetNumber(detail)}`;
  const app = useApp();
  const { columns } = useRoom();
  const [tab, setTab] = useState<Tab>("record");
  const head = useHeadLines(props.view, props.above ?? []);
  const lines = useMemo(() => {
    switch (tab) {
      case "record":
        return recordLines(props.view, columns);
      case "body":
        return bodyLines(body, columns);
      case "answers":
        return responseLines(detail, columns);
    }
  }, [tab, props.view, detail, body, columns]);
  const response =
    detail.attempts.findLast((attempt) => attempt.response !== null)?.response ?? null;
  const raw = tab === "answers" ? response : body;
  useKeys({
    ...tabActions(tabs, tab, setTab),
    ...readingKeys(
      app,
      {
        title: `${tab === "answers" ? "last answer to" : "body of"} entry ${detail.journal_id}`,
        raw: raw ?? "",
      },
      raw !== null ? null : tab === "answers" ? "The journal has no response." : purgedWords,
    ),
  });
  return (
    <Body>
      <Text bold>{props.title ?? title}</Text>
      <Lines lines={head} />
      <Tabs tabs={tabs} current={tab} />
      <Document key={tab} lines={lines} taken={head.length + 2} pager={false} />
    </Body>
  );
}

function addOutcome(page: DocumentBuilder, detail: ActivityDetail): void {
  const { outcome, journal_id: id, http_status: status, code, attempts } = detail;
  const words = outcomeWords[outcome];
  const omitsEffect = ["confirmed", "closed", "unsent", "sending"].includes(outcome);
  const effect = omitsEffect
    ? ""
    : `, ${asClause(effectWords({ ...detail, mayHaveTakenEffect: detail.doubt !== "none" }))}`;
  const facts = [
    `entry ${id}`,
    ...(status === null ? [] : [code === null ? `${status}` : `${status} ${code}`]),
    ...(attempts.length > 1 ? [plural(attempts.length, "attempt")] : []),
  ];
  page.addEnds(`${words.mark} ${outcomeLabel(detail)}${effect}`, facts.join(", "), {
    tone: words.tone,
    bold: true,
  });
}

function useHeadLines(view: EntryView, above: readonly DocumentLine[]): readonly DocumentLine[] {
  const { detail, verification, resend } = view;
  const { tasks, baseUrl } = useSession();
  const task = useStore(tasks.entries.all).get(detail.journal_id);
  const now = useNow();
  const { key } = useApp();
  const { columns, rows } = useRoom();
  const page = new DocumentBuilder(columns);
  const isRunning = task?.kind === "running";
  // Work in progress comes first, because a small terminal cuts off the rest.
  if (isRunning) addProgress(page, task, detail, now, baseUrl, key);
  // Between two attempts, the journal has the outcome that the entry would have if it stopped.
  if (!isRunning || task.progress.doing !== "sending") {
    addOutcome(page, detail);
    page.addText(meaningWords(detail));
  }
  page.lines.push(...above);
  if (task && !isRunning && task.progress.doing !== "sending")
    addProgress(page, task, detail, now, baseUrl, key);
  if (!isRunning) {
    if (verification) {
      const lead = verification.kind === "impossible" ? "" : `${key("verify")}: `;
      page.addText(`${lead}${verifyWords(verification)}`);
    } else if (detail.outcome === "retryable" || detail.outcome === "unsent") {
      page.addText(`${key("resend")}: ${resendWords(resend)}`);
    }
  }
  // The smallest terminal still has a few lines for the record.
  return page.lines.slice(0, Math.max(2, rows - 7));
}

/** Adds the progress or the end of a verification or a resend. */
export function addProgress(
  page: DocumentBuilder,
  task: EntryTask,
  entry: Pick<ActivityDetail, "reason" | "outcome" | "operation">,
  now: number,
  baseUrl: string,
  key: KeyWords,
): void {
  const { progress } = task;
  const lead = capital(progress.doing);
  const doing = progress.doing.toLowerCase();
  switch (task.kind) {
    case "running": {
      const event = progress.events.at(-1) ?? null;
      const words = (event && eventWords(event, now)) ?? "Starting.";
      const skip = isSkippable(event) ? ` ${key("cut-short")} continues now.` : "";
      page.addText(`${lead}: ${words}${skip}`, { tone: "busy" });
      page.addText(stopWords(progress.sent, key("cancel")));
      return;
    }
    case "failed":
      page.addText(`${lead}: ${failureWords(task.error, doing)}`, { tone: "bad" });
      return;
    case "ended": {
      // The record might not be read again yet, so the outcome comes from the task.
      const { results, outcome } = task.end;
      const result = results.at(-1) ?? null;
      if (outcome === "confirmed") return;
      const { label, tone } = outcomeWords[outcome];
      const isReasonShown = result === null || result.reason === entry.reason;
      page.addText(
        `${lead}: ended as ${label}.${isReasonShown ? "" : ` ${reasonWords[result.reason]}`}`,
        {
          tone,
        },
      );
      const { outcome: current, operation } = entry;
      const isVerifiable =
        current === "unknown" &&
        !(isOperation(operation) && kindOf(operation).readBack.by === "nothing");
      if (result?.error) page.addText(errorLine(result.error, { doing, baseUrl, isVerifiable }));
    }
  }
}
