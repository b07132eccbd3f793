/** Promise: what was sent stays on record until a clock that the service confirms says that it is too old. */
import { listActivity } from "../../src/writes/activity.ts";
import { showActivity } from "../../src/writes/activity-detail.ts";
import { openJournal } from "../../src/writes/journal/open-journal.ts";
import { openWrites } from "../../src/writes/open-writes.ts";
import { bodyRetentionMs } from "../../src/writes/retention.ts";
import { submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { journalFolder } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { writeService } from "./write-service.ts";
import { hurried, notes } from "./writing.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = "2026-11-20T12:00:00Z";

/** A service whose Date header is set by hand, and a program that starts again and again. */
async function openMachine() {
  const clock = fakeClock(start);
  let date = clock.now();
  const server = await openService(({ body }, response) => {
    response.setHeader("date", new Date(date).toUTCString());
    const { notes: sent } = JSON.parse(body);
    reply(response, 201, [{ ...sent[0], status: "NOTE_CREATION_SUCCESS" }]);
  });
  const folder = journalFolder();
  /** Opens the journal, sends a note or nothing, and ends; returns the entries on record. */
  const run = async ({ serviceAt, sends = true }: { serviceAt: number; sends?: boolean }) => {
    date = serviceAt;
    const service = writeService(server.baseUrl, { token: "test-token" }, clock);
    const writes = await openWrites({
      folder,
      service,
      profile: { name: "test" },
      pid: process.pid,
      clock,
    });
    if (sends) await submit(writes.context, notes(`at ${clock.now()}`), hurried().options);
    await writes.close();
    await service.close();
    const journal = await openJournal({ folder });
    const entries = listActivity(journal);
    await journal.close();
    return entries.length;
  };
  return { clock, run };
}

test("a clock that is 800 days ahead deletes no entry, whether the service answers or not", async () => {
  const { clock, run } = await openMachine();
  const now = clock.now();
  expect(await run({ serviceAt: now })).toBe(1);
  await clock.advance(800 * day);
  expect(await run({ serviceAt: now, sends: false })).toBe(1);
  expect(await run({ serviceAt: now })).toBe(2);
  // Even a service that is as wrong takes a day's worth at most.
  await clock.advance(2 * hour);
  expect(await run({ serviceAt: clock.now() })).toBe(3);
});

test("a console that stays open takes out what is too old, a day's worth every hour", async () => {
  const clock = fakeClock(start);
  const server = await openService({
    writes: [{ status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] }],
  });
  const service = {
    ...writeService(server.baseUrl, { token: "test-token" }, clock),
    trustedNow: () => clock.now(),
  };
  onTestFinished(() => service.close());
  let tick = () => {};
  const { context, close } = await openWrites({
    folder: journalFolder(),
    service,
    profile: { name: "test" },
    pid: process.pid,
    clock,
    everyHour: (work) => {
      tick = work;
      return () => {};
    },
  });
  await submit(context, notes("one"), hurried().options);
  const body = () => showActivity(context.journal, 1).body;
  const hours = async (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      await clock.advance(hour);
      tick();
      // What was asked for before is committed before.
      for (let commits = 0; commits < 3; commits++) await context.journal.commit(() => {});
    }
  };
  await hours(1);
  await clock.advance(bodyRetentionMs);
  await hours(80);
  expect(body()).not.toBeNull();
  await hours(12);
  expect(body()).toBeNull();
  expect(listActivity(context.journal)).toHaveLength(1);
  await close();
});
