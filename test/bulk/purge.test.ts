import { readRun } from "../../src/bulk/runs.ts";
import { planPurge, purge } from "../../src/writes/retention.ts";
import { journalFolder } from "../helpers/folders.ts";
import { bulkFor, carryOut, noteRequests, recordedRun, sandboxWith } from "./bulking.ts";

test("a purge leaves the bodies of rows that may still be sent", async () => {
  const sandbox = await sandboxWith();
  const { baseUrl, apiKey } = sandbox;
  const context = await bulkFor({ folder: journalFolder(), baseUrl, apiKey });
  const { journal } = context;
  const run = await recordedRun(context, "notes", noteRequests(3));
  const later = Date.now() + 1_000;
  expect(planPurge(journal, later)).toEqual({ bodies: 0, kept: 3 });
  expect(await purge(journal, later, later)).toBe(0);
  expect(await carryOut(context, run)).toEqual({ kind: "ended" });
  expect(sandbox.ledger()).toHaveLength(3);
  expect(planPurge(journal, later)).toEqual({ bodies: 3, kept: 0 });
  expect(await purge(journal, later, later)).toBe(3);
  expect(readRun(context, run).counts.confirmed).toBe(3);
});
