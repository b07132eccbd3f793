import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openCohorts } from "../../src/triage/cohorts/cohorts.ts";
import { addIntent } from "../../src/writes/journal/changes.ts";
import { type Journal, openJournal } from "../../src/writes/journal/open-journal.ts";
import { prepareWrite } from "../../src/writes/prepare.ts";
import { fakeClock, fastClock } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { notes } from "../writes/writing.ts";
import { type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";

type Answer = (response: ServerResponse) => void;

/** A list with this number of pending accounts, and of imported ones. */
function list(pending: number, imported: number, createdAt = "2026-01-10T09:00:00Z"): Answer {
  const item = (external: string, service: string | null) => ({
    external_account_number: external,
    service_account_number: service,
    account_created_at: service === null ? null : createdAt,
  });
  const rows = [
    ...Array.from({ length: pending }, (_, at) => item(`P-${at}`, null)),
    ...Array.from({ length: imported }, (_, at) => item(`I-${at}`, `A-${at}`)),
  ];
  return (response) => reply(response, 200, rows);
}

const refused: Answer = (response) => reply(response, 403, { detail: "not yours" });

/** A console on the board of a profile with these suppliers, each with its answer. */
async function openBoard(
  answers: Record<string, Answer>,
  more: Partial<OpenedConsoleOptions> = {},
) {
  const asked: string[] = [];
  const service = await openService((request, response) => {
    const supplier = decodeURIComponent(request.path.split("/").filter(Boolean).at(-1) ?? "");
    asked.push(supplier);
    const answer = answers[supplier];
    if (answer) answer(response);
    else reply(response, 404, { detail: "no" });
  });
  const folders = more.folders ?? (await openFolders());
  const settings = openSettings({ configDir: folders.config });
  settings.add(
    profileFrom({
      name: "p",
      baseUrl: service.baseUrl,
      environment: "test",
      suppliers: Object.keys(answers),
    }),
  );
  const open = async (clock = fastClock("2026-01-15T09:00:00Z")) => {
    const opened = await openConsoleAt({
      folders,
      profile: "p",
      clock,
      service: { baseUrl: service.baseUrl, apiKey: "key-1" },
      places: [{ kind: "suppliers" }],
      ...more,
    });
    return opened;
  };
  const opened = await open();
  /** Another console of the same user, later. */
  const reopen = async (at: string) => {
    await opened[Symbol.asyncDispose]();
    return (await open(fastClock(at))).screen;
  };
  return { screen: opened.screen, asked, answers, reopen };
}

/** The suppliers as they stand on the screen, the one with the cursor marked. */
function standing(text: string, codes: readonly string[]): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const [, cursor, code = ""] = /^([▌ ]) +[!x]? ?(\S+) /.exec(line) ?? [];
    return codes.includes(code) ? [`${cursor === "▌" ? ">" : ""}${code}`] : [];
  });
}

const codes = ["DONE", "ACME", "LOCKED", "NORTH"];
const four = { DONE: list(0, 7), ACME: list(60, 40), LOCKED: refused, NORTH: list(5, 95) };

const sizes = [
  [200, 50],
  [80, 24],
  [60, 15],
] as const;

test.each(sizes)(
  "the worst supplier stands first, and the cursor on it, at %i×%i",
  async (cols, rows) => {
    const { screen } = await openBoard(four, { cols, rows });
    const text = await screen.waitFor((shown) => /1 of 4 {2}checked just now/.test(shown), {
      describe: "a whole round",
    });
    expect(standing(text, codes)).toEqual([">LOCKED", "ACME", "NORTH", "DONE"]);
    expect(text).toMatch(/^▌ +x LOCKED .*HTTP 403/m);
    expect(text).toMatch(/ACME .*40\.0 +60 /);
    expect(text).toMatch(/DONE .*100\.0 +0 /);
    expect(text).toMatch(/every \d+ s/);
  },
);

test("the cursor stays on its supplier when another one becomes worse", async () => {
  const { screen, answers } = await openBoard(four);
  await screen.waitFor(/of 4 {2}checked/);
  await screen.press("G").until(/^▌ +DONE/m);
  answers.NORTH = list(100, 1);
  answers.LOCKED = list(0, 1);
  const text = await screen
    .press("r")
    .until((shown) => /NORTH .* 100 /.test(shown) && /LOCKED .* 0 /.test(shown), {
      describe: "another order",
    });
  expect(standing(text, codes)).toEqual(["NORTH", "ACME", ">DONE", "LOCKED"]);
  await screen.press("enter").until(/^Suppliers › DONE/);
});

