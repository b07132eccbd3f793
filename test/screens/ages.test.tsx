import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Place } from "../../src/session/places.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { exchanges, type FakeClock, fakeClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";

const hour = 3_600_000;
const day = 24 * hour;

const list: readonly Place[] = [
  { kind: "suppliers" },
  { kind: "accounts", supplier: "ACME", tab: "all" },
];
const account = (number: string): readonly Place[] => [
  { kind: "suppliers" },
  { kind: "account", supplier: "ACME", account: number },
];

/** A row of a list; pending without a service account number. */
function row(external: string, service: string | null = null) {
  return {
    external_account_number: external,
    service_account_number: service,
    account_created_at: service === null ? null : "2026-01-10T09:00:00Z",
  };
}

/** A service with the rows and states that a test sets, and one user's folders for all consoles. */
async function serviceOf(rows: readonly ReturnType<typeof row>[]) {
  const world = {
    rows,
    states: {} as Record<string, string>,
    /** True if every request fails. */
    isBroken: false,
    /** Numbers whose status was asked for. */
    asked: [] as string[],
    /** Statuses are answered after it. */
    hold: Promise.resolve(),
  };
  const answer = (path: string, response: ServerResponse) => {
    if (world.isBroken) return reply(response, 400, { detail: "Broken." });
    const [, number] = /account-transfer-status\/ACME\/([^/]+)/.exec(path) ?? [];
    if (number !== undefined) {
      world.asked.push(number);
      const status = world.states[number] ?? "UNKNOWN";
      void world.hold.then(() => reply(response, 200, { status, service_account_number: "" }));
    } else if (path.includes("/pending-")) {
      reply(
        response,
        200,
        world.rows.filter((one) => one.service_account_number === null),
      );
    } else reply(response, 200, world.rows);
  };
  const service = await openService((request, response) => answer(request.path, response));
  const folders = await openFolders();
  return { world, folders, service: { baseUrl: service.baseUrl, apiKey: "key-1" } };
}

interface Desk {
  readonly folders: Folders;
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
}

function open(
  { folders, service }: Desk,
  clock: FakeClock,
  more: Partial<OpenedConsoleOptions> = {},
) {
  return openConsoleAt({ service, folders, clock, places: list, ...more });
}

/** Moves time on in steps until a text is on the screen: what waits for the clock may begin late. */
async function pass(
  clock: FakeClock,
  screen: { text(): string },
  wanted: RegExp,
  stepMs = 1_000,
): Promise<void> {
  await eventually(async () => {
    // In fewer turns of the event loop a request would reach its deadline before its answer.
    await exchanges();
    await clock.advance(stepMs);
    expect(screen.text()).toMatch(wanted);
  });
}

test("how long accounts have been pending outlives the console, and puts the oldest first", async () => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2", "A-2")]);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  }
  desk.world.rows = [row("EXT-0"), row("EXT-1"), row("EXT-2", "A-2")];
  const later = fakeClock(first.now() + 3 * day + hour);
  const { screen } = await open(desk, later);
  await screen.waitFor(/EXT-1 +○ pending[^\n]* ≥ 3 d/);
  expect(screen.text()).toMatch(/EXT-0 +○ pending[^\n]* just seen/);
  expect(screen.text()).toMatch(/EXT-2 +✓ imported .*A-2/);
  await screen.press(">", ">").until("Sorted by how long they have been pending, longest first.");
  await screen.waitFor((text) => text.indexOf("EXT-1") < text.indexOf("EXT-0"), {
    describe: "the oldest first",
  });
});

test.each<[string, Place]>([
  ["the list", { kind: "accounts", supplier: "ACME", tab: "all" }],
  ["the overview", { kind: "overview", supplier: "ACME" }],
])("no age grows after the last list, on %s", async (_name, place) => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2", "A-2")]);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor("just seen");
  }
  const later = fakeClock(first.now() + 3 * 60_000);
  const places: readonly Place[] = [{ kind: "suppliers" }, ...list.slice(1), place];
  const { screen } = await open(desk, later, { places, cols: 160, rows: 40 });
  await screen.waitFor("≥ 3 min");
  desk.world.isBroken = true;
  await pass(later, screen, /400/, 5_000);
  await later.advance(150_000);
  expect(screen.text()).toContain("≥ 3 min");
  expect(screen.text()).not.toMatch(/≥ [4-9] min/);
});

