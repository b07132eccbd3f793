/** Converts the state of reading local data to the state of a list. */
import { errorLine } from "../errors/error-words.ts";
import type { Reading } from "../hooks/reading.ts";
import { capital } from "../text/connection-words.ts";
import type { ListState } from "./list-screen/list-spec.ts";
import { Paragraph } from "./paragraph.tsx";
import type { ProblemLine } from "./problem.tsx";

/**
 * Returns the state of a list that is read from this machine. `name` is the list's name in a
 * sentence. `lines` is shown below the rows.
 */
export function readingState(
  reading: Reading<unknown>,
  name: string,
  lines: readonly ProblemLine[] = [],
): ListState {
  switch (reading.kind) {
    case "reading":
      return { kind: "reading", words: `Reading ${name}…` };
    case "failed": {
      const sentence = `${name} cannot be read: ${errorLine(reading.error, { doing: `reading ${name}` })}`;
      return { kind: "failed", why: <Paragraph tone="bad">{capital(sentence)}</Paragraph> };
    }
    case "read":
      return { kind: "partial", lines };
  }
}