test("the preview beside the board shows the age of the newest accounts whole", async () => {
  const answers = { ACME: list(1, 3, "2026-01-15T08:59:59Z") };
  // A higher screen has the quiet lists there.
  const { screen } = await openBoard(answers, { cols: 200, rows: 30 });
  await screen.waitFor(/│ *I-0 +A-0 +(within 1 min|\d+ min ago)$/m);
});

test.each([80, 60])(
  "a list that lost its accounts needs someone, and says how to confirm it, at %d columns",
  async (cols) => {
    const { screen, answers } = await openBoard({ ACME: list(0, 120) }, { cols, rows: 15 });
    await screen.waitFor(/ACME .* 100\.0 /);
    await screen.waitFor("Nothing needs you now.");
    answers.ACME = list(0, 0);
    await screen.press("r").until("! 1 needs you   list of ACME held back");
    await screen.waitFor(/^▌ +! ACME/m);
    await screen.waitFor("0 accounts listed after 120: not recorded");
    await screen.waitFor(/supplyline observations confirm ACME --profile \S+/);
    await screen.press("enter").until("The service lists no accounts for ACME.");
    await screen.waitFor(/supplyline observations confirm ACME --profile \S+/);
  },
);

test("accounts of a cohort on no list need someone, and no cohort elsewhere does", async () => {
  const folders = await openFolders();
  const cohorts = openCohorts(folders.state);
  const add = (name: string, supplier: string, numbers: string) =>
    cohorts.add({ name, supplier, bytes: Buffer.from(numbers), from: name, column: null, now: 0 });
  await add("wave-3", "ACME", "P-0\nI-0\nNEVER\n");
  await add("elsewhere", "OTHER", "X\n");
  const { screen } = await openBoard({ ACME: list(1, 1) }, { folders });
  await screen.waitFor("1 of wave-3 on no list O");
  expect(screen.text()).not.toContain("Nothing needs you");
  await cohorts.remove("wave-3");
  await screen.waitFor("Nothing needs you now.");
});

test("a failed supplier shows its reason and remedy below the board", async () => {
  const { screen } = await openBoard({ ACME: list(1, 1), LOCKED: refused });
  await screen.waitFor(/of 2 {2}checked/);
  await screen.waitFor(/^▌ +x LOCKED/m);
  await screen.waitFor("the token is not allowed to do this");
  expect(screen.text()).toContain("Ask the platform operator");
});

test("a wide terminal shows the figures of the supplier under the cursor beside the board", async () => {
  const { screen } = await openBoard(
    { ACME: list(3, 9), NORTH: list(2, 4) },
    { cols: 150, rows: 40 },
  );
  await screen.waitFor("Imported per day");
  expect(screen.text()).toContain("9 of 12 imported");
  await screen.press("down").until("4 of 6 imported");
  expect(screen.text()).not.toContain("9 of 12 imported");
});

test("a load that does not end can be canceled, and the next one is asked for with the key", async () => {
  const begun = Promise.withResolvers<void>();
  const answers: Record<string, Answer> = { ACME: () => begun.resolve() };
  const { screen, asked } = await openBoard(answers);
  await screen.waitFor("loading ACME…");
  await begun.promise;
  await screen.press("ctrl-c").until("paused");
  answers.ACME = list(2, 2);
  await screen.press("r").until(/ACME .*50\.0 +2 /);
  expect(screen.text()).toContain("paused");
  expect(asked).toEqual(["ACME", "ACME"]);
});

test("the figures stored before are shown while the service does not answer", async () => {
  const folders = await openFolders();
  const answers: Record<string, Answer> = { ACME: list(2, 6) };
  const { screen } = await openBoard(answers, { folders });
  await screen.waitFor(/ACME .*75\.0 +2 /);
  answers.ACME = () => {};
  await screen.press("r").until("loading ACME…");
  // The same service: its observations are those of the next console too.
  expect(screen.text()).toMatch(/ACME .*75\.0 +2 /);
});

test("many suppliers scroll, and adding one loads it without the others", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 15 }, (_, at) => [`S${String(at).padStart(2, "0")}`, list(at, 10)]),
  );
  const { screen, asked, answers } = await openBoard(many, { cols: 60, rows: 15 });
  const all = await screen.waitFor(/of 15 {2}checked/);
  expect(asked).toHaveLength(15);
  expect(all).toMatch(/S14 .*41\.7 +14 /);
  await screen.press("G").until(/^▌ +S00 .*100\.0/m);
  answers.MORE = list(99, 1);
  await screen.press("a").until("Add an import supplier");
  await screen.send("MORE\r").until("of 16");
  await screen.press("g").until(/MORE .*1\.0 +99 /);
  expect(asked[15]).toBe("MORE");
});

