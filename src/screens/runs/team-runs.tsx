/** The runs of a team's colleagues above the list of runs: one line each, with its progress. */
import { Lines, type Piece } from "../../components/text.tsx";
import { count } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Tone } from "../../theme.tsx";
import type { TeamRun } from "../../writes/team/ledger-views.ts";
import { authorWords } from "../../writes/words/authors.ts";
import { operationNoun } from "../../writes/words/outcomes.ts";

/** Maximum number of lines. */
export const maxTeamRuns = 5;

/** Shows the latest runs of colleagues. */
export function TeamRuns({ runs }: { readonly runs: readonly TeamRun[] }) {
  return <Lines lines={runs.map(lineOf)} />;
}

/** Returns a line such as `rc3qas  notes by op2 on lap2  4,812 of 5,000 sent, 3 unknown`. */
function lineOf(run: TeamRun): readonly Piece[] {
  const { counts, requests } = run;
  const { unsent = 0, sending = 0, unknown = 0, rejected = 0, retryable = 0 } = counts;
  const claimed = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const ended = claimed - unsent - sending;
  const of = requests === null ? "" : ` of ${count(requests)}`;
  const parts: readonly (readonly [n: number, word: string, tone: Tone])[] = [
    [unknown, "unknown", "unknown"],
    [rejected, "rejected", "bad"],
    [retryable, "retryable", "waiting"],
    [sending, "sending", "busy"],
  ];
  return [
    { text: `${safe(run.run)}  ${operationNoun(run.operation)} by ${authorWords(run)}  ` },
    { text: `${count(ended)}${of} sent` },
    ...parts.flatMap(([n, word, tone]): readonly Piece[] =>
      n === 0 ? [] : [{ text: ", " }, { text: `${count(n)} ${word}`, tone }],
    ),
  ];
}
