import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { readingText } from "../../src/bulk/run-settings.ts";
import { createRun } from "../../src/bulk/runs.ts";
import type { Place } from "../../src/session/places.ts";
import { instructionRequest, noteRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { options } from "../bulk/input/inputs.ts";
import { fastClock, hurriedClock } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;

beforeEach(async () => {
  service = await openSandbox();
  folders = await openFolders();
});

/** A run of six payment instructions: three to no vendor, two to no account, one confirmed. */
async function failedRun(): Promise<string> {
  const { baseUrl, apiKey } = service;
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey });
  const run = await createRun(context, {
    kind: "payment-instructions",
    source: "console",
    sha256: "",
    results: null,
    reading: readingText(options("payment-instructions")),
    rows: 6,
    requests: 6,
  });
  const never = new AbortController().signal;
  const requests = [
    ...[2, 3, 4].map((line) => instructionRequest(line, "NO-SUCH-VENDOR")),
    ...[5, 6].map((line) => instructionRequest(line, "GOODPAY", "NOBODY")),
    instructionRequest(7),
  ];
  await recordRequests(context, run, streamed(requests), { signal: never });
  await runBulk(context, run, { signal: never, stop: never });
  await close();
  return run;
}

function open(place: Place, size: { readonly cols?: number; readonly rows?: number } = {}) {
  return openConsoleAt({
    service,
    folders,
    clock: hurriedClock(),
    cols: 80,
    rows: 24,
    ...size,
    // A run is opened from the list of runs.
    places: [
      { kind: "suppliers" },
      ...(place.kind === "run" ? [{ kind: "runs" } as const] : []),
      place,
    ],
  });
}

test.each([
  [80, 24],
  [60, 15],
])(
  "the causes of a run are a line each at %s columns, and two keys make a file",
  async (cols, rows) => {
    const run = await failedRun();
    const { screen, home } = await open({ kind: "run", id: run }, { cols, rows });
    await screen.waitFor("1 of 5");
    const shown = await screen.press("tab").until("1 of 2");
    expect(shown).toMatch(/▌ .*400 +unknown_vendor.* 3$/m);
    expect(shown).toMatch(/\n .*404 +not_found.* 2$/m);
    await screen.press("F").until("3 rows of this cause");
    const path = join(home, `${run}.cause-1.jsonl`);
    screen.press("ctrl-u");
    screen.send(path);
    await screen.press("enter").until("3 rows of this cause written");
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).vendor)).toEqual(Array(3).fill("NO-SUCH-VENDOR"));
  },
);

test("a cause opens its rows, and the marked ones alone are exported", async () => {
  const run = await failedRun();
  const { screen } = await open({ kind: "run", id: run });
  await screen.waitFor("1 of 5");
  await screen.press("tab").until("1 of 2");
  const shown = await screen.press("enter").until("1 of 3");
  expect(shown).toContain("3 failures  payment  400  unknown_vendor");
  await screen.press("space").until("1 marked");
  await screen.press("F").until("Write 1 row of this cause");
  await screen.press("esc").until((shown) => !shown.includes("Write 1 row"));
  await screen.press("enter").until("Accounts › EXT%0000012");
  await screen.press("esc").until("1 marked");
  await screen.press("o").until("Entry 2");
});

test("the accounts of a cause are watched from its line and from its rows", async () => {
  const requests = ["EXT-0000001", "EXT/0000011"].map((account, at) =>
    instructionRequest(at + 2, "NO-SUCH-VENDOR", account),
  );
  const run = await runWith("payment-instructions", requests, []);
  const { screen } = await open({ kind: "run", id: run });
  await screen.waitFor("1 of 2");
  // An answer would end the watching, because these accounts are imported.
  service.setFaults(["hang@account-status"]);
  await screen.press("tab").until("1 of 1");
  await screen.press("w").until("Watching 2 more");
  await screen.press("enter").until("1 of 2");
  await screen.press("w").until("2 no longer watched");
});

test("Activity has the causes of all entries, and none of them is sent again when it was refused", async () => {
  await failedRun();
  const { screen } = await open({ kind: "activity", supplier: null, account: null });
  await screen.waitFor(/1 of \d/);
  await screen.press("tab", "tab", "tab", "tab").until("1 of 2");
  await screen.press("u").until("None of these can be sent again unchanged");
  await screen.press("down", "enter").until("2 failures  payment  404  not_found");
  await screen.waitFor("NOBODY");
});

test("a cause that no failure has any more says so", async () => {
  await failedRun();
  const place = { supplier: null, account: null, run: null } as const;
  const opened = await open({ kind: "cause", ...place, cause: "notes-create:400:x" });
  await opened.screen.waitFor("No failure with this cause is left.");
});

/** A run of rows that all end with one fault; the service is sound afterwards. */
async function runWith(
  kind: "notes" | "payment-instructions",
  requests: readonly PlannedRequest[],
  faults: readonly string[],
): Promise<string> {
  const { baseUrl, apiKey } = service;
  const clock = fastClock();
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey, clock });
  service.setFaults(faults);
  const run = await createRun(context, {
    kind,
    source: "console",
    sha256: "",
    results: null,
    reading: readingText(options(kind)),
    rows: requests.length,
    requests: requests.length,
  });
  const never = new AbortController().signal;
  await recordRequests(context, run, streamed(requests), { signal: never });
  await runBulk(context, run, { signal: never, stop: never, settleMs: 0, patienceMs: 60_000 });
  await close();
  service.setFaults([]);
  return run;
}

test("a whole cause is sent again from the Causes tab, whose footer leads with its keys", async () => {
  const requests = [2, 3].map((line) => instructionRequest(line));
  const run = await runWith("payment-instructions", requests, ["500@payment-instructions"]);
  const { screen } = await open({ kind: "run", id: run });
  await screen.waitFor("1 of 2");
  await screen.press("tab").until("1 of 1");
  await screen.waitFor("F rows to fix");
  screen.press("u");
  // Each may have taken effect: the number of rows is typed, and a reason.
  await screen.waitFor("Number of rows");
  screen.send("2");
  await screen.press("enter").until("Reason");
  screen.send("the vendor is back");
  await screen.press("enter").until(/Sent 2 entries: 2 confirmed/);
  await screen.waitFor("No failures.");
  expect(service.ledger().filter(({ cause }) => cause === "request")).toHaveLength(2);
});

test("a whole cause is verified from the Causes tab", async () => {
  const run = await runWith("notes", [noteRequest(2), noteRequest(3)], ["reset-after@notes"]);
  const { screen } = await open({ kind: "run", id: run });
  await screen.waitFor("1 of 2");
  await screen.press("tab").until("1 of 1");
  await screen.waitFor("V verify all");
  await screen.press("V").until("Yes, verify them");
  await screen.press("down").until("▌ y  Yes, verify them");
  await screen.press("enter").until(/Verified 2 entries: 2 confirmed/);
  await screen.waitFor("No failures.");
  expect(service.ledger().filter(({ cause }) => cause === "request")).toHaveLength(2);
});
