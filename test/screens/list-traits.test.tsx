import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordRequests } from "../../src/bulk/record.ts";
import { runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import type { Place } from "../../src/session/places.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { instructionRequest, openBulk, streamed } from "../bulk/bulking.ts";
import { hurriedClock } from "../helpers/clock.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import type { Screen } from "../helpers/screen.tsx";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;
let folders: Folders;
let run: string;

beforeAll(async () => {
  service = await openSandbox({ accounts: 60 });
  folders = await openFolders();
  await mkdir(folders.home, { recursive: true });
  run = await failedRun();
  for (const name of ["wave-1", "wave-2"]) {
    await openCohorts(folders.state).add({
      ...{ name, supplier: "ACME", from: `${name}.txt`, column: null, now: 0 },
      bytes: Buffer.from("EXT-0000001\nNOPE-1\n"),
    });
  }
  await writeFile(
    join(folders.home, "bad.csv"),
    "import_supplier,external_account_number,body\nACME,,one\n,EXT-0000002,two\nACME,,three\n",
  );
  await writeFile(join(folders.home, "mine.txt"), "EXT-0000001\nEXT-0000003\nNOPE-1\nNOPE-2\n");
});

afterAll(async () => {
  await service.close();
  await folders[Symbol.asyncDispose]();
});

/** A run whose rows fail for two causes: three for one, two for the other, one is confirmed. */
async function failedRun(): Promise<string> {
  const { baseUrl, apiKey } = service;
  const { context, close } = await openBulk({ folder: folders.state, baseUrl, apiKey });
  const id = await createRun(context, {
    ...{ kind: "payment-instructions", source: "console", sha256: "", results: null },
    ...{ reading: {}, rows: 6, requests: 6 },
  });
  const never = new AbortController().signal;
  const requests = [
    ...[2, 3, 4].map((line) => instructionRequest(line, "NO-SUCH-VENDOR")),
    ...[5, 6].map((line) => instructionRequest(line, "GOODPAY", "NOBODY")),
    instructionRequest(7),
  ];
  await recordRequests(context, id, streamed(requests), { signal: never });
  await runBulk(context, id, { signal: never, stop: never });
  await close();
  return id;
}

interface Listed {
  readonly place: () => Place;
  /** From the place to the list, where that takes keys. */
  readonly open?: (screen: Screen) => Promise<void>;
  /** What a row is called if none matches. */
  readonly noun: string;
  readonly rows: number;
}

const press =
  (...keys: Parameters<Screen["press"]>) =>
  async (screen: Screen) => {
    await screen.waitFor(/\d of \d/);
    screen.press(...keys);
  };

async function typeInto(screen: Screen, key: "a", title: string, text: string): Promise<void> {
  screen.press(key);
  await screen.waitFor(title);
  screen.send(text);
  await screen.waitFor(text);
  screen.press("enter");
}

const compare = async (screen: Screen) => {
  await screen.waitFor("Which accounts do you expect at ACME?");
  screen.send("~/mine.txt");
  await screen.waitFor("~/mine.txt");
  screen.press("enter");
  await screen.waitFor("of 4 imported.");
};

const lists: Readonly<Record<string, Listed>> = {
  suppliers: {
    place: () => ({ kind: "suppliers" }),
    open: async (screen) => {
      await screen.waitFor("This profile has no suppliers yet");
      await typeInto(screen, "a", "Add an import supplier", "ACME DONE");
      await screen.waitFor("of 2");
    },
    ...{ noun: "supplier", rows: 2 },
  },
  accounts: {
    place: () => ({ kind: "accounts", supplier: "ACME", tab: "all" }),
    ...{ noun: "account", rows: 60 },
  },
  runs: { place: () => ({ kind: "runs" }), noun: "run", rows: 1 },
  "rows of a run": {
    place: () => ({ kind: "run", id: run }),
    open: press("shift-tab"),
    ...{ noun: "row", rows: 6 },
  },
  "causes of a run": {
    place: () => ({ kind: "run", id: run }),
    open: press("tab"),
    ...{ noun: "cause", rows: 2 },
  },
  "rows of a cause": {
    place: () => ({ kind: "run", id: run }),
    open: async (screen) => {
      await press("tab")(screen);
      await screen.waitFor("1 of 2");
      screen.press("enter");
    },
    ...{ noun: "row", rows: 3 },
  },
  activity: {
    place: () => ({ kind: "activity", supplier: "ACME", account: null }),
    open: press("tab", "tab"),
    ...{ noun: "entry", rows: 1 },
  },
  cohorts: { place: () => ({ kind: "cohorts" }), noun: "cohort", rows: 2 },
  profiles: { place: () => ({ kind: "profiles" }), noun: "profile", rows: 1 },
  "causes of a file": {
    place: () => ({ kind: "bulk-file", path: join(folders.home, "bad.csv") }),
    ...{ noun: "cause", rows: 2 },
  },
  "issues of a file": {
    place: () => ({ kind: "bulk-file", path: join(folders.home, "bad.csv") }),
    open: press("tab"),
    ...{ noun: "issue", rows: 3 },
  },
  "classes of a comparison": {
    place: () => ({ kind: "reconcile", supplier: "ACME" }),
    open: compare,
    ...{ noun: "class", rows: 4 },
  },
  "rows of a class": {
    place: () => ({ kind: "reconcile", supplier: "ACME" }),
    open: async (screen) => {
      await compare(screen);
      screen.press("G", "enter");
    },
    ...{ noun: "row", rows: 58 },
  },
  "command log": {
    place: () => ({ kind: "account", supplier: "ACME", account: "EXT-0000001" }),
    open: async (screen) => {
      await screen.waitFor("COMPLETED");
      screen.press("@");
    },
    ...{ noun: "command", rows: 1 },
  },
  notices: {
    place: () => ({ kind: "cohorts" }),
    open: async (screen) => {
      await screen.waitFor("1 of 2");
      screen.press(">");
      await screen.waitFor("Sorted by");
      screen.press(":");
      await screen.waitFor("Go to a place");
      screen.send("notices");
      await screen.waitFor("What was reported");
      screen.press("enter");
    },
    ...{ noun: "notice", rows: 1 },
  },
  // The last: what is watched is checked on every screen.
  watch: {
    place: () => ({ kind: "watch" }),
    open: async (screen) => {
      await screen.waitFor("Nothing is watched yet.");
      const several = "ACME/EXT-0000003, ACME/EXT-0000004";
      await typeInto(screen, "a", "Watch accounts or supply points", several);
      await screen.waitFor(/^1 of 2$/m);
    },
    ...{ noun: "watched entry", rows: 2 },
  },
};

describe.each(Object.entries(lists))("the list of %s", (_name, listed) => {
  test("is filtered, sorted, marked, copied, exported and previewed", async () => {
    await using opened = await openConsoleAt({
      ...{ service, folders, clock: hurriedClock(), cols: 160, rows: 34 },
      ...{ env: { TERM: "xterm-256color" }, places: [{ kind: "suppliers" }, listed.place()] },
    });
    const { screen } = opened;
    await listed.open?.(screen);
    await screen.waitFor(new RegExp(`^1 of ${listed.rows}\\b`, "m"));
    await screen.waitFor("│");

    screen.press("/");
    await screen.waitFor("keep filter");
    screen.send("zzqx");
    await screen.waitFor(`No ${listed.noun} matches zzqx.`);
    await screen.waitFor(/^0 of \d+ match/m);
    screen.press("esc");
    await screen.waitFor(new RegExp(`^1 of ${listed.rows}\\b`, "m"));

    screen.press(">");
    await screen.waitFor(/Sorted by /);
    screen.press("R");
    await screen.waitFor(/Sorted by .*, (?:reversed|longest first)/);

    screen.press("g", "+");
    await screen.waitFor(/\d marked/);
    screen.press("+");
    await screen.waitFor((text) => !/\d marked/.test(text), { describe: "no mark" });
    screen.press("g", "space");
    await screen.waitFor(/\d marked/);
    screen.press("g", "shift-down");
    await screen.waitFor(/[1-9]\d* marked/);

    screen.press("Y");
    await screen.waitFor("sent to the terminal");
    expect(opened.copied()).not.toBe("");
    screen.press("E");
    await screen.waitFor(/Export \d/);
  });
});

test.each([
  ["watch", { kind: "watch" }, "Nothing is watched yet."],
  ["runs", { kind: "runs" }, "No bulk run yet"],
  ["activity", { kind: "activity", supplier: null, account: null }, "Nothing has been sent"],
  ["cohorts", { kind: "cohorts" }, "No cohort yet."],
  ["suppliers", { kind: "suppliers" }, "This profile has no suppliers yet"],
  ["notices", { kind: "notices" }, "Nothing was reported in this session yet."],
] as const)(
  "an empty list of %s says so, and each of its keys says why",
  async (_, place, words) => {
    await using opened = await openConsoleAt({ service, places: [{ kind: "suppliers" }, place] });
    const { screen } = opened;
    await screen.waitFor(words);
    for (const key of ["/", ">", "R", "space", "+", "y", "Y", "E"] as const) {
      screen.press(key);
      await screen.waitFor("There is no row here.");
      screen.press("?");
      await screen.waitFor("Keys on");
      screen.press("esc");
      await screen.waitFor(words);
      await screen.waitFor((text) => !text.includes("There is no row here."), { describe: "gone" });
    }
  },
);

test("marks stay when a list is left, and with their number when the row is filtered away", async () => {
  await using opened = await openConsoleAt({
    ...{ service, folders, clock: hurriedClock() },
    places: [{ kind: "suppliers" }, { kind: "cohorts" }],
  });
  const { screen } = opened;
  await screen.waitFor("1 of 2");
  screen.press("space");
  await screen.waitFor("1 marked");
  screen.press("esc");
  await screen.waitFor("This profile has no suppliers yet");
  screen.press(":");
  await screen.waitFor("Go to a place");
  screen.send("cohorts");
  await screen.waitFor("Your stored lists of accounts");
  screen.press("enter");
  await screen.waitFor("1 marked");
  screen.press("/");
  await screen.waitFor("keep filter");
  screen.send("wave-2");
  await screen.waitFor("row 1  1 of 2 match  1 marked, 1 not shown");
});
