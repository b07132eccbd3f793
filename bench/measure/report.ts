import { type BenchmarkName, type Budget, type BudgetLine, budgets } from "../budgets.ts";
import type { Figures } from "./benchmark.ts";
import { isSkipped, type Reading } from "./rounds.ts";

/** One line of the table: a figure of ours beside one peer's, and whether it holds its budget. */
export interface Line {
  readonly name: string;
  readonly what: string;
  readonly unit: string;
  readonly ours: Reading;
  readonly peer: string | null;
  readonly theirs: Reading | null;
  /** The ratio, or null if either figure is missing. */
  readonly ratio: number | null;
  readonly budget: string | null;
  /** True if the budget holds, or null if there is none or a figure is missing. */
  readonly met: boolean | null;
}

/** Puts figures beside their budgets. Throws when a benchmark has not measured what it must. */
export function linesOf(name: BenchmarkName, figures: Figures): Line[] {
  return budgets[name].map((wanted: BudgetLine) => {
    const { what, unit, peer, budget } = wanted;
    const figure = figures[what];
    const theirs = peer === null ? null : figure?.peers?.[peer];
    const missing = figure === undefined || theirs === undefined;
    if (missing || Number.isNaN(figure.ours) || Number.isNaN(theirs))
      throw new Error(`${name} has no figure for ${what}${peer === null ? "" : ` beside ${peer}`}`);
    const { ours } = figure;
    const ratio = typeof ours === "number" && typeof theirs === "number" ? ours / theirs : null;
    const met = budget === null ? null : holds(budget, ours, ratio);
    return { name, what, unit, ours, peer, theirs, ratio, budget: words(budget, unit), met };
  });
}

function holds(budget: Budget, ours: Reading, ratio: number | null): boolean | null {
  if (budget.kind === "times") return ratio === null ? null : ratio <= budget.factor;
  if (budget.kind === "at least times") return ratio === null ? null : ratio >= budget.factor;
  if (isSkipped(ours)) return null;
  return ours <= budget.value;
}

function words(budget: Budget | null, unit: string): string | null {
  if (budget === null) return null;
  if (budget.kind === "times") return `≤ ${budget.factor}×`;
  if (budget.kind === "at least times") return `≥ ${budget.factor}×`;
  return `≤ ${budget.value} ${unit}`;
}

/** The table as Markdown. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((line) => {
    const met = line.met === null ? "" : line.met ? "met" : "**missed**";
    const ratio = line.ratio === null ? "" : `${digits(line.ratio, 2)}×`;
    const what = `${line.name} · ${line.what}`;
    const ours = cell(line.ours, line.unit);
    const theirs = line.theirs === null ? "" : cell(line.theirs, line.unit);
    return [what, ours, line.peer ?? "", theirs, ratio, line.budget ?? "", met];
  });
  const head = ["what", "ours", "peer", "the peer's", "ratio", "budget", ""];
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function cell(value: Reading, unit: string): string {
  return isSkipped(value) ? `skipped: ${value.skipped}` : `${digits(value, 1)} ${unit}`;
}

/** Two or three figures that count: `1,234`, `56`, `7.8`. */
function digits(value: number, places: number): string {
  const few = Math.abs(value) >= 20 ? 0 : places;
  return value.toLocaleString("en", { minimumFractionDigits: few, maximumFractionDigits: few });
}
