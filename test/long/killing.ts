/** A run whose process is killed again and again, and what came of it: report against ledger. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readRunRows } from "../../src/bulk/rows.ts";
import { listRuns } from "../../src/bulk/runs.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { effectOf, openBulk, type RowsKind } from "../bulk/bulking.ts";
import { startProcess } from "../helpers/process.ts";
import type { DriverInput } from "./run-driver.ts";

export interface KillPlan {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly kind: RowsKind;
  readonly rows: number;
  readonly settleMs: number;
  readonly concurrency?: number;
  readonly kills: number;
  /** From 0 to 1; seeded, so that a failure can be repeated. */
  readonly random: () => number;
  readonly log?: (line: string) => void;
}

interface Life {
  readonly signal: string | null;
  readonly out: string;
}

/** Runs one process to its end; with `afterMs` it is killed that long after it began to send. */
async function live(input: DriverInput, afterMs: number | null): Promise<Life> {
  const driver = join(import.meta.dirname, "run-driver.ts");
  await using child = startProcess([process.execPath, driver, JSON.stringify(input)]);
  if (afterMs !== null) {
    const begun = child.stdout.waitForText("begun").then(() => sleep(afterMs));
    // A life may end before it begins to send.
    begun.then(() => child.kill("SIGKILL")).catch(() => {});
  }
  const { signal, stdout } = await child.result;
  return { signal, out: stdout };
}

export interface KillReport {
  /** The number of lives ended by force. */
  readonly killed: number;
  readonly lives: number;
  readonly end: string;
  /** Rows by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Lines whose report and ledger do not agree, with both. */
  readonly disagreements: readonly string[];
  /** Effects in the ledger that no row asked for, or that are there more than once. */
  readonly strays: readonly string[];
}

/** Kills at seeded moments (named points, or any time at all), resumes each time, and compares. */
export async function killAgainAndAgain(
  plan: KillPlan,
  ledgerKeys: () => Promise<readonly string[]>,
): Promise<KillReport> {
  const { folder, baseUrl, apiKey, kind, rows, settleMs, kills, random } = plan;
  const { concurrency = 16 } = plan;
  const base = { folder, baseUrl, apiKey, kind, rows, settleMs, concurrency };
  let killed = 0;
  let lives = 0;
  // A row comes to some eight points; lives are as long as leaves work for all the others.
  const pointsAlive = Math.max(8, Math.floor((rows * 8) / (kills + 2)));
  const msAlive = Math.max(20, Math.floor((rows * 0.8) / (kills + 2)));
  while (killed < kills && lives < kills * 3) {
    lives += 1;
    const timed = random() < 0.5;
    const killAt = timed ? 0 : 1 + Math.floor(random() * pointsAlive);
    const afterMs = timed ? Math.floor(random() * 2 * msAlive) : null;
    const { signal, out } = await live({ ...base, killAt, tells: timed }, afterMs);
    if (signal === "SIGKILL") killed += 1;
    plan.log?.(
      `life ${lives}: ${timed ? `after ${afterMs} ms` : `at point ${killAt}`}: ${signal ?? out.trim()}`,
    );
    if (signal === null) break;
  }
  lives += 1;
  const last = await live({ ...base, killAt: 0, tells: false }, null);
  const end = /"end":"([^"]+)"/.exec(last.out)?.[1] ?? last.out;
  const keys = await ledgerKeys();
  return { killed, lives, end, ...(await compare(plan, keys)) };
}

async function compare(
  plan: KillPlan,
  keys: readonly string[],
): Promise<Pick<KillReport, "outcomes" | "disagreements" | "strays">> {
  const { folder, baseUrl, apiKey, kind, rows } = plan;
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  const opened = await openBulk({ folder, baseUrl, apiKey });
  const [run] = listRuns(opened.context);
  const report = readRunRows(opened.context.journal, run?.id ?? "");
  await opened.close();
  const outcomes: Record<string, number> = {};
  const disagreements: string[] = [];
  const expected = new Set<string>();
  for (let line = 2; line < rows + 2; line++) expected.add(effectOf(kind, line));
  if (report.length !== rows) disagreements.push(`${report.length} rows are reported of ${rows}`);
  for (const { line, outcome } of report) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const effects = times.get(effectOf(kind, line)) ?? 0;
    const agrees =
      outcome === "confirmed"
        ? effects === 1
        : outcome === "unknown"
          ? effects <= 1
          : effects === 0;
    if (!agrees) disagreements.push(`line ${line}: ${outcome}, ${effects} effects`);
  }
  const strays = [...times].flatMap(([key, n]) =>
    n > 1 || !expected.has(key) ? [`${key}: ${n}`] : [],
  );
  return { outcomes, disagreements, strays };
}

/** Returns true if the journal is whole. */
export async function isWhole(folder: string): Promise<boolean> {
  const journal = await openJournal({ folder });
  try {
    const check = journal.read((rows) => rows.all("PRAGMA integrity_check"));
    const claims = journal.read((rows) => rows.all("SELECT * FROM claim"));
    const counts = journal.read((rows) =>
      rows.all(
        `SELECT run, outcome, n FROM run_count WHERE n <> 0 EXCEPT
         SELECT run, outcome, count(*) FROM run_row GROUP BY run, outcome`,
      ),
    );
    return check[0]?.integrity_check === "ok" && claims.length === 0 && counts.length === 0;
  } finally {
    await journal.close();
  }
}

/** Repeatable numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
