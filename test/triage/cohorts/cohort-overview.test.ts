import { AccountListStore } from "../../../src/accounts/account-list.ts";
import { BatchBuilder } from "../../../src/accounts/ingest/batch-builder.ts";
import { NumberSet, numberColumn } from "../../../src/triage/account-numbers.ts";
import { cohortHistory, goneOf } from "../../../src/triage/cohorts/cohort-history.ts";
import { cohortRows } from "../../../src/triage/cohorts/cohort-rows.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { fakeClock } from "../../helpers/clock.ts";
import { batchOf, imported, type Listed, pending } from "../list-watch/lists.ts";

const set = (...numbers: string[]) => new NumberSet(numberColumn(numbers));
const signal = new AbortController().signal;

/** A list in memory with these rows. */
async function listOf(listed: Listed) {
  const list = new AccountListStore();
  await list.load(async function* () {
    yield batchOf(listed);
    return { rows: listed.length, unreadableRows: 0, bytes: 0, receivedAt: 0 };
  }, signal);
  return list;
}

test("the rows of a cohort are those of the list, each once, with their columns", async () => {
  const all = await listOf([
    ...pending("A", "日本"),
    ...imported("B", "C", "B"),
    ...pending("OTHER"),
  ]);
  const cohort = new AccountListStore();
  await cohort.load(cohortRows(all.viewRows().table, set("B", "日本", "NOPE", "B", "")), signal);
  const { table } = cohort.viewRows();
  expect([0, 1].map((row) => table.row(row))).toMatchObject([
    { external: "日本", service: null },
    { external: "B", service: "S-B" },
  ]);
  expect(cohort.getSnapshot()).toMatchObject({ total: 2, load: { kind: "loaded" } });
  all.dispose();
  cohort.dispose();
});

test("rows beyond one block are found, whatever order the cohort has", async () => {
  const builder = new BatchBuilder();
  for (let at = 0; at < 70_000; at++) builder.addTexts(`EXT-${at}`, null, null);
  const batch = builder.take();
  if (batch === null) throw new Error("the batch has rows");
  const all = new AccountListStore();
  await all.load(async function* () {
    yield batch;
    return { rows: batch.count, unreadableRows: 0, bytes: 0, receivedAt: 0 };
  }, signal);
  const cohort = new AccountListStore();
  const numbers = set("EXT-69999", "EXT-0", "EXT-35000");
  await cohort.load(cohortRows(all.viewRows().table, numbers), signal);
  const { table } = cohort.viewRows();
  expect([0, 1, 2].map((row) => table.row(row).external)).toEqual([
    "EXT-0",
    "EXT-35000",
    "EXT-69999",
  ]);
  all.dispose();
  cohort.dispose();
});

test("the history of a cohort is that of its accounts alone", async () => {
  const clock = fakeClock("2026-11-20T12:00:00Z");
  const observations = await openObservations({
    folder: null,
    origin: "http://service",
    clock,
    recording: true,
  });
  const observe = async (listed: Listed) => {
    const load = observations.begin("ACME", clock.now());
    load.take(batchOf(listed));
    await load.finish();
  };
  const first = clock.now();
  await observe(pending("A", "B", "C", "D", "OLD"));
  await clock.advance(30 * 3_600_000);
  await observe([...pending("A", "NEW", "OLD"), ...imported("B")]);
  const now = clock.now();
  const [ages, changes, summary] = await Promise.all([
    observations.ages("ACME"),
    observations.changes("ACME", now - 86_400_000),
    observations.summary("ACME", now),
  ]);
  if (ages === null || summary === null) throw new Error("ACME was observed");
  const observed = { ages, changes, summary, machines: 2 };
  expect(cohortHistory(observed, set("A", "B", "C", "NEW", "NOPE"), now)).toEqual({
    since: first,
    oldestPendingSince: first,
    pendingOverADay: 1,
    gone: null,
    lastDay: { staged: 1, imported: 1, gone: 1, returned: 0, renumbered: 0, removed: 0 },
    heldBack: null,
    machines: 2,
  });
  expect([...goneOf(ages, set("C", "A"))].map(({ external }) => external)).toEqual(["C"]);
  expect(cohortHistory(observed, set("NOPE"), now)).toMatchObject({
    oldestPendingSince: null,
    pendingOverADay: 0,
  });
  await observations.close();
});
