import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { type BenchmarkName, benchmarkNames, budgets } from "../../bench/budgets.ts";
import type { Line } from "../../bench/measure/report.ts";
import { isSkipped } from "../../bench/measure/rounds.ts";
import { openFolders } from "../helpers/folders.ts";
import { type CliResult, runProcess } from "../helpers/process.ts";

const entry = fileURLToPath(new URL("../../bench/run.ts", import.meta.url));

interface BenchRun extends CliResult {
  readonly lines: readonly Line[];
}

/** Runs benchmarks as a person would, in the size that only shows that they run. */
async function bench(names: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<BenchRun> {
  await using folders = await openFolders();
  const json = join(folders.home, "lines.json");
  const words = [process.execPath, entry, "--small", "--json", json, ...names];
  const ended = await runProcess(words, { env: { ...process.env, ...env } });
  const written = await readFile(json, "utf8").catch(() => "[]");
  return { ...ended, lines: JSON.parse(written) as Line[] };
}

describe("every benchmark, in small", () => {
  let run: BenchRun;
  beforeAll(async () => {
    run = await bench([]);
  });

  test("ends well", () => {
    expect(run.stderr).not.toMatch(/failed/);
    expect(run.code).toBe(0);
  });

  test.each(benchmarkNames)(
    "%s gives each of its figures beside its peer, or says why not",
    (name) => {
      const lines = run.lines.filter((line) => line.name === name);
      const keys = lines.map(({ what, unit, peer }) => ({ what, unit, peer }));
      expect(keys).toEqual(budgets[name].map(({ what, unit, peer }) => ({ what, unit, peer })));
      for (const line of lines) {
        for (const reading of line.peer === null ? [line.ours] : [line.ours, line.theirs]) {
          if (isSkipped(reading)) expect(reading.skipped).not.toBe("");
          else expect(reading).toEqual(expect.any(Number));
        }
        const judged = line.met !== null;
        const measured =
          !isSkipped(line.ours) && (line.budget?.endsWith("×") !== true || line.ratio !== null);
        expect(judged).toBe(line.budget !== null && measured);
      }
    },
  );

  test("prints them as one table", () => {
    const rows = run.stdout.split("\n").filter((row) => / · /.test(row));
    expect(rows).toHaveLength(
      benchmarkNames.flatMap((name: BenchmarkName) => budgets[name]).length,
    );
    for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(9);
  });
});

describe("on a machine without the peers", () => {
  test("skips them, and says so", async () => {
    const run = await bench(["start"], { PATH: "/nonexistent" });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain("htop is not installed");
    expect(run.stdout).toContain("skipped: htop is not installed");
    const alone = run.lines.filter((line) => line.peer === "htop");
    expect(alone.map((line) => line.ratio)).toEqual(alone.map(() => null));
    expect(alone.map((line) => typeof line.ours)).toEqual(alone.map(() => "number"));
  });
});

test("names the benchmarks when asked for one that is not there", async () => {
  const run = await bench(["nonsense"]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(benchmarkNames.join(", "));
});
