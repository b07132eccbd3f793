/** Shows that the journal does not exist or cannot be read, in place of its content. */
import { Box } from "ink";
import { isAppError } from "../errors/app-error.ts";
import { errorWords } from "../errors/error-words.ts";
import type { JournalView } from "../hooks/journal.ts";
import { Body } from "./body.tsx";
import type { ListState } from "./list-screen/list-spec.ts";
import { Paragraph, Waiting } from "./paragraph.tsx";
import { Problem } from "./problem.tsx";

export function JournalProblem({
  error,
  doing,
}: {
  readonly error: unknown;
  readonly doing: string;
}) {
  if (!isAppError(error)) return <Problem error={error} context={{ doing }} />;
  const { sentence, fix } = errorWords(error, { doing });
  if (error.about !== "journal") return <Paragraph tone="bad">{sentence}</Paragraph>;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Paragraph tone="bad" bold>
        {sentence}
      </Paragraph>
      {fix === null ? null : <Paragraph>{`To fix it: ${fix}`}</Paragraph>}
      <Paragraph>
        Nothing is sent without a journal. supplyline tries it again automatically.
      </Paragraph>
    </Box>
  );
}

/** Shows the whole body of a screen whose entry or run is not read. */
export function JournalMissing({
  view,
  doing,
}: {
  readonly view: JournalView<unknown>;
  readonly doing: string;
}) {
  return (
    <Body>
      {view.kind === "failed" ? (
        <JournalProblem error={view.error} doing={doing} />
      ) : view.kind === "opening" ? (
        <Waiting words="Opening the journal…" />
      ) : (
        <Paragraph>The journal does not exist yet.</Paragraph>
      )}
    </Body>
  );
}

/** Returns the state of a list of the journal, with `opening` until it is read. */
export function journalState(
  view: JournalView<unknown>,
  doing: string,
  opening = "Opening the journal…",
): ListState {
  if (view.kind === "failed")
    return { kind: "failed", why: <JournalProblem error={view.error} doing={doing} /> };
  if (view.kind === "opening") return { kind: "reading", words: opening };
  return { kind: "ready" };
}