test("80 columns have room for the keys that are used most here", async () => {
  const { screen } = await openBoard({ ACME: list(1, 1) }, { cols: 80, rows: 24 });
  await screen.waitFor(/1 of 1 {2}checked/);
  await screen.waitFor(
    /^Enter open {2}.*X reconcile {2}a add {2}.*: go\/do {2}\? help {2}q quit$/m,
  );
  await screen.press("enter").until("1 of 2 imported");
  await screen.waitFor(/^Enter accounts {2}Esc back {2}X reconcile {2}.*q quit$/m);
});

test("the first cursor waits for the count of the gone accounts, which can be the worst", async () => {
  const { screen, answers, reopen } = await openBoard({ ACME: list(9, 1), NORTH: list(3, 1) });
  await screen.waitFor(/1 of 2 {2}checked/);
  answers.NORTH = list(1, 1);
  await screen.press("r").until("2 gone at NORTH");
  const later = await reopen("2026-01-15T11:00:00Z");
  await later.waitFor("2 gone at NORTH");
  await later.waitFor(/^▌ +! NORTH/m);
});

test("gone accounts name their supplier, and the place that lists them", async () => {
  const { screen, answers } = await openBoard({ ACME: list(0, 1), LOCKED: refused });
  answers.ACME = list(3, 1);
  await screen.press("r").until(/ACME .* 3 /);
  answers.ACME = list(1, 1);
  screen.press("r");
  // The other supplier is loaded after it.
  const text = await screen.waitFor(
    /^ *! 2 need you {3}2 gone at ACME :gone +1 list not loaded *$/m,
  );
  // The cursor is on the worst one, which is another.
  expect(text).toMatch(/^▌ +x LOCKED/m);
});

test("below the picture stand the accounts that need someone, most serious first", async () => {
  const folders = await openFolders();
  const { screen, answers, asked } = await openBoard(
    { ACME: list(0, 1), OTHER: list(1, 1) },
    { folders },
  );
  answers.ACME = list(3, 1);
  await screen.press("r").until(/ACME .* 3 /);
  answers.ACME = list(1, 1);
  await screen.press("r").until("2 gone at ACME");
  const profile = openSettings({ configDir: folders.config }).find("p");
  const journal = await openJournal({ folder: folders.state });
  await addEntry(journal, profile?.baseUrl ?? "", "p", "unknown");
  const text = await screen.waitFor(/^ unknown +EXT-0000001 +notes of 08:00, entry 1$/m);
  const rows = text
    .split("\n")
    .flatMap((line) => /^ (unknown|gone) +(\S+)|^Newest/.exec(line)?.slice(1, 3).join(" ") ?? []);
  expect(rows).toEqual(["unknown EXT-0000001", "gone P-1", "gone P-2", " "]);
  expect(text).toMatch(/P-1 +was pending, on no list since 09:0\d$/m);
  // The rows of the next supplier cost no request.
  const before = asked.length;
  await screen.press("down").untilGone("P-1");
  expect(asked.slice(before).filter((one) => /^[PI]-/.test(one))).toEqual([]);
});

test("stored gone accounts are shown with their age while the list cannot be loaded", async () => {
  const { screen, answers, reopen } = await openBoard({ ACME: list(3, 1) }, { cols: 120 });
  await screen.waitFor(/1 of 1 {2}checked/);
  answers.ACME = list(1, 1);
  await screen.press("r").until("2 gone at ACME");
  answers.ACME = refused;
  const later = await reopen("2026-01-18T09:00:00Z");
  await later.waitFor(/ACME .*HTTP 403, [23] d old/);
  await later.waitFor("2 gone at ACME");
  expect(later.text()).toMatch(/2 gone .*as listed/);
});

test("a supplier is not shown as healthy before its list is loaded", async () => {
  const answers: Record<string, Answer> = { ACME: list(1, 3), NORTH: () => {} };
  const { screen } = await openBoard(answers);
  await screen.waitFor("loading NORTH…");
  await screen.waitFor("Nothing needs you so far; 1 list is not loaded yet.");
});

