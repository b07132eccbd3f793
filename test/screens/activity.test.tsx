import { type Clock, systemClock } from "../../src/api/clock.ts";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { accountOf, noteRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { sentBefore } from "../flows/sent-before.ts";
import { fastClock } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { instruction, notes, statement } from "../writes/writing.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox();
  folders = await openFolders();
});

function open(
  options: { readonly cols?: number; readonly rows?: number; readonly clock?: Clock } = {},
) {
  return openConsoleAt({
    service,
    folders,
    clock: fastClock(),
    cols: 80,
    rows: 24,
    ...options,
    places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
  });
}

/** A run of three notes to accounts that are there, and two to one that is not. */
async function runBefore(): Promise<string> {
  const { baseUrl, apiKey } = service;
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey });
  const run = await createRun(context, {
    kind: "notes",
    source: "console",
    sha256: "",
    results: null,
    reading: {},
    rows: 5,
    requests: 5,
  });
  const never = new AbortController().signal;
  const requests = [2, 3, 4, 5, 6].map((line) =>
    noteRequest(line, `note ${line}`, line < 4 ? "NOBODY" : accountOf(line)),
  );
  await recordRequests(context, run, streamed(requests), { signal: never });
  await runBulk(context, run, { signal: never, stop: never });
  await close();
  return run;
}

test("a rejected entry is edited as a new draft that says which entry it is from", async () => {
  await sentBefore(service, folders, [{ write: instruction("NO-SUCH-VENDOR") }]);
  await using opened = await open();
  const { screen } = opened;
  await screen.waitFor("1 of 1");
  const form = await screen.press("e").until("New draft, filled from entry 1.");
  expect(form).toContain("NO-SUCH-VENDOR");
  await screen.press("esc").until("1 of 1");
  expect(service.ledger()).toEqual([]);
});

test("beside a wide list stands what is recorded of the entry under the cursor", async () => {
  await sentBefore(service, folders, [{ write: instruction("NO-SUCH-VENDOR") }]);
  await using opened = await open({ cols: 150, rows: 30 });
  const { screen } = opened;
  await screen.waitFor(/│ Entry 1\b/);
  expect(screen.text()).toMatch(/│ . rejected/);
  expect(screen.text()).toMatch(/│ Operation +payment/);
});

test("the tabs list what is unknown and what is rejected", async () => {
  await sentBefore(service, folders, [
    { write: notes("who knows"), faults: ["reset-after"] },
    { write: instruction("NO-SUCH-VENDOR") },
    { write: notes("fine") },
  ]);
  await using opened = await open({ cols: 100 });
  const { screen } = opened;
  await screen.waitFor("1 of 3");
  await screen.waitFor("Tab Unknown");
  await screen.press("tab").until("[Unknown]");
  await screen.waitFor("1 of 1");
  expect(screen.text()).toMatch(/\? unknown/);
  await screen.press("tab").until("[Rejected]");
  await screen.waitFor(/✗ rejected/);
  await screen.press("x").until("supplyline activity list --outcome rejected");
});

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])(
  "another profile is shown and a run is one line that opens it, at %d by %d",
  async (cols, rows) => {
    const run = await runBefore();
    await sentBefore(service, folders, [{ write: notes("single") }]);
    await using opened = await open({ cols, rows });
    const { screen } = opened;
    await screen.waitFor("1 of 2  6 in all");
    expect(screen.text()).toMatch(/Profile/);
    await screen.waitFor(new RegExp(`${run}, 5 `));
    await screen.press("j").until(`Run ${run}: 2 rejected, 3 confirmed`);
    await screen.press("enter").until(`Runs › ${run}`);
    await screen.waitFor(/\[Rej/);
    await screen.press("esc").until("of 2  6 in all");
    await screen.press("tab", "tab").until("[Rejected]");
    await screen.waitFor(`Run ${run}: 2 rejected`);
    await screen.press("enter").until(`Runs › ${run}`);
    await screen.waitFor(/\[Rej/);
  },
);

test("marked entries are verified after one question, and the results are summed up", async () => {
  await sentBefore(service, folders, [
    { write: notes("one"), faults: ["reset-after"] },
    { write: notes("two"), faults: ["reset-after"] },
    { write: statement(), faults: ["reset-after"] },
  ]);
  await using opened = await open();
  const { screen } = opened;
  await screen.waitFor("1 of 3");
  await screen.press("space", "space", "space").until("3 marked");
  await screen.press("V").until(/Verify 2 entries, on ad-hoc \(test, [^)]+\)\?/);
  await screen.waitFor(/1\s+entry left\s+out:\s+they\s+cannot\s+be\s+verified/);
  await screen.press("down", "enter").until("Verified 2 entries: 1 left out, 2 confirmed.");
  expect(service.ledger().filter(({ key }) => key === "one" || key === "two")).toHaveLength(2);
});

test("an entry that is verified says so in its row, and no notice repeats it", async () => {
  await sentBefore(service, folders, [{ write: notes("one"), faults: ["reset-after"] }]);
  service.setFaults(["hang@notes"]);
  await using opened = await open({ clock: systemClock });
  const { screen } = opened;
  await screen.waitFor("? unknown");
  await screen.press("V").until("verifying…");
  expect(screen.text()).not.toMatch(/Verifying/);
  await screen.press("ctrl-c").until("? unknown");
});

test("V on an unverifiable entry explains where to check it", async () => {
  await sentBefore(service, folders, [{ write: statement(), faults: ["reset-after"] }]);
  await using opened = await open({ cols: 100 });
  const { screen } = opened;
  await screen.waitFor("1 of 1");
  await screen
    .press("V")
    .until("Look at the account's statements on the platform's support pages;");
});

test("the account of a closed entry shows the answer apart from the operation", async () => {
  await sentBefore(service, folders, [{ write: instruction("NO-SUCH-VENDOR") }]);
  await using opened = await open();
  const { screen } = opened;
  await screen.waitFor("1 of 1");
  const question = await screen.press("c").until("Not known");
  expect(question).toContain("Items that might have taken effect stay held back.");
  await screen.press("enter").until("effect not known");
  await screen.send("asked the vendor").until("asked the vendor");
  await screen.press("enter").until("Entry 1: closed");
  await screen.press("enter").until("Attempts");
  await screen.press("o").until(/closed, effect not known {2,}payment/);
});
