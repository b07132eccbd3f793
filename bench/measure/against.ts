import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type BudgetLine, budgets } from "../budgets.ts";
import type { Line } from "./report.ts";
import { isSkipped } from "./rounds.ts";

/** Shares by which a figure may get worse before it is named. */
const tolerance = 0.1;

const reading = z.union([z.number(), z.object({ skipped: z.string() })]);
const savedLines = z.array(
  z.object({
    name: z.string(),
    what: z.string(),
    unit: z.string(),
    ours: reading,
    peer: z.nullable(z.string()),
    ratio: z.nullable(z.number()),
  }),
);

/** A line of an earlier run, as `--json` saved it. */
export type SavedLine = z.output<typeof savedLines>[number];

/** Reads the lines of an earlier run. Rejects if the file cannot be read or holds something else. */
export async function readSaved(file: string): Promise<readonly SavedLine[]> {
  return savedLines.parse(JSON.parse(await readFile(file, "utf8")));
}

/**
 * Returns a sentence for each figure that got worse by more than a tenth. A figure beside a peer is
 * compared by its ratio, because machines differ; others by their own value. A figure that either run
 * lacks is not compared.
 */
export function worseThan(saved: readonly SavedLine[], lines: readonly Line[]): readonly string[] {
  const before = new Map(saved.map((line) => [keyOf(line), line]));
  return lines.flatMap((line) => {
    const earlier = before.get(keyOf(line));
    const [then, now] = [earlier === undefined ? null : figureOf(earlier), figureOf(line)];
    if (then === null || now === null) return [];
    const worse = isMoreBetter(line) ? then / now - 1 : now / then - 1;
    if (!(worse > tolerance)) return [];
    const unit = line.peer === null ? ` ${line.unit}` : `× ${line.peer}`;
    const figures = `${then.toFixed(2)} to ${now.toFixed(2)}${unit}`;
    return [`${line.name} · ${line.what}: ${figures}, ${Math.round(worse * 100)} % worse`];
  });
}

const keyOf = ({ name, what, peer }: Pick<Line, "name" | "what" | "peer">) =>
  JSON.stringify([name, what, peer]);

function figureOf({ ours, peer, ratio }: Pick<SavedLine, "ours" | "peer" | "ratio">) {
  if (peer !== null) return ratio;
  return isSkipped(ours) ? null : ours;
}

/** Returns true for a rate, which gets worse by falling. */
function isMoreBetter({ name, what, peer, unit }: Line): boolean {
  const ofName: Readonly<Record<string, readonly BudgetLine[]>> = budgets;
  const line = ofName[name]?.find((each) => each.what === what && each.peer === peer);
  return line?.budget?.kind === "at least times" || unit === "writes/s";
}
