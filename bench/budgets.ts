/** What each benchmark must hold: a figure beside each of its peers, and the budget, where it has one. */

export type Budget =
  | { readonly kind: "at most"; readonly value: number }
  | { readonly kind: "at least"; readonly value: number }
  /** Ours is at most `factor` times the peer's. */
  | { readonly kind: "times"; readonly factor: number };

type Unit = "ms" | "MB" | "bytes" | "bytes/s" | "%" | "writes/s";

export interface BudgetLine {
  /** What is measured, as the benchmark calls it. */
  readonly what: string;
  readonly unit: Unit;
  /** The peer it stands beside; null where there is none. */
  readonly peer: string | null;
  /** Null where the line only informs. */
  readonly budget: Budget | null;
}

const atMost = (value: number): Budget => ({ kind: "at most", value });
const atLeast = (value: number): Budget => ({ kind: "at least", value });
const times = (factor: number): Budget => ({ kind: "times", factor });

function line(what: string, unit: Unit, peer: string | null, budget: Budget | null): BudgetLine {
  return { what, unit, peer, budget };
}

export const budgets = {
  start: [
    line("first frame", "ms", "node -e 0", times(5)),
    line("first frame", "ms", "htop", times(1.5)),
    line("first frame, at a supplier", "ms", "node -e 0", times(5)),
    line("first frame, at a supplier", "ms", "htop", times(1.5)),
  ],
  note: [
    line("to an account's status", "ms", null, null),
    line("to a note sent to it", "ms", null, atMost(5000)),
  ],
  command: [
    line("accounts status", "ms", "node -e 0", times(4)),
    line("accounts status", "ms", "curl, with a token", null),
  ],
  "first-row": [line("first rows on the screen", "ms", "fetch and JSON.parse", atMost(150))],
  load: [
    line("last row, of the sandbox", "ms", "curl -o /dev/null", times(3)),
    line("last row", "ms", "curl -o /dev/null", times(3)),
    line("last row", "ms", "undici, bytes thrown away", null),
    line("last row", "ms", "fetch and JSON.parse", times(1)),
    line("last row", "ms", "curl | jq to TSV", null),
    line("last row", "ms", "curl | visidata", null),
    line("peak memory", "MB", "fetch and JSON.parse", atMost(350)),
    line("loop delay p99", "ms", null, atMost(20)),
    line("loop delay, longest", "ms", null, null),
  ],
  filter: [
    line("keystroke, median", "ms", "fzf", times(0.1)),
    line("keystroke, p95", "ms", "fzf", atMost(50)),
    line("fuzzy keystroke, median", "ms", "fzf", times(0.1)),
    line("fuzzy keystroke, p95", "ms", "fzf", atMost(50)),
  ],
  sort: [
    line("slowest column", "ms", "sort of the same rows", atMost(500)),
    line("loop delay p99", "ms", null, atMost(20)),
    line("cursor key while sorting", "ms", null, null),
  ],
  refresh: [
    line("changes highlighted", "ms", "the first load", times(1.2)),
    line("more peak memory", "MB", "one table", times(1)),
  ],
  key: [
    line("to the first byte, median", "ms", "htop", null),
    line("to the first byte, p95", "ms", "htop", atMost(16)),
    line("to the first byte, p95", "ms", "fzf", null),
    line("bytes for each key", "bytes", "htop", atMost(700)),
    line("bytes for each key", "bytes", "fzf", null),
    line("bytes for each key, scrolling", "bytes", null, null),
  ],
  idle: [
    line("share of a core", "%", "htop, every 5 s", atMost(2)),
    line("to the terminal", "bytes/s", "htop, every 5 s", atMost(150)),
  ],
  bulk: [
    line("writes in a second", "writes/s", "xargs -P 8 curl", atLeast(500)),
    line("memory at the end", "MB", "memory at a quarter", null),
    line("memory at the end, heap of 64 MB", "MB", "memory at a quarter", times(1.2)),
  ],
  scale: [
    line("load, for each further million", "ms", "the step before", times(1.5)),
    line("a keystroke, for each further million", "ms", "the step before", times(1.5)),
    line("memory, for each further million", "MB", "the step before", times(1.5)),
  ],
} as const satisfies Readonly<Record<string, readonly BudgetLine[]>>;

export type BenchmarkName = keyof typeof budgets;
export const benchmarkNames = Object.keys(budgets) as BenchmarkName[];
