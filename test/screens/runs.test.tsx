import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import {
  accountOf,
  noteRequest,
  noteRequests,
  openBulk,
  recordedRun,
  streamed,
} from "../bulk/bulking.ts";
import { fakeClock } from "../helpers/clock.ts";
import { world } from "../helpers/world.ts";

/** The files of a console that is killed while it records the rows of a run. */
async function leftHalfRecorded(stateDir: string, baseUrl: string): Promise<string> {
  const { context, close } = await openBulk({ folder: stateDir, baseUrl });
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
  await recordRequests(context, run, streamed(noteRequests(400)), {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  }).catch(() => {});
  await close();
  return run;
}

/** A run of five notes of which two are rejected, whose process died as its last row ended. */
async function leftAtItsEnd(stateDir: string, baseUrl: string, apiKey: string): Promise<string> {
  const { context, close } = await openBulk({ folder: stateDir, baseUrl, apiKey });
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    rows: 5,
    requests: 5,
  });
  const requests = [2, 3, 4, 5, 6].map((line) =>
    noteRequest(line, `note ${line}`, line < 4 ? "NOBODY" : accountOf(line)),
  );
  await recordRequests(context, run, streamed(requests), { signal: new AbortController().signal });
  const never = new AbortController().signal;
  await runBulk(context, run, { signal: never, stop: never });
  const dead = JSON.stringify([4_000_000, "1", "", ""]);
  await context.journal.commit((rows) =>
    rows.run("UPDATE run SET state = 'running', owner = ?, renewed_at = 0 WHERE id = ?", dead, run),
  );
  await close();
  return run;
}

test("a run whose process died as its last row ended is finished, and Ctrl-R says that nothing is left", async () => {
  const { service: sandbox, folders, at } = await world({ service: { accounts: 120 } });
  const run = await leftAtItsEnd(folders.state, sandbox.baseUrl, sandbox.apiKey);
  const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }], { cols: 100 });
  await screen.waitFor(new RegExp(`${run}.*finished, 2 rejected`));
  await screen.waitFor("2 rejected, 3 confirmed");
  await screen.press("ctrl-r").until("Every row has an outcome: nothing is left to resume.");
});

test("the bar of the run under the cursor looks like the others", async () => {
  const { service: sandbox, folders, at } = await world();
  await leftHalfRecorded(folders.state, sandbox.baseUrl);
  await leftHalfRecorded(folders.state, sandbox.baseUrl);
  const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }], { cols: 120 });
  await screen.waitFor(/^▌/m);
  await screen.waitFor("not fully recorded");
  const rows = screen.screen().filter((line) => line.includes("not fully recorded"));
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toContain("────────");
});

test.each([
  [100, 30],
  [60, 15],
])(
  "a run of the console that was not fully recorded is shown as such and discarded, at %d by %d",
  async (cols, rows) => {
    const { service: sandbox, folders, at } = await world();
    const run = await leftHalfRecorded(folders.state, sandbox.baseUrl);
    const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }], { cols, rows });
    await screen.waitFor(run);
    await screen.waitFor("not fully recorded");
    await screen.waitFor("Not fully recorded; nothing was sent.");
    await screen.press("x").until(`bulk report ${run}`);
    expect(screen.text()).not.toContain("bulk resume");
    await screen.press("esc").until("Not fully recorded");
    await screen.press("d").until(`Discard run ${run}?`);
    screen.press("down");
    await screen.press("enter").until("No bulk run yet");
    expect(sandbox.ledger()).toEqual([]);
  },
);

test("a run that waits for the service is tried at once with f, and goes on", async () => {
  const { service: sandbox, folders, at } = await world({ service: { accounts: 120 } });
  const { baseUrl, apiKey } = sandbox;
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey });
  const run = await recordedRun(context, "notes", noteRequests(20));
  await close();
  sandbox.setFaults(["503@any"]);
  const clock = fakeClock(Date.now());
  const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id: run }], {
    clock,
    cols: 120,
  });
  await screen.waitFor("20 not sent");
  await screen.press("ctrl-r").until("Yes, resume it");
  await screen.press("y").until(/Next try in .*: the service answers 503/);
  await screen.waitFor("f try now");
  sandbox.setFaults([]);
  await screen.press("f").until("20 confirmed");
});

test("a response of the service to a row is shown whole at 60 columns", async () => {
  const { service: sandbox, folders, at } = await world();
  const run = await leftAtItsEnd(folders.state, sandbox.baseUrl, sandbox.apiKey);
  const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id: run }], {
    cols: 60,
    rows: 15,
  });
  await screen.waitFor("2 rejected, 3 confirmed");
  await screen.waitFor(/No imported account[^.]*at this\s+supplier\.\n1 of 2/);
  await screen.press("tab").until(/No imported account[^.]*supplier\.\n1 of 1/);
  screen.press("shift-tab");
  await screen.press("shift-tab").until(/^1 of 5$/m);
});

test("each count of a run that was sent again has one name", async () => {
  const { service: sandbox, folders, at } = await world({ service: { accounts: 120 } });
  const { baseUrl, apiKey } = sandbox;
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey });
  const never = new AbortController().signal;
  const send = async (notes: number, rejected: number) => {
    const run = await recordedRun(context, "notes", [
      ...noteRequests(notes),
      ...Array.from({ length: rejected }, (_, at) =>
        noteRequest(notes + at + 2, `lost ${at}`, `NOBODY-${at}`),
      ),
    ]);
    await runBulk(context, run, { signal: never, stop: never });
    return run;
  };
  await send(3, 0);
  const run = await send(4, 1);
  await close();
  const { screen } = await at([{ kind: "suppliers" }, { kind: "runs" }, { kind: "run", id: run }], {
    cols: 110,
  });
  const text = await screen.waitFor("1 rejected, 1 confirmed, 3 already existed");
  expect(text).toContain("✗ 1 of 5 rejected");
  expect(text).toContain("[Rejected 1] Causes  Confirmed 1  Existed 3  All 5");
});