test("the overview has the figures of the board until its list is there", async () => {
  const answers: Record<string, Answer> = { ACME: list(1, 3) };
  const { screen } = await openBoard(answers);
  await screen.waitFor(/1 of 1 {2}checked/);
  const asked = Promise.withResolvers<ServerResponse>();
  answers.ACME = asked.resolve;
  const text = await screen.press("enter").until(/as listed \d\d:\d\d:/);
  expect(text).toContain("3 of 4 imported");
  list(0, 5)(await asked.promise);
  const complete = await screen.waitFor("5 of 5 imported");
  expect(complete).not.toContain("as listed");
});

test.each(["journal.sqlite", "state.sqlite"])(
  "a %s that cannot be read is not known, on the board and in the header",
  async (name) => {
    const folders = await openFolders();
    await mkdir(folders.state, { recursive: true, mode: 0o700 });
    await writeFile(join(folders.state, name), "not a database", { mode: 0o600 });
    const { screen } = await openBoard({ ACME: list(0, 3) }, { folders });
    const isJournal = name === "journal.sqlite";
    const text = await screen.waitFor(
      isJournal ? "entries and runs not known" : /! watch list not known/,
    );
    expect(text).not.toContain("Nothing needs you");
    expect(text).toMatch(
      isJournal ? /^Suppliers.* entries not known/ : /^Suppliers.* watch list not/,
    );
  },
);

test("an entry that another profile of the service had rejected needs someone", async () => {
  const folders = await openFolders();
  const { screen } = await openBoard({ ACME: list(0, 3) }, { folders, cols: 100, rows: 30 });
  await screen.waitFor("Nothing needs you now.");
  const journal = await openJournal({ folder: folders.state });
  const profile = openSettings({ configDir: folders.config }).find("p");
  await addEntry(journal, profile?.baseUrl ?? "", "another profile");
  const text = await screen.waitFor("! 1 needs you   1 entry rejected A");
  expect(text).toMatch(/^Suppliers.* 1 rejected/);
});

/** Adds a note that ended in this state, sent by some profile of a service. */
function addEntry(
  journal: Journal,
  baseUrl: string,
  profile: string,
  state: "rejected" | "unknown" = "rejected",
): Promise<void> {
  return journal.commit((rows) => {
    const write = prepareWrite(notes("refused"));
    // Recent: retention deletes what is older than two years.
    const at = Date.parse("2026-01-15T08:00:00Z");
    const id = addIntent(rows, { write, profile, baseUrl, owner: null, at });
    rows.update("intent", { state, ended_at: at }, "id = ?", id);
  });
}

test("behind another screen the suppliers are checked, and the header says what is gone", async () => {
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const { screen, answers } = await openBoard({ ACME: list(1, 1), NORTH: list(3, 1) }, { clock });
  await screen.waitFor(/of 2 {2}checked/);
  await screen.press("A").until(/^Activity/);
  answers.NORTH = list(1, 1);
  await clock.advance(30_000);
  await clock.advance(5 * 60_000);
  await screen.waitFor(/^Activity .*2 gone/);
  await screen.press("esc").until("2 gone at NORTH");
  expect(screen.text()).not.toContain("not checked");
});

test("the board says when its suppliers were not checked, because it was paused", async () => {
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const { screen } = await openBoard({ ACME: list(1, 1), NORTH: list(3, 1) }, { clock });
  await screen.waitFor(/of 2 {2}checked/);
  await screen.press("z").until("paused");
  await screen.press("A").until(/^Activity/);
  await clock.advance(20 * 60_000);
  await screen.press("esc").until(/of 2 .*paused/);
  await screen
    .press("z")
    .until(/(ACME and NORTH|NORTH and ACME) not checked from \d\d:00 to \d\d:20\./);
});

test("an action that waits for a load can be run from the open palette once the load has ended", async () => {
  const begun = Promise.withResolvers<() => void>();
  const { screen } = await openBoard({
    ACME: (response) => begun.resolve(() => list(1, 1)(response)),
  });
  const answer = await begun.promise;
  await screen.send(":refresh").until(/refresh r +Loading; Ctrl-C cancels/);
  answer();
  await screen.waitForGone("Loading;");
  expect(screen.text()).toMatch(/refresh r /);
});

test("the keys of a supplier work on the one under the cursor", async () => {
  const { screen } = await openBoard({ ACME: list(60, 40), DONE: list(0, 7) });
  await screen.waitFor(/of 2 {2}checked/);
  await screen.press("G").until(/^▌ +DONE/m);
  await screen.press("o").until("Open an account of DONE");
  await screen.press("esc").untilGone("Open an account");
  await screen.press("i").until("Open a supply point of DONE");
  await screen.press("esc").untilGone("Open a supply point");
  await screen.press("%").until("No list of DONE is held back.");
  await screen.press("S").until("Supply point for DONE");
});
