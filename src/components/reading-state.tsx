import { errorLine } from "../errors/error-words.ts";
import type { Reading } from "../hooks/reading.ts";
import { capital } from "../text/connection-words.ts";
import type { ListState } from "./list-screen/list-spec.ts";
import { Paragraph } from "./paragraph.tsx";
import type { ProblemLine } from "./problem.tsx";

/**
 * Returns the state of a list that is read from this machine. `what` names the list in a sentence.
 */
export function readingState(
  reading: Reading<unknown>,
  what: string,
  lines: readonly ProblemLine[] = [],
): ListState {
  switch (reading.kind) {
    case "reading":
      return { kind: "reading", words: `Reading ${what}…` };
    case "failed": {
      const why = `${what} cannot be read: ${errorLine(reading.error, { doing: `reading ${what}` })}`;
      return { kind: "failed", why: <Paragraph tone="bad">{capital(why)}</Paragraph> };
    }
    case "read":
      return { kind: "partial", lines };
  }
}
