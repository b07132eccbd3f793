/** Promise: the worker ends when it has nothing to do, never within a load, and starts again when needed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineInWorker } from "../../../src/triage/observations/engine-threads.ts";
import { batchOf } from "../../accounts/rows.ts";

const key = ["https://service.example", "ACME"] as const;

test("the worker ends after its last load and starts again for the next call", async () => {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-worker-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let end: (() => void) | null = null;
  const ask = engineInWorker(folder, (work) => {
    end = work;
    return () => {
      end = null;
    };
  });
  const idle = () => end;
  const { count, text, ends, flags, createdAt } = batchOf([["E-1"], ["E-2", "A-2"]]);
  const rows = { count, text: text.slice(), ends, flags, createdAt };
  expect((await ask("take", 1, ...key, rows)).count).toBe(2);
  expect(await ask("rows", ...key)).toBe(0);
  expect(idle()).toBeNull();
  const [origin, supplier] = key;
  expect(
    await ask("finish", 1, { origin, supplier, at: 1_000, now: 1_000, trusted: null }),
  ).toMatchObject({
    kind: "recorded",
  });
  for (let round = 0; round < 2; round++) {
    idle()?.();
    end = null;
    expect(await ask("rows", ...key)).toBe(2);
    expect(idle()).not.toBeNull();
  }
  await ask("close");
  expect(idle()).toBeNull();
});