test.each([
  ["with the service's number", "NORTH-0001234", "NORTH-0001234  A-7C58C6AD  8 d ago"],
  ["without it where there is no room", "NORTH-0001234567", "NORTH-0001234567  8 d ago"],
])(
  "the newest accounts stand beside those pending longest with their whole number, %s",
  async (_what, number, newest) => {
    const desk = await serviceOf([row("EXT-1"), row(number, "A-7C58C6AD")]);
    const first = fakeClock("2026-01-15T09:00:00Z");
    {
      await using opened = await open(desk, first);
      await opened.screen.waitFor("just seen");
    }
    const places: readonly Place[] = [
      { kind: "suppliers" },
      { kind: "overview", supplier: "ACME" },
    ];
    const later = fakeClock(first.now() + 3 * day);
    const opened = await open(desk, later, { places, cols: 80, rows: 24 });
    const text = await opened.screen.waitFor(/^Pending longest +Newest$/m);
    expect(/^EXT-1 +≥ 3 d +(.*)$/m.exec(text)?.[1]).toBe(newest);
  },
);

test.each([
  [200, 50],
  [60, 15],
])("an account that left the list without an import has a tab, at %i×%i", async (cols, rows) => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2"), row("EXT-3", "A-3")]);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
    expect(opened.screen.text()).not.toContain("Gone");
  }
  desk.world.rows = [row("EXT-2"), row("EXT-3", "A-3")];
  const later = fakeClock(first.now() + 2 * day);
  const { screen } = await open(desk, later, { cols, rows });
  await screen.waitFor(/\[All 2\] Pending 1 {2}Imported 1 {2}Gone 1/);
  const gone = await screen.press("shift-tab").until(/\[Gone 1\]/);
  expect(gone).toMatch(/EXT-1 +2026-01-15 \d\d:00 +2026-01-17 \d\d:00/);
  // The preview has the same verdict as the account's screen.
  if (cols > 60) await pass(later, screen, /✗ gone since [^;\n]*, UNKNOWN/);
  screen.press("v");
  expect(await screen.waitFor("Raw: EXT-1")).toContain("pending_since");
  await screen.press("esc").until(/\[Gone 1\]/);
  // It comes back: the tab stays as long as it is shown, and says so.
  desk.world.rows = [row("EXT-1"), ...desk.world.rows];
  await pass(later, screen, /No account is gone/, 10_000);
});

test("the tab of gone accounts says how many of them the board counts", async () => {
  const rows = ["EXT-1", "EXT-2", "EXT-3"].map((external) => row(external));
  const desk = await serviceOf(rows);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  }
  desk.world.rows = rows.slice(2);
  desk.world.states = { "EXT-1": "IN_PROGRESS" };
  const later = fakeClock(first.now() + 2 * day);
  const overview = { kind: "overview", supplier: "ACME" } as const;
  const { screen } = await open(desk, later, { places: [{ kind: "suppliers" }, overview] });
  await screen.waitFor("1 gone");
  await screen.press("enter").until(/Gone 2, 1 verified/);
});

test("the overview mentions accounts created in the future, and names none of them as newest", async () => {
  const ahead = { ...row("FUTURE", "A-2"), account_created_at: "2099-01-01T00:00:00Z" };
  const desk = await serviceOf([row("DONE", "A-1"), ahead, row("EXT-1")]);
  const places: Place[] = [{ kind: "suppliers" }, { kind: "overview", supplier: "ACME" }];
  const opened = await open(desk, fakeClock("2026-01-15T09:00:00Z"), { places, rows: 40 });
  const text = await opened.screen.waitFor("1 account created in the future");
  expect(text).toContain("2 of 3 imported");
  expect(text).toContain("DONE");
  expect(text).not.toContain("FUTURE");
});

test("with recording switched off, ages and gone accounts come from what was stored before", async () => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2")]);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  }
  desk.world.rows = [row("EXT-1"), row("EXT-3")];
  const later = fakeClock(first.now() + 9 * day);
  const { screen } = await open(desk, later, { env: { SUPPLYLINE_OBSERVE: "0" } });
  await screen.waitFor("Gone 1");
  await screen.waitFor(/EXT-1 +○ pending[^\n]* ≥ 9 d/);
  await screen.waitFor(/EXT-3 +○ pending[^\n]* just seen/);
});

test("a store that cannot be read stops no list, and a notice says so once", async () => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2")]);
  await mkdir(desk.folders.state, { recursive: true, mode: 0o700 });
  await writeFile(join(desk.folders.state, "observations.sqlite"), "no database ".repeat(400));
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const { screen } = await open(desk, clock, { cols: 80, rows: 24 });
  await screen.waitFor("Ages are not recorded; supplyline doctor checks it.");
  await screen.waitFor(/1 of 2 .*loaded/);
  await screen.press("/").until("keep filter");
  await screen.send("age:>1h").until("Ages cannot be read");
});

