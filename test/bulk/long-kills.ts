/**
 * The long form of kills.test.ts: `node test/bulk/long-kills.ts [rows] [kills] [seed] [kind]`, 10,000
 * notes, twenty kills and seed 1 by default. The sandbox runs in a process of its own. Prints each
 * life and the figures as JSON; ends with 1 when report and ledger do not agree.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowsKind } from "./bulking.ts";
import { isWhole, killAgainAndAgain, seeded } from "./killing.ts";
import { readLedger, sandboxProcess } from "./sandbox-process.ts";

const [rows = "10000", kills = "20", seed = "1", kind = "notes"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "supplyline-kills-"));
const sandbox = await sandboxProcess();
const began = performance.now();
try {
  const report = await killAgainAndAgain(
    {
      folder,
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.apiKey,
      kind: kind as RowsKind,
      rows: Number(rows),
      settleMs: 500,
      kills: Number(kills),
      random: seeded(Number(seed)),
      log: (line) => console.error(line),
    },
    () => readLedger(sandbox),
  );
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const whole = await isWhole(folder);
  console.log(JSON.stringify({ kind, rows: Number(rows), seconds, whole, ...report }, null, 2));
  const agrees = report.disagreements.length + report.strays.length === 0;
  if (!agrees || !whole || report.end !== "ended") process.exitCode = 1;
} finally {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}
