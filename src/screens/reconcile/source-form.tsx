/** The form in which the user names the list of accounts to compare with the service. */
import { Box } from "ink";
import { useState } from "react";
import { Body, useBodyFocus } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { PathCandidates } from "../../components/path-candidates.tsx";
import { Text } from "../../components/text.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useKeys } from "../../hooks/keys.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { usePathCompletion } from "../../hooks/path-completion.ts";
import { useRoom } from "../../hooks/window.tsx";
import {
  type Completion,
  completion as completedName,
  expandPath,
} from "../../session/complete-path.ts";
import type { ChosenSource, ReconcileTask } from "../../session/tasks.ts";
import type { StatePlace } from "../../state/open-state.ts";
import { shortInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import { answerWords } from "../../triage/reconcile/classes.ts";

type ReconcileEnd = Extract<ReconcileTask, { readonly kind: "ended" }>["end"];

/**
 * Shows a field for the list to compare: the path of a file, the name of a stored cohort, or pasted
 * numbers. A key completes paths and names.
 */
export function SourceForm(props: {
  readonly supplier: string;
  readonly initial: ChosenSource | null;
  readonly onChoose: (chosen: ChosenSource) => void;
  /** Closes the form, or null if the form is the whole screen. */
  readonly onClose: (() => void) | null;
  readonly last: { readonly end: ReconcileEnd; readonly show: () => void } | null;
}) {
  const { supplier, initial, onChoose, onClose, last } = props;
  const { env, state, key } = useApp();
  const room = useRoom();
  const now = useServiceNow(60_000);
  const focus = useBodyFocus();
  const [text, setText] = useState(textOf(initial));
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: string) => {
    setText(next);
    setProblem(null);
  };
  const isPasted = text.includes("\n");
  const completion = usePathCompletion({
    text,
    onChange: change,
    find: (typed) => (typed.startsWith(cohortPrefix) ? completedCohort(typed, state) : null),
    disabled: isPasted ? "A pasted list has no name to complete." : null,
  });
  const accept = () => {
    if (text.trim() === "") {
      setProblem("Type the path of a file, or paste the numbers, one per line.");
      return;
    }
    onChoose(
      isPasted
        ? { kind: "pasted", text }
        : (cohortIn(text) ?? {
            kind: "file",
            path: expandPath(text, env.HOME),
            column: null,
          }),
    );
  };
  useKeys(
    {
      open: { run: accept, label: "compare" },
      "next-tab": completion.action,
      ...(last === null ? {} : { review: { run: last.show, label: "last result" } }),
      ...(onClose === null ? {} : { back: { run: onClose, label: "cancel" } }),
    },
    { typing: true, active: focus },
  );
  const lineCount = isPasted ? text.split("\n").filter((line) => line.trim() !== "").length : 0;
  const shownProblem = problem ?? completion.problem;
  return (
    <Body>
      <Paragraph bold>{`Which accounts do you expect at ${supplier}?`}</Paragraph>
      <Box marginTop={1}>
        <Box flexShrink={0}>
          <Text tone="muted">{"File or numbers  "}</Text>
        </Box>
        <TextField
          focus={focus}
          multiline
          value={text}
          onChange={completion.change}
          width={Math.max(20, room.columns - 18)}
        />
      </Box>
      {last === null ? null : (
        <Box marginTop={1}>
          <Paragraph>{lastWords(last.end, key("review"), now)}</Paragraph>
        </Box>
      )}
      <Box marginTop={1} flexDirection="column">
        {shownProblem === null ? null : <Paragraph tone="bad">{shownProblem}</Paragraph>}
        {isPasted ? (
          <Paragraph>{`${plural(lineCount, "line")}. ${key("open")} starts the comparison.`}</Paragraph>
        ) : completion.count > 0 ? (
          <PathCandidates completion={completion} most={Math.max(1, room.rows - 6)} />
        ) : (
          <Paragraph tone="muted">
            {`A file with one account number per line, a JSON array, JSON lines, or CSV with the column external_account_number. ${key("next-tab")} completes the name. You can also paste the numbers here, one per line, or type ${cohortPrefix}NAME for a stored cohort.`}
          </Paragraph>
        )}
      </Box>
    </Body>
  );
}

function lastWords({ result, comparedAt }: ReconcileEnd, review: string, now: number): string {
  const answer = answerWords(result.counts, result.source.rows);
  return `${review} shows the comparison of ${shortInstant(comparedAt, now)}: ${answer}`;
}

const cohortPrefix = "cohort:";

function cohortIn(text: string): ChosenSource | null {
  const typed = text.trim();
  if (!typed.startsWith(cohortPrefix)) return null;
  return { kind: "cohort", name: typed.slice(cohortPrefix.length).trim() };
}

async function completedCohort(typed: string, state: StatePlace): Promise<Completion> {
  const { openCohorts } = await import("../../triage/cohorts/cohorts.ts");
  const beginning = typed.slice(cohortPrefix.length);
  const { text, names } = completedName(
    beginning,
    await openCohorts(state)
      .names()
      .catch(() => []),
  );
  return { text: cohortPrefix + text, names };
}

function textOf(chosen: ChosenSource | null): string {
  if (chosen === null) return "";
  if (chosen.kind === "cohort") return cohortPrefix + chosen.name;
  return chosen.kind === "file" ? chosen.path : chosen.text;
}
