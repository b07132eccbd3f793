import { expect, onTestFinished, test } from "vitest";
import { recordRequests } from "../../src/bulk/record.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { noteRequests, openBulk, streamed } from "../bulk/bulking.ts";
import { openFolders } from "../helpers/folders.ts";
import { openConsoleAt } from "./opened-console.tsx";

/** What a console leaves behind that is killed while it writes the rows of a run down. */
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

test("the progress of the run under the cursor is told in letters, that of the others in blocks", async () => {
  const sandbox = await startSandbox({ speed: 0 });
  onTestFinished(() => sandbox.close());
  await using folders = await openFolders();
  await leftHalfRecorded(folders.state, sandbox.baseUrl);
  await leftHalfRecorded(folders.state, sandbox.baseUrl);
  await using opened = await openConsoleAt({
    service: sandbox,
    folders,
    cols: 120,
    places: [{ kind: "suppliers" }, { kind: "runs" }],
  });
  const { screen } = opened;
  await screen.waitFor(/^▌.*--------/m);
  const rows = screen.screen().filter((line) => line.includes("not recorded whole"));
  expect(rows).toHaveLength(2);
  expect(rows[0]).not.toMatch(/[█░]/);
  expect(rows[1]).toContain("░░░░░░░░");
});

test.each([
  [100, 30],
  [60, 15],
])(
  "a run of the console that was not recorded whole is shown as such and discarded, at %d by %d",
  async (cols, rows) => {
    const sandbox = await startSandbox({ speed: 0 });
    onTestFinished(() => sandbox.close());
    await using folders = await openFolders();
    const run = await leftHalfRecorded(folders.state, sandbox.baseUrl);
    await using opened = await openConsoleAt({
      service: sandbox,
      folders,
      cols,
      rows,
      places: [{ kind: "suppliers" }, { kind: "runs" }],
    });
    const { screen } = opened;
    await screen.waitFor(run);
    await screen.waitFor("not recorded whole");
    await screen.waitFor("Not recorded whole, nothing sent.");
    screen.press("x");
    await screen.waitFor(`bulk report ${run}`);
    expect(screen.text()).not.toContain("bulk resume");
    screen.press("esc");
    await screen.waitFor("Not recorded whole");
    screen.press("d");
    await screen.waitFor(`Take run ${run} off the list?`);
    screen.press("down");
    screen.press("enter");
    await screen.waitFor("There is no bulk run");
    expect(sandbox.ledger()).toEqual([]);
  },
);
