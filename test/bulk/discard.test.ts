import { discardRun, recordRequests } from "../../src/bulk/record.ts";
import { createRun, listRuns, readRun } from "../../src/bulk/runs.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { ownerText, processLife } from "../../src/writes/owner.ts";
import { resend } from "../../src/writes/resend.ts";
import { journalFolder } from "../helpers/folders.ts";
import { bulkFor, carryOut, never, noteRequests, recordedRun, streamed } from "./bulking.ts";

/** A run of the console that was given up while its rows were being written down. */
async function halfRecorded() {
  const context = await bulkFor({ folder: journalFolder(), baseUrl: "http://127.0.0.1:9" });
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    rows: 400,
    requests: 400,
  });
  const stop = new AbortController();
  const onProgress = (rows: number) => rows >= 128 && stop.abort();
  await recordRequests(context, run, streamed(noteRequests(400)), {
    signal: stop.signal,
    onProgress,
  }).catch(() => {});
  const { journal } = context;
  return { context, run, journal, recorded: () => listActivity(journal, { run }) };
}

describe("a run that was not recorded whole", () => {
  test("differs from one that is being recorded", async () => {
    const { context, run, journal } = await halfRecorded();
    expect(readRun(context, run)).toMatchObject({ state: "unrecorded" });
    const { self } = context.process;
    await journal.commit((rows) =>
      rows.run("UPDATE run SET owner = ?, renewed_at = ?", ownerText(self), Date.now()),
    );
    expect(readRun(context, run)).toMatchObject({ state: "recording" });
  });

  test("is not sent, nor any of its rows alone", async () => {
    const { context, run, recorded } = await halfRecorded();
    await expect(carryOut(context, run)).rejects.toMatchObject({ kind: "not-recorded" });
    const [row] = recorded();
    const sending = resend(context, row?.journal_id ?? 0, { signal: never });
    await expect(sending).rejects.toMatchObject({ kind: "not-possible" });
  });

  test("is discarded with its rows, and leaves no trace", async () => {
    const { context, run, recorded } = await halfRecorded();
    expect(recorded().length).toBeGreaterThan(100);
    await discardRun(context, run);
    expect(recorded()).toEqual([]);
    expect(listRuns(context)).toEqual([]);
    await expect(discardRun(context, run)).rejects.toMatchObject({ kind: "not-found" });
  });

  test("is discarded by the next one where that was cut off in the middle", async () => {
    const { context, run, journal, recorded } = await halfRecorded();
    await journal.commit((rows) => {
      rows.run("UPDATE run SET state = 'void'");
      rows.run("DELETE FROM run_row WHERE line < 60");
    });
    expect(readRun(context, run).state).toBe("unrecorded");
    await discardRun(context, run);
    expect(listRuns(context)).toEqual([]);
    expect(recorded().every(({ outcome }) => outcome === "unsent")).toBe(true);
  });

  test("a run that a process is recording cannot be discarded", async () => {
    const { context, run, recorded } = await halfRecorded();
    const other = { ...context, process: processLife(process.ppid) };
    const { self } = context.process;
    await context.journal.commit((rows) =>
      rows.run("UPDATE run SET owner = ?, renewed_at = ?", ownerText(self), Date.now()),
    );
    await expect(discardRun(other, run)).rejects.toMatchObject({ kind: "in-use" });
    expect(recorded().length).toBeGreaterThan(100);
  });
});

test("a run that was recorded whole is never discarded", async () => {
  const context = await bulkFor({ folder: journalFolder(), baseUrl: "http://127.0.0.1:9" });
  const run = await recordedRun(context, "notes", noteRequests(3));
  await expect(discardRun(context, run)).rejects.toMatchObject({ kind: "recorded" });
  expect(readRun(context, run)).toMatchObject({ state: "stopped", counts: { waiting: 3 } });
});