test("beside a wide list, the account under the cursor is asked for once the cursor rests", async () => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2"), row("EXT-3")]);
  desk.world.states["EXT-3"] = "IN_PROGRESS";
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const { screen } = await open(desk, clock, { cols: 150, rows: 30 });
  await screen.waitFor(/1 of 3 .*loaded just now/);
  expect(desk.world.asked).toEqual([]);
  await screen.press("j", "j").until("3 of 3");
  await pass(clock, screen, /● IN_PROGRESS for at least/, 100);
  expect(screen.text()).toMatch(/│ EXT-3 +ACME/);
  expect(screen.text()).toMatch(/│ Observed .*● IN_PROGRESS/);
  // The cursor passed the second row.
  expect(desk.world.asked).toEqual(["EXT-3"]);
});

test("beside a list, an imported account says when it was created, as its screen does", async () => {
  const desk = await serviceOf([row("EXT-1", "A-1")]);
  desk.world.states["EXT-1"] = "COMPLETED";
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const opened = await open(desk, clock, { cols: 150, rows: 30 });
  await opened.screen.waitFor(/1 of 1 .*loaded just now/);
  await pass(clock, opened.screen, /│ ✓ COMPLETED, created 5 d ago/, 100);
});

test("beside the watch list stands what watching has found, without another request", async () => {
  const desk = await serviceOf([row("EXT-1")]);
  desk.world.states["EXT-1"] = "IN_PROGRESS";
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const { screen } = await open(desk, clock, { places: account("EXT-1"), cols: 150, rows: 30 });
  await screen.waitFor("IN_PROGRESS for at least");
  await screen.press("w").until("Watching EXT-1");
  await screen.press("W").until(/^1 of 1$/m);
  await screen.press("z").until("checking paused");
  const asked = desk.world.asked.length;
  await pass(clock, screen, /│ Watched since +2026-01-15|│ Watched since +\d\d:\d\d/, 100);
  expect(screen.text()).toMatch(/│ EXT-1 +ACME/);
  expect(screen.text()).toMatch(/│ ● IN_PROGRESS for at least/);
  expect(desk.world.asked).toHaveLength(asked);
});

test("a terminal without the room for a preview asks for no status", async () => {
  const desk = await serviceOf([row("EXT-1")]);
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const opened = await open(desk, clock, { cols: 139, rows: 20 });
  await opened.screen.waitFor(/1 of 1 .*loaded just now/);
  await clock.advance(5_000);
  expect(opened.screen.text()).not.toContain("│");
  expect(desk.world.asked).toEqual([]);
});

test("an account in progress is judged by how long others took, once twenty of them were seen", async () => {
  const desk = await serviceOf([]);
  desk.world.states["EXT-1"] = "IN_PROGRESS";
  const clock = fakeClock("2026-01-15T09:00:00Z");
  const stored = await openObservations({
    folder: desk.folders.state,
    origin: desk.service.baseUrl,
    clock,
    recording: true,
  });
  for (let at = 0; at < 20; at++) {
    const minutes = at < 2 ? 3 : at < 12 ? 4 : 40;
    const subject = { kind: "account", supplier: "ACME", number: `E-${at}` } as const;
    stored.saw(subject, "UNKNOWN", clock.now() - hour);
    stored.saw(subject, "IN_PROGRESS", clock.now() - hour + 1);
    stored.saw(subject, "COMPLETED", clock.now() - hour + 1 + minutes * 60_000);
  }
  await stored.close();
  const opened = await open(desk, clock, { places: account("EXT-1") });
  await opened.screen.waitFor("as usual (others of ACME take 4 min)");
});

test("an account's screen shows what was observed of it on another day", async () => {
  const desk = await serviceOf([row("EXT-1")]);
  desk.world.states["EXT-1"] = "UNKNOWN";
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first, { places: account("EXT-1") });
    await opened.screen.waitFor("UNKNOWN for at least");
    desk.world.states["EXT-1"] = "IN_PROGRESS";
    await pass(first, opened.screen, /IN_PROGRESS for/);
  }
  const later = fakeClock(first.now() + 9 * day + 2 * hour);
  const { screen } = await open(desk, later, { places: account("EXT-1") });
  const text = await screen.waitFor(/IN_PROGRESS for 9 d 2 h, since 2026-01-15/);
  expect(text).toMatch(/2026-01-15 \d\d:\d\d +○ UNKNOWN/);
});

test("an account's screen opened by its number says how long it has been pending, at 60×15", async () => {
  const small = { cols: 60, rows: 15 };
  const desk = await serviceOf([row("EXT-1"), row("EXT-2")]);
  const first = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, first);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  }
  const later = fakeClock(first.now() + 9 * day + 2 * hour);
  {
    await using opened = await open(desk, later, { places: account("EXT-1"), ...small });
    const text = await opened.screen.waitFor("UNKNOWN, pending for at least 9 d 2 h");
    expect(text).toMatch(/Listed +pending since 2026-01-15 \d\d:\d\d or\s+earlier/);
  }
  desk.world.rows = [row("EXT-2")];
  {
    await using opened = await open(desk, later);
    await opened.screen.waitFor("Gone 1");
  }
  const opened = await open(desk, later, { places: account("EXT-1"), ...small });
  await opened.screen.waitFor(/Listed +gone since 2026-01-24 \d\d:\d\d/);
});

