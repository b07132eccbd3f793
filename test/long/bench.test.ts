import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchmarkNames, budgets } from "../../bench/budgets.ts";
import type { Line } from "../../bench/measure/report.ts";
import { openFolders } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";

const entry = fileURLToPath(new URL("../../bench/run.ts", import.meta.url));

test("every benchmark starts on a small size and gives each of its figures", async () => {
  const folders = await openFolders();
  const json = join(folders.home, "lines.json");
  const words = [process.execPath, entry, "--small", "--json", json];
  const { code, stderr } = await runProcess(words, { env: process.env });
  expect(stderr).not.toMatch(/failed/);
  expect(code).toBe(0);
  const lines = JSON.parse(await readFile(json, "utf8")) as Line[];
  const figures = lines.map(({ name, what, peer }) => ({ name, what, peer }));
  expect(figures).toEqual(
    benchmarkNames.flatMap((name) => budgets[name].map(({ what, peer }) => ({ name, what, peer }))),
  );
});
