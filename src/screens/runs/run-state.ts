import type { BulkKind } from "../../bulk/kinds.ts";
import { canGoOn, isUnsent } from "../../bulk/run-record.ts";
import { isTurnOpen } from "../../hooks/bulk-runs.ts";
import { leftOf } from "../../hooks/run-words.ts";
import type { RunView } from "../../hooks/runs.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { wayBack } from "../../settings/sandbox-profile.ts";
import { describeError, oneLine } from "../../text/describe-error.ts";
import { plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";

/** The state of a run in a few words, with a mark: never by colour alone. */
export interface RunStateWords {
  readonly text: string;
  readonly mark: string;
  readonly asciiMark: string;
  readonly tone: Tone;
}

const going = { mark: "●", asciiMark: "*" };

/** What is going on with a run. */
export function runState({ record, turn, process }: RunView): RunStateWords {
  if (turn?.kind === "recording") {
    return { text: "being recorded here", tone: "busy", ...going };
  }
  if (turn?.kind === "running") {
    if (turn.stopping) return { text: "stopping", tone: "waiting", ...going };
    if (turn.progress?.pause) return { text: "waits for service", tone: "waiting", ...going };
    return { text: "running here", tone: "busy", ...going };
  }
  switch (record.state) {
    case "recording":
      return { text: `recorded by ${process ?? "a process"}`, tone: "busy", ...going };
    case "unrecorded":
      return { text: "not recorded whole", tone: "waiting", mark: "○", asciiMark: "o" };
    case "running":
      // Between its last row and the last word of it, no process may be at it any more.
      return process === null
        ? { text: "stopping", tone: "waiting", ...going }
        : { text: `in process ${process}`, tone: "busy", ...going };
    case "stopped":
      return { text: "stopped", tone: "waiting", mark: "○", asciiMark: "o" };
    case "ended": {
      const { rejected, retryable, unknown } = record.counts;
      return rejected + retryable + unknown === 0
        ? { text: "ended", tone: "ok", mark: "✓", asciiMark: "+" }
        : { text: "ended, not all well", tone: "bad", mark: "✗", asciiMark: "x" };
    }
  }
}

const kindNames: Readonly<Record<BulkKind, string>> = {
  notes: "notes",
  transactions: "transactions",
  statements: "statements",
  "payment-instructions": "payments",
  "supply-points": "supply points",
  status: "status checks",
};

/** What a run is made of, in a word or two. */
export function kindName(kind: BulkKind): string {
  return kindNames[kind];
}

/** Where its rows came from: the file's name, or who made them. */
export function sourceName(source: string): string {
  switch (source) {
    case "-":
      return "standard input";
    case "console":
      return "marked accounts";
    default:
      return source.slice(source.lastIndexOf("/") + 1);
  }
}

/**
 * Why nothing is going on although rows are left, and what to do about it from the service at
 * `baseUrl`; null when there is no more to say.
 */
export function standsBecause(
  { record, turn, process }: RunView,
  baseUrl: string,
  key: KeyWords,
): string | null {
  if (isTurnOpen(turn) || process !== null) return null;
  const left = leftOf(record);
  if (isUnsent(record)) {
    const next = canGoOn(record)
      ? `supplyline bulk resume ${record.id} reads them again; ${key("remove")} discards it.`
      : `${key("remove")} discards it.`;
    return `Not recorded whole, nothing sent. ${next}`;
  }
  if (left === 0) return null;
  const because =
    turn?.kind === "failed"
      ? oneLine(describeError(turn.error, { doing: `going on with run ${record.id}` }))
      : record.state === "stopped"
        ? `Stopped: ${record.stoppedBecause ?? "it can go on"}.`
        : "Some rows are not settled.";
  const next =
    record.baseUrl === baseUrl
      ? `${key("resume-run")} goes on with ${plural(left, "row")}.`
      : `${plural(left, "row")} left. ${wayBack(record)}`;
  return `${because} ${next}`;
}
