import type { RunProgress } from "../../src/bulk/progress.ts";
import { drawnReporter, linesReporter, runProgressLine } from "../../src/commands/bulk/progress.ts";
import { drawnLine } from "../../src/commands/progress-line.ts";
import { widthOf } from "../../src/text/width.ts";
import { fakeClock } from "../helpers/clock.ts";
import { bulkWorld, notesCsv } from "../helpers/desk.ts";
import { spawnConsole } from "../helpers/terminal.ts";

const counts = {
  waiting: 8_750,
  sending: 16,
  confirmed: 1_200,
  exists: 30,
  rejected: 3,
  retryable: 0,
  unknown: 1,
  closed: 0,
};

const progress: RunProgress = {
  run: "rabcde",
  rows: 10_000,
  counts,
  inFlight: 16,
  limit: 16,
  perSecond: 87.4,
  measuredMs: 5_000,
  secondsLeft: 100,
  pause: null,
  slowed: null,
  stopping: false,
};

const paused: RunProgress = {
  ...progress,
  pause: {
    of: "service",
    since: 0,
    why: "the service does not answer.",
    nextTryAt: 12_500,
    tryNow: null,
  },
};

test("a wide line says how many rows ended how, the rate and the time left", () => {
  expect(runProgressLine(progress, 0, { width: 120, ascii: false })).toBe(
    "██░░░░░░░░░░░░░░░░░░░ 1,234/10,000 · 1 unknown, 3 rejected, 1,200 confirmed, 30 already existed · 87/s · 1 min 40 s left",
  );
});

test("a narrow line leaves out what matters least", () => {
  expect(runProgressLine(progress, 0, { width: 77, ascii: false })).toBe(
    "1,234/10,000 · 1 unknown 3 rejected 1,200 ok 30 exist · 1 min 40 s left",
  );
  expect(runProgressLine(progress, 0, { width: 57, ascii: true })).toBe(
    "1,234/10,000 | 1 unknown 3 rejected 1,200 ok 30 exist",
  );
});

test("the progress of a pause shows the reason and the next try", () => {
  expect(runProgressLine(paused, 0, { width: 120, ascii: true })).toContain(
    "paused: the service does not answer; tries again in 12 s",
  );
  expect(runProgressLine(paused, 13_000, { width: 57, ascii: true })).toContain("paused");
});

test("a run that slows itself says since when and why, beside the rate", () => {
  const since = new Date(2026, 10, 22, 9, 20).getTime();
  const slowed = { since, why: "the service does not answer in time" };
  expect(runProgressLine({ ...progress, slowed }, 0, { width: 160, ascii: true })).toContain(
    "87/s (slowed at 09:20: the service does not answer in time)",
  );
});

test("the progress of a stop shows the requests in flight and the effect of Ctrl-C", () => {
  const stopping = { ...progress, stopping: true };
  expect(runProgressLine(stopping, 0, { width: 77, ascii: true })).toContain(
    "stopping: finishing 16 requests, Ctrl-C again cancels",
  );
  expect(runProgressLine(stopping, 0, { width: 57, ascii: true })).toContain(
    "stopping: 16 left, Ctrl-C cancels",
  );
});

test.each([20, 40, 57, 60, 77, 97, 117, 200])("no line is wider than %i cells", (width) => {
  for (const one of [progress, paused, { ...progress, stopping: true }])
    for (const ascii of [false, true])
      expect(widthOf(runProgressLine(one, 0, { width, ascii }))).toBeLessThanOrEqual(width);
});

test("what the service said cannot reach the terminal raw", () => {
  const pause = {
    of: "service",
    since: 0,
    why: "\u001b[2J\u0007gone",
    nextTryAt: 0,
    tryNow: null,
  } as const;
  const line = runProgressLine({ ...progress, pause }, 0, { width: 200, ascii: false });
  expect(line).not.toMatch(/\p{Cc}/u);
});

test("lines come every ten seconds at most, and at every turn", async () => {
  const clock = fakeClock();
  const said: string[] = [];
  const reporter = linesReporter(clock, (text) => said.push(text));
  reporter.running(progress);
  expect(said).toEqual([]);
  await clock.advance(9_000);
  reporter.running(progress);
  expect(said).toEqual([]);
  await clock.advance(1_000);
  reporter.running(progress);
  reporter.running(progress);
  expect(said).toEqual([
    "1,234 of 10,000 rows; 1 unknown, 3 rejected, 1,200 confirmed, 30 already existed; 87/s; 1 min 40 s left.",
  ]);
  reporter.running(paused);
  reporter.running(paused);
  expect(said).toHaveLength(2);
  expect(said[1]).toContain("paused: the service does not answer");
  reporter.running(progress);
  expect(said).toHaveLength(3);
});

test("the progress line is drawn in place and erased at the end", async () => {
  const clock = fakeClock();
  let written = "";
  const drawing = { ascii: true, columns: () => 80, write: (text: string) => (written += text) };
  const reporter = drawnReporter(clock, drawnLine(clock, drawing));
  reporter.clear();
  expect(written).toBe("");
  reporter.checking("notes.csv", 5_000, 0);
  expect(written).toBe("\rChecking notes.csv: 5,000 rows\u001b[K");
  reporter.checking("notes.csv", 5_001, 0);
  expect(written).not.toContain("5,001");
  await clock.advance(100);
  reporter.checking("notes.csv", 10_000, 2);
  expect(written).toContain("\rChecking notes.csv: 10,000 rows, 2 problems\u001b[K");
  reporter.clear();
  expect(written.endsWith("\r\u001b[K")).toBe(true);
});

