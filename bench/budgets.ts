/** The figures of each benchmark: one for each of its peers, and the budget if there is one. */

export type Budget =
  | { readonly kind: "at most"; readonly value: number }
  /** Ours is at most `factor` times the peer's. */
  | { readonly kind: "times"; readonly factor: number }
  /** Ours is at least `factor` times the peer's. */
  | { readonly kind: "at least times"; readonly factor: number };

type Unit =
  | "ms"
  | "MB"
  | "bytes"
  | "bytes/s"
  | "%"
  | "writes/s"
  | "times"
  | "requests"
  | "rows"
  | "kB";

export interface BudgetLine {
  /** The name of the figure in the benchmark. */
  readonly what: string;
  readonly unit: Unit;
  /** The peer it stands beside; null where there is none. */
  readonly peer: string | null;
  /** The budget, or null if the line only informs. */
  readonly budget: Budget | null;
}

const atMost = (value: number): Budget => ({ kind: "at most", value });
const times = (factor: number): Budget => ({ kind: "times", factor });
const atLeastTimes = (factor: number): Budget => ({ kind: "at least times", factor });

function line(what: string, unit: Unit, peer: string | null, budget: Budget | null): BudgetLine {
  return { what, unit, peer, budget };
}

export const budgets = {
  start: [
    line("first frame", "ms", "node -e 0", times(4)),
    line("first frame", "ms", "htop", times(1.25)),
    line("first frame, at a supplier", "ms", "node -e 0", times(4)),
    line("first frame, at a supplier", "ms", "htop", times(1.25)),
  ],
  note: [
    line("to an account's status", "ms", null, null),
    line("to a note sent to it", "ms", null, atMost(5000)),
  ],
  command: [
    line("accounts status", "ms", "node -e 0", times(3)),
    line("accounts status", "ms", "curl, with a token", null),
  ],
  "first-row": [line("first rows on the screen", "ms", "fetch and JSON.parse", times(0.08))],
  load: [
    line("last row, of the sandbox", "ms", "curl -o /dev/null", null),
    line("last row", "ms", "curl -o /dev/null", null),
    line("last row", "ms", "undici, bytes thrown away", times(3)),
    line("last row", "ms", "fetch and JSON.parse", times(0.4)),
    line("last row", "ms", "curl | jq to TSV", null),
    line("last row", "ms", "curl | visidata", null),
    line("last row, not recorded", "ms", "undici, bytes thrown away", null),
    line("last row, recorded for the first time", "ms", "undici, bytes thrown away", null),
    line("peak memory", "MB", "fetch and JSON.parse", atMost(280)),
    line("peak memory, not recorded", "MB", null, null),
    line("peak memory, recorded for the first time", "MB", null, null),
    line("loop delay p99", "ms", null, atMost(20)),
    line("loop delay p99, not recorded", "ms", null, null),
    line("loop delay, longest", "ms", null, null),
  ],
  wire: [
    line("bytes of the list", "MB", "identity", atMost(13)),
    line("a tenth of it over 20 Mbit/s", "ms", "identity", times(0.2)),
    line("last row, over loopback", "ms", "identity", null),
  ],
  "list-export": [
    line("jsonl to a file", "ms", "curl | jq -c '.[]'", times(0.15)),
    line("jsonl to a file", "ms", "curl", null),
    line("csv to a file", "ms", "curl | jq -r @csv", times(0.15)),
    line("json to a file", "ms", null, null),
    line("peak memory", "MB", null, atMost(200)),
  ],
  filter: [
    line("keystroke, median", "ms", "fzf", times(0.3)),
    line("keystroke, p95", "ms", "fzf", times(0.4)),
    line("fuzzy keystroke, median", "ms", "fzf", null),
    line("fuzzy keystroke, p95", "ms", "fzf", null),
    line("more peak memory", "MB", null, atMost(90)),
  ],
  sort: [
    line("slowest column", "ms", "sort of the same rows", times(0.7)),
    line("loop delay p99", "ms", null, atMost(20)),
    line("cursor key while sorting", "ms", null, null),
  ],
  refresh: [
    line("changes highlighted", "ms", "the first load", times(1.1)),
    line("more peak memory", "MB", "one table", null),
  ],
  key: [
    line("to the first byte, median", "ms", "htop", null),
    line("to the first byte, p95", "ms", "htop", atMost(16)),
    line("to the first byte, p95", "ms", "fzf", null),
    line("bytes for each key", "bytes", "htop", atMost(450)),
    line("bytes for each key", "bytes", "fzf", null),
    line("bytes for each key, scrolling", "bytes", null, atMost(700)),
  ],
  bytes: [
    // With the preview, which is drawn once the cursor rests.
    line("j in a list", "bytes", null, atMost(600)),
    // All keys of a list, some forty, each about thirty bytes with its label, bold and position.
    line("? opens the help", "bytes", null, atMost(1450)),
    line("Esc closes the help", "bytes", null, atMost(1600)),
    line(": opens the palette", "bytes", null, atMost(1600)),
    line("Esc closes the palette", "bytes", null, atMost(1600)),
    line("Enter opens a list", "bytes", null, atMost(2000)),
    line("Down in a form", "bytes", null, atMost(320)),
  ],
  idle: [
    line("share of a core", "%", "htop, every 5 s", null),
    line("share of a core", "%", "undici alone, as many requests", times(2)),
    line("to the terminal", "bytes/s", "htop, every 5 s", atMost(20)),
  ],
  bulk: [
    line("writes in a second", "writes/s", "xargs -P 8 curl", atLeastTimes(4)),
    line("memory at the end", "MB", "memory at a quarter", null),
    line("memory at the end, heap of 64 MB", "MB", "memory at a quarter", times(1.2)),
  ],
  scale: [
    line("load, for each further million", "ms", "the step before", times(1.2)),
    line("a keystroke, for each further million", "ms", "the step before", times(1.2)),
    line("memory, for each further million", "MB", "the step before", times(1.2)),
  ],
  observe: [
    line("a first list, recorded", "ms", "without recording", times(1.5)),
    line("another list, recorded", "ms", "without recording", times(1.3)),
    line("processor time", "ms", "without recording", null),
    line("peak memory", "MB", "without recording", null),
    line("ages of all accounts", "ms", null, atMost(1000)),
    line("file", "MB", null, atMost(20)),
    line("loop delay p99", "ms", null, atMost(20)),
    line("loop delay, longest", "ms", null, null),
  ],
  reconcile: [
    line("every row printed", "ms", "sort and join", null),
    line("every row printed", "ms", "accounts list --format jsonl", times(2.5)),
    line("processor time", "ms", "accounts list --format jsonl", times(2.5)),
    line("peak memory", "MB", "accounts list --format jsonl", atMost(400)),
  ],
  team: [
    line("notes in a second", "writes/s", "without a team", atLeastTimes(0.6)),
    line("notes in a second, at 20 ms", "writes/s", "without a team", atLeastTimes(0.25)),
    line("one note, more than without a team", "ms", null, atMost(60)),
    line("one note at 20 ms, more than 3 round trips", "ms", null, atMost(40)),
    line("processor time of PostgreSQL for a note", "ms", null, atMost(0.5)),
    line("the same, after a million entries", "ms", "a new ledger", times(1.2)),
    line("rows read by scans of a whole table", "rows", null, atMost(0)),
    line("first page of Activity, of a million entries", "ms", null, atMost(100)),
    line("chunk of the driver", "kB", null, atMost(150)),
  ],
  "team-history": [
    line("overview of the team's ages", "ms", null, atMost(5000)),
    line("changes", "ms", null, atMost(5000)),
    line("accounts list --ages", "ms", "without --ages and a team", null),
    line("from the database", "MB", null, atMost(27)),
    line("processor time of the overview", "ms", null, null),
    line("processor time of changes", "ms", null, null),
  ],
  "rate-limit": [
    line("from the first answer to the last", "ms", "the limit", times(1.3)),
    line("refusals for each answer", "times", null, atMost(2)),
    line("requests inside a pause", "requests", null, atMost(0)),
  ],
} as const satisfies Readonly<Record<string, readonly BudgetLine[]>>;

export type BenchmarkName = keyof typeof budgets;
export const benchmarkNames = Object.keys(budgets) as BenchmarkName[];
