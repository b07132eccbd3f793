import { recordRequests } from "../../src/bulk/record.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { noteRequests, openBulk, streamed } from "../bulk/bulking.ts";
import { sentBefore } from "../flows/sent-before.ts";
import { fastClock } from "../helpers/clock.ts";
import { world } from "../helpers/world.ts";
import { notes } from "../writes/writing.ts";

test.each([
  [100, 30],
  [60, 15],
])(
  "an unknown outcome stays in the header until it is dealt with, at %d by %d",
  async (cols, rows) => {
    const { service, folders, at } = await world();
    await sentBefore(service, folders, [{ write: notes("who knows"), faults: ["reset-after"] }]);
    const { screen } = await at([{ kind: "suppliers" }], { clock: fastClock(), cols, rows });
    await screen.waitFor(/^Suppliers.*1 unknown/);
    await screen.press("A").until("Activity");
    await screen.waitFor(/\? unknown/);
    await screen.press("V").untilGone(/^.*1 unknown.*ad-hoc/);
    expect(screen.screen()[0]).toMatch(/ad-hoc {2}test/);
  },
);

/** A world with a run of three notes that stopped before it sent one. */
async function stoppedRun() {
  const { service, folders, at } = await world();
  const { context: own, close } = await openBulk({
    folder: folders.state,
    baseUrl: service.baseUrl,
  });
  const context = { ...own, profile: "ad-hoc" };
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    rows: 3,
    requests: 3,
  });
  await recordRequests(context, run, streamed(noteRequests(3)), {
    signal: new AbortController().signal,
  });
  await close();
  return { at, run };
}

test("a run that stopped with rows left stays in the header, whoever stopped it", async () => {
  const { at } = await stoppedRun();
  const opened = await at([{ kind: "suppliers" }]);
  await opened.screen.waitFor(/^Suppliers.*1 run stopped/);
});

test("a row that a stopped run has not sent is left to the run, and cannot be closed", async () => {
  const { at, run } = await stoppedRun();
  const { screen } = await at([{ kind: "suppliers" }, { kind: "run", id: run }]);
  await screen.waitFor("1 of 3");
  expect(screen.text()).not.toMatch(/ c close/);
  await screen.press("c").until("It is not sent yet: Ctrl-R continues the run.");
});

test("the header names the zone, and shows that a service does not answer", async () => {
  const { at } = await world({ service: { faults: ["reset-before@account-status"] } });
  const opened = await at([
    { kind: "suppliers" },
    { kind: "account", supplier: "ACME", account: "EXT-0000001" },
  ]);
  await opened.screen.waitFor(/^Suppliers.*offline {2}ad-hoc {2}test {2}UTC/);
});