test("an account that was seen completed is asked for once when it is opened again", async () => {
  const desk = await serviceOf([row("EXT-1")]);
  desk.world.states["EXT-1"] = "COMPLETED";
  const first = fakeClock("2026-01-15T09:00:00Z");
  const before = await openObservations({
    folder: desk.folders.state,
    origin: desk.service.baseUrl,
    clock: first,
    recording: true,
  });
  before.saw({ kind: "account", supplier: "ACME", number: "EXT-1" }, "COMPLETED", first.now());
  await before.close();
  const held = Promise.withResolvers<void>();
  desk.world.hold = held.promise;
  const { screen } = await open(desk, fakeClock(first.now() + day), { cols: 80, rows: 24 });
  // With a token, the check is sent at once.
  await screen.waitFor("EXT-1");
  screen.press("enter");
  // What was observed before is known while no response from the service yet.
  await screen.waitFor("COMPLETED");
  await eventually(() => expect(desk.world.asked).toHaveLength(1));
  held.resolve();
  await screen.waitFor("none yet");
  expect(desk.world.asked).toHaveLength(1);
});

/** A terminal that shows what is copied. */
const copying = { cols: 100, env: { TERM: "xterm-256color" } };

test("a gone account begins with it on its screen, in its hand-over line and on Watch", async () => {
  const desk = await serviceOf([row("EXT-1"), row("EXT-2")]);
  const clock = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, clock);
    await opened.screen.waitFor(/EXT-1 +○ pending[^\n]* just seen/);
  }
  desk.world.rows = [row("EXT-2")];
  const later = fakeClock(clock.now() + 2 * hour);
  {
    await using opened = await open(desk, later);
    await opened.screen.waitFor("Gone 1");
  }
  const opened = await open(desk, later, { ...copying, places: account("EXT-1") });
  const { screen } = opened;
  const text = await screen.waitFor(/✗ gone since [\d:]+, UNKNOWN/);
  expect(text).not.toMatch(/○ UNKNOWN, pending/);
  await screen.press("Y").until("Hand-over line: sent to the terminal");
  expect(opened.copied()).toMatch(
    /^ACME EXT-1: gone since 2026-01-15T11:\S+Z or earlier, UNKNOWN, it was pending since 2026-01-15T09:\S+Z or earlier;/,
  );
  await screen.press("w").until("Watching EXT-1");
  await screen.press("W").until(/EXT-1 +✗ gone, UNKNOWN/);
});

test("an account that is opened directly shows at once what stored lists have of it", async () => {
  const desk = await serviceOf([row("EXT-1", "A-1"), row("EXT-2")]);
  const clock = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, clock);
    await opened.screen.waitFor(/EXT-2 +○ pending[^\n]* just seen/);
  }
  // The service does not answer.
  desk.world.hold = new Promise(() => {});
  const later = fakeClock(clock.now() + 3 * hour);
  for (const [number, line] of [
    ["EXT-1", /✓ imported, created 5 d 3 h ago, when last listed, 3 h ago/],
    ["EXT-2", /○ pending when last listed, 3 h ago; then for at least/],
  ] as const) {
    await using opened = await open(desk, later, { places: account(number), cols: 100 });
    await opened.screen.waitFor(line);
  }
});

test("while the service is away the age of a state does not grow, and the hand-over line says so", async () => {
  const desk = await serviceOf([row("EXT-1")]);
  desk.world.states["EXT-1"] = "IN_PROGRESS";
  const clock = fakeClock("2026-01-15T09:00:00Z");
  {
    await using opened = await open(desk, clock, { places: account("EXT-1") });
    await opened.screen.waitFor("IN_PROGRESS for at least");
  }
  desk.world.states["EXT-1"] = "";
  desk.world.hold = new Promise(() => {});
  const later = fakeClock(clock.now() + 3 * hour);
  const opened = await open(desk, later, { ...copying, places: account("EXT-1") });
  await opened.screen.waitFor(
    "● IN_PROGRESS when last checked, 3 h ago; then for at least a few seconds",
  );
  await opened.screen.press("Y").until("Hand-over line: sent to the terminal");
  expect(opened.copied()).toMatch(
    /^ACME EXT-1: IN_PROGRESS when last checked at 2026-01-15T09:\S+Z, since 2026-01-15T09:\S+Z or earlier;/,
  );
});
