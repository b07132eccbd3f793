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

test("a run that stopped with rows left stays in the header, whoever stopped it", async () => {
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
  const opened = await at([{ kind: "suppliers" }]);
  await opened.screen.waitFor(/^Suppliers.*1 run stopped/);
});

test("the header names the zone, and shows that a service does not answer", async () => {
  const { at } = await world({ service: { faults: ["reset-before@account-status"] } });
  const opened = await at([
    { kind: "suppliers" },
    { kind: "account", supplier: "ACME", account: "EXT-0000001" },
  ]);
  await opened.screen.waitFor(/^Suppliers.*offline {2}ad-hoc {2}test {2}UTC/);
});
