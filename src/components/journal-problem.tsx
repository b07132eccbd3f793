import { Box } from "ink";
import { isAppError } from "../errors/app-error.ts";
import type { JournalView } from "../hooks/journal.ts";
import { JournalError } from "../writes/journal/journal-error.ts";
import type { ListState } from "./list-screen/list-spec.ts";
import { Paragraph } from "./paragraph.tsx";
import { Problem } from "./problem.tsx";

/** Why the journal, or an entry of it, cannot be used, with the command that fixes it. */
export function JournalProblem(props: { readonly error: unknown; readonly doing: string }) {
  const { error } = props;
  if (error instanceof JournalError) {
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Paragraph tone="bad" bold>
          {error.message}
        </Paragraph>
        {error.remedy ? <Paragraph>{`To fix it: ${error.remedy}`}</Paragraph> : null}
        <Paragraph tone="muted">
          Nothing is sent without a journal. supplyline tries it again automatically.
        </Paragraph>
      </Box>
    );
  }
  if (isAppError(error, "write") || isAppError(error, "run"))
    return <Paragraph tone="bad">{error.message}</Paragraph>;
  return <Problem error={error} context={{ doing: props.doing }} />;
}

/** In place of what is read from the journal: that it is being opened, is not there, or why it fails. */
export function JournalMissing({
  view,
  doing,
}: {
  readonly view: JournalView<unknown>;
  readonly doing: string;
}) {
  if (view.kind === "failed") return <JournalProblem error={view.error} doing={doing} />;
  return (
    <Paragraph tone="muted">
      {view.kind === "opening" ? "Opening the journal…" : "The journal does not exist yet."}
    </Paragraph>
  );
}

/** The state of a list that is read from the journal. */
export function journalState(view: JournalView<unknown>, doing: string): ListState {
  if (view.kind === "failed")
    return { kind: "failed", why: <JournalProblem error={view.error} doing={doing} /> };
  if (view.kind === "opening") return { kind: "reading", words: "Opening the journal…" };
  return { kind: "ready" };
}