const words = ["bulk", "run", "notes", "--from", "notes.csv", "--concurrency", "4", "--yes"];

test.each([80, 60])("on a terminal of %i columns the line stays one line", async (cols) => {
  const { file, terminal } = await bulkWorld("latency=60ms@notes");
  await file("notes.csv", notesCsv(60));
  const shown = await terminal(words, { cols });
  const screen = await shown.waitFor(/[1-9]\d*\/60 · \d+ (confirmed|ok)/);
  expect(screen.split("\n").filter((line) => /\/60/.test(line))).toHaveLength(1);
  expect(screen).toMatch(/[█░]{8,}/);
  const ended = await shown.waitFor("every row has an outcome");
  expect(ended).not.toContain("/60");
  expect((await shown.exit).code).toBe(0);
});

test("--ascii draws with ASCII alone, and TERM=dumb draws nothing", async () => {
  const { file, terminal } = await bulkWorld("latency=60ms@notes");
  await file("notes.csv", notesCsv(30));
  const ascii = await terminal([...words, "--ascii"]);
  await ascii.waitFor(/[#-]{8,} \d+\/30 \| /);
  await ascii.exit;
  expect(ascii.bytes()).toMatch(/^[\u0000-\u007f]*$/);
  const dumb = await terminal([...words, "--results", "2.csv"], { env: { TERM: "dumb" } });
  await dumb.waitFor("every row has an outcome");
  expect(dumb.bytes()).not.toContain("\u001b");
});

test("--quiet shows no progress, but the run's id", async () => {
  const { file, terminal } = await bulkWorld("latency=60ms@notes");
  await file("notes.csv", notesCsv(30));
  const shown = await terminal([...words, "--quiet"]);
  await shown.waitFor("every row has an outcome");
  expect(shown.bytes()).not.toContain("/30");
  expect(shown.bytes()).toMatch(/run r\w+\r\n/);
});

test("Ctrl-C finishes what is in flight: 130, and the rest is resumed", async () => {
  const { file, terminal, landed, json, run, service } = await bulkWorld("latency=300ms@notes");
  await file("notes.csv", notesCsv(60));
  const shown = await terminal(words);
  await shown.waitFor(/[1-9]\d*\/60/);
  await shown.send("\u0003").until(/stopping: finishing \d+ requests?, Ctrl-C again cancels/);
  const ended = await shown.waitFor("supplyline bulk resume");
  expect((await shown.exit).code).toBe(130);
  const id = /supplyline bulk resume (\w+)/.exec(ended)?.[1] ?? "";
  const [stopped] = await json(["bulk", "list"]);
  expect(stopped).toMatchObject({ run: id, outcome: "stopped", unknown: 0, sending: 0 });
  expect(stopped.confirmed).toBe(landed().length);
  expect(stopped.unsent).toBe(60 - landed().length);
  expect((await run(["bulk", "report", id])).code).toBe(130);
  service.setFaults([]);
  expect((await run(["bulk", "resume", id])).code).toBe(0);
  expect(landed()).toHaveLength(60);
});

test("a second Ctrl-C cancels: 7, and a resume finds out what took effect", async () => {
  const { file, terminal, landed, json, run, service } = await bulkWorld("hang-after@notes");
  await file("notes.csv", notesCsv(20));
  const shown = await terminal([...words, "--concurrency", "1"]);
  await expect.poll(() => landed().length).toBe(1);
  await shown.send("\u0003").until("stopping: finishing 1 request");
  await shown.send("\u0003").until("supplyline bulk resume");
  expect((await shown.exit).code).toBe(7);
  const [stopped] = await json(["bulk", "list"]);
  expect(stopped).toMatchObject({ outcome: "stopped", unknown: 1, unsent: 19 });
  expect((await run(["bulk", "report", stopped.run])).code).toBe(7);
  service.setFaults([]);
  expect((await run(["bulk", "resume", stopped.run, "--settle", "0s"])).code).toBe(0);
  expect(landed()).toHaveLength(20);
});

test("a run pauses and reports it while the service is unavailable", async () => {
  const { file, terminal, service, landed } = await bulkWorld("503@rest");
  await file("notes.csv", notesCsv(20));
  const shown = await terminal([...words, "--settle", "0s"], { cols: 100 });
  await shown.waitFor(/paused: .*; tries again/);
  service.setFaults([]);
  await shown.waitFor("every row has an outcome");
  expect(landed()).toHaveLength(20);
});

test("a closed terminal ends the run within a second, and the run can be resumed", async () => {
  const { env, file, folders, landed, json, run, service } = await bulkWorld("hang-after@notes");
  await file("notes.csv", notesCsv(20));
  const shown = await spawnConsole(words, { env, folders });
  await expect.poll(() => landed().length).toBeGreaterThan(0);
  shown.hangUp();
  await shown.exit;
  service.setFaults([]);
  const [left] = await json(["bulk", "list"]);
  expect(left).toMatchObject({ outcome: "stopped", sending: 0 });
  expect((await run(["bulk", "resume", left.run, "--settle", "0s"])).code).toBe(0);
  expect(landed()).toHaveLength(20);
});
