/** The form in which the user names the list of accounts to compare with the service. */
import { Box } from "ink";
import { Paragraph } from "../../components/paragraph.tsx";
import { PathForm } from "../../components/path-field.tsx";
import { useApp } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useTypedPath } from "../../hooks/typed-path.ts";
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
  const now = useServiceNow(60_000);
  const typed = useTypedPath({
    initial: textOf(initial),
    find: (beginning) =>
      beginning.startsWith(cohortPrefix) ? completedCohort(beginning, state) : null,
    disabled: (text) => (isPasted(text) ? "A pasted list has no name to complete." : null),
  });
  const { text } = typed;
  const accept = () => {
    if (text.trim() === "")
      typed.reject("Type the path of a file, or paste the numbers, one per line.");
    else if (isPasted(text)) onChoose({ kind: "pasted", text });
    else
      onChoose(cohortIn(text) ?? { kind: "file", path: expandPath(text, env.HOME), column: null });
  };
  const lineCount = text.split("\n").filter((line) => line.trim() !== "").length;
  return (
    <PathForm
      question={`Which accounts do you expect at ${supplier}?`}
      label="File or numbers"
      multiline
      typed={typed}
      accept={{ run: accept, label: "compare" }}
      onClose={onClose}
      keys={last === null ? {} : { review: { run: last.show, label: "last result" } }}
      above={
        last === null ? null : (
          <Box marginTop={1}>
            <Paragraph>{lastWords(last.end, key("review"), now)}</Paragraph>
          </Box>
        )
      }
      hint={
        isPasted(text) ? (
          <Paragraph>{`${plural(lineCount, "line")}. ${key("open")} starts the comparison.`}</Paragraph>
        ) : (
          <Paragraph tone="muted">
            {`A file with one account number per line, a JSON array, JSON lines, or CSV with the column external_account_number. ${key("next-tab")} completes the name. You can also paste the numbers here, one per line, or type ${cohortPrefix}NAME for a stored cohort.`}
          </Paragraph>
        )
      }
    />
  );
}

function isPasted(text: string): boolean {
  return text.includes("\n");
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
  const completed = completedName(
    beginning,
    await openCohorts(state)
      .names()
      .catch(() => []),
  );
  return { ...completed, text: cohortPrefix + completed.text };
}

function textOf(chosen: ChosenSource | null): string {
  if (chosen === null) return "";
  if (chosen.kind === "cohort") return cohortPrefix + chosen.name;
  return chosen.kind === "file" ? chosen.path : chosen.text;
}
