import { Box } from "ink";
import { useMemo, useState } from "react";
import { Body } from "../../components/body.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Tabs, tabActions } from "../../components/tabs.tsx";
import { Line, Text } from "../../components/text.tsx";
import { useWrite, type WriteView } from "../../hooks/activity.ts";
import { useClipboard } from "../../hooks/clipboard.ts";
import { resendWords, verifyWords } from "../../hooks/journal-actions.ts";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useKeysWaitForJournal } from "../../hooks/keys-wait.ts";
import { useScroll } from "../../hooks/list-cursor.ts";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useNow } from "../../hooks/now.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useReading } from "../../hooks/pager.ts";
import { useSession } from "../../hooks/session.tsx";
import { useStore } from "../../hooks/store.ts";
import { useRoom } from "../../hooks/window.tsx";
import { asCurl } from "../../text/as-curl.ts";
import { count } from "../../text/numbers.ts";
import { useTheme } from "../../theme.tsx";
import {
  meaningWords,
  operationNoun,
  outcomeWords,
  targetNumber,
} from "../../writes/words/outcomes.ts";
import { progressLines } from "./progress-lines.ts";
import { useRowActions } from "./row-actions.ts";
import { answerLines, rawLines, recordLines, type WriteLine, wordLines } from "./write-lines.ts";

const tabs = [
  { id: "record", label: "Record" },
  { id: "body", label: "Body" },
  { id: "answers", label: "Answers" },
] as const;

type Tab = (typeof tabs)[number]["id"];

/** One journalled write: what is on record of it, and what can be done about it. */
export function WriteScreen(props: { readonly id: string }) {
  const id = Number(props.id);
  const { view } = useWrite(id);
  useKeysWaitForJournal(view.kind === "opening");
  const value = view.kind === "read" ? view.value : null;
  useRecordKeys(id, value);
  if (value) return <WriteRecord view={value} />;
  return (
    <Body>
      {view.kind === "failed" ? (
        <JournalProblem error={view.error} doing={`reading write ${id}`} />
      ) : (
        <Paragraph tone="muted">
          {view.kind === "opening" ? "Opening the journal…" : "There is no journal yet."}
        </Paragraph>
      )}
    </Body>
  );
}

/** The keys that need no view of the lines. */
function useRecordKeys(id: number, view: WriteView | null): void {
  const session = useSession();
  const overlays = useOverlays();
  const navigation = useNavigation();
  const clipboard = useClipboard();
  const rowActions = useRowActions(view?.detail ?? null);
  const account = view?.detail.external_account_number;
  const identifier = view?.detail.external_identifier;
  const supplier = view?.detail.import_supplier ?? "";
  const here = view?.detail.base_url === session.baseUrl;
  const elsewhere = here ? null : "It was for another service; use that service's profile.";
  useKeys({
    ...rowActions,
    copy: { run: () => clipboard(String(id), "journal id") },
    ...(account === undefined
      ? {}
      : {
          account: {
            run: () => navigation.push({ kind: "account", supplier, account }),
            disabled: elsewhere,
          },
        }),
    ...(identifier === undefined
      ? {}
      : {
          "supply-point": {
            run: () => navigation.push({ kind: "supply-point", supplier, identifier }),
            disabled: elsewhere,
          },
        }),
    ...(view
      ? {
          "as-command": {
            run: () =>
              overlays.open({
                kind: "as-command",
                command: `supplyline activity show ${id}`,
                curl: view.body === null ? null : curlOf(view, session.authForm()),
                note: "Sent with curl, it is sent past the journal.",
              }),
          },
        }
      : {}),
  });
}

function curlOf({ detail, body }: WriteView, form: "token" | "bare"): string {
  const query = new URLSearchParams(detail.query).toString();
  const url = `${detail.base_url}${detail.path}${query === "" ? "" : `?${query}`}`;
  return asCurl({ method: "POST", url, body: body ?? "" }, form);
}

function WriteRecord(props: { readonly view: WriteView }) {
  const { detail, body } = props.view;
  const reading = useReading();
  const theme = useTheme();
  const room = useRoom();
  const [tab, setTab] = useState<Tab>("record");
  const head = useHeadLines(props.view);
  const width = room.columns;
  const lines = useMemo(() => {
    switch (tab) {
      case "record":
        return recordLines(detail, width, theme.ascii);
      case "body":
        return body === null
          ? wordLines("The body is no longer kept.", width, "muted")
          : rawLines(body, width);
      case "answers":
        return answerLines(detail, width);
    }
  }, [tab, detail, body, width, theme.ascii]);
  const page = Math.max(1, room.rows - head.length - 3);
  const scroll = useScroll(lines.length, page);
  const answer = detail.attempts.findLast(({ response }) => response !== null)?.response ?? null;
  const raw = tab === "answers" ? answer : body;
  useKeys({
    ...scroll.actions,
    ...tabActions(tabs, tab, (next) => {
      setTab(next);
      scroll.actions.top?.run();
    }),
    ...reading(
      {
        title: `${tab === "answers" ? "last answer to" : "body of"} write ${detail.journal_id}`,
        raw: raw ?? "",
      },
      raw !== null
        ? null
        : tab === "answers"
          ? "No answer is on record."
          : "The body is no longer kept.",
    ),
  });
  const words = outcomeWords[detail.outcome];
  return (
    <Body>
      <Text>
        <StatusBadge words={words} />
        <Text tone="muted">
          {`  ${operationNoun(detail.operation)} for ${detail.import_supplier}/${targetNumber(detail)}`}
        </Text>
      </Text>
      <Lines lines={head} />
      <Tabs tabs={tabs} current={tab} />
      <Lines lines={lines.slice(scroll.top, scroll.top + page)} />
      <Box flexGrow={1} />
      {lines.length > page ? (
        <Text tone="muted">
          {`lines ${count(scroll.top + 1)}–${count(Math.min(scroll.top + page, lines.length))} of ${count(lines.length)}`}
        </Text>
      ) : null}
    </Body>
  );
}

/** What the outcome means, and what is being done or can be done about it. */
function useHeadLines(view: WriteView): WriteLine[] {
  const { detail, verification, resend } = view;
  const { tasks, baseUrl } = useSession();
  const task = useStore(tasks.entries.all).get(detail.journal_id);
  const now = useNow();
  const key = useKeyWords();
  const { columns: width, rows } = useRoom();
  const meaning = wordLines(meaningWords(detail), width);
  const going = task ? progressLines(task, detail, now, width, baseUrl, key) : [];
  // What is going on stands first: on a small terminal the rest gives way.
  const lines = task?.kind === "running" ? [...going, ...meaning] : [...meaning, ...going];
  if (task?.kind !== "running") {
    if (verification) {
      const lead = verification.kind === "impossible" ? "" : `${key("verify")}: `;
      lines.push(...wordLines(`${lead}${verifyWords(verification)}`, width, "accent"));
    } else if (detail.outcome === "retryable" || detail.outcome === "unsent") {
      lines.push(...wordLines(`${key("resend")}: ${resendWords(resend)}`, width, "accent"));
    }
  }
  // The record keeps a few lines of its own on the smallest terminal.
  return lines.slice(0, Math.max(2, rows - 7));
}

function Lines(props: { readonly lines: readonly WriteLine[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {props.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} pieces={line.length === 0 ? [{ text: " " }] : line} />
      ))}
    </Box>
  );
}
