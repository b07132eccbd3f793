import { systemClock } from "../../src/api/clock.ts";
import type { Place } from "../../src/session/places.ts";
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

/** A supplier: its list by number (null: pending) or an error status, and its answers to 4.8. */
interface Supplied {
  readonly list: Readonly<Record<string, string | null>> | number;
  readonly statuses?: Readonly<Record<string, string | number>>;
  /** Its list is not answered before. */
  readonly after?: Promise<void>;
}

const suppliers: Place = { kind: "suppliers" };

/** A console on a profile with these suppliers. */
async function openWith(
  world: Readonly<Record<string, Supplied>>,
  {
    places = [suppliers],
    cols = 80,
    rows = 24,
    seen = [],
  }: {
    places?: readonly Place[];
    cols?: number;
    rows?: number;
    /** The checks of an earlier session. */
    seen?: readonly (readonly [supplier: string, number: string, state: string])[];
  } = {},
) {
  const service = await openService(async (request, response) => {
    const [, kind = "", supplier = "", number = ""] =
      /data-import\/([^/]+)\/([^/]+)\/(?:([^/]+)\/)?$/.exec(decodeURIComponent(request.path)) ?? [];
    const { list = 404, statuses = {}, after } = world[supplier] ?? {};
    if (kind === "account-transfer-status") {
      const status = statuses[number] ?? 404;
      if (typeof status === "number") return reply(response, status, { detail: "No." });
      return reply(response, 200, { status, service_account_number: "" });
    }
    await after;
    if (typeof list === "number") return reply(response, list, { detail: "No." });
    const items = Object.entries(list).map(([external, service]) => ({
      external_account_number: external,
      service_account_number: service,
      account_created_at: service === null ? null : "2026-01-14T10:00:00Z",
    }));
    return reply(response, 200, items);
  });
  const folders = await openFolders();
  openSettings({ configDir: folders.config }).add(
    profileFrom({
      name: "p",
      baseUrl: service.baseUrl,
      environment: "test",
      suppliers: Object.keys(world),
    }),
  );
  if (seen.length > 0) {
    const observations = await openObservations({
      folder: folders.state,
      origin: service.baseUrl,
      clock: systemClock,
      recording: true,
    });
    for (const [supplier, number, state] of seen)
      observations.saw({ kind: "account", supplier, number }, state, systemClock.now());
    await observations.close();
  }
  const opened = await openConsoleAt({
    folders,
    profile: "p",
    places,
    cols,
    rows,
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
  });
  const lookUps = () =>
    service.asked().filter((path) => path.includes("/account-transfer-status/"));
  return { screen: opened.screen, lookUps };
}

const three = {
  ACME: { list: { "EXT-1": "A-1", "EXT-2": null } },
  NORTH: { list: { "NORTH-0941": null, "NORTH-7": "N-7" } },
  DONE: { list: { "DONE-1": "D-1" }, statuses: { "LOST-1": "IN_PROGRESS" } },
} as const;

/** The board has loaded, and with it observed, every list. */
const boardLoaded = /1 of 3 +checked/;

test("a pasted number is opened at the supplier that lists it, not at the first", async () => {
  const { screen } = await openWith(three);
  await screen.waitFor(boardLoaded);
  await screen.paste("NORTH-7").until(/NORTH\/NORTH-7 +imported/);
  await screen.press("enter").until(/Suppliers › NORTH › Accounts › NORTH-7/);
  await screen.press("esc").until(boardLoaded);
});

test.each([
  [80, 24],
  [60, 15],
  [200, 50],
])("Find lists where a fragment is, and what was searched, at %i×%i", async (cols, rows) => {
  const { screen, lookUps } = await openWith(three, { cols, rows });
  await screen.waitFor(boardLoaded);
  await screen.send(":-1").until(/find -1 +every supplier: 2 numbers contain it/);
  await screen.press("enter").until("2 numbers contain -1.");
  await screen.waitFor(/ACME +EXT-1 +✓ imported/);
  await screen.waitFor(/DONE +DONE-1 +✓ imported/);
  await screen.waitFor(/NORTH +– /);
  // The line of the account under the cursor has what the cells have no room for.
  await screen.waitFor(/✓ imported, created [^(]* ago \(stored list of \d/);
  expect(lookUps()).toEqual([]);
  await screen.press("enter").until(/ACME › Accounts › EXT-1/);
  await screen.press("esc").until("2 numbers contain -1.");
});

test("the service is asked for a number only with the key, where no list has it", async () => {
  const { screen, lookUps } = await openWith(three, {
    places: [suppliers, { kind: "find", text: "LOST-1" }],
  });
  await screen.waitFor(/LOST-1 is not known: ACME, NORTH and DONE have not been asked/);
  expect(lookUps()).toEqual([]);
  await screen.act("review").until("Asked at 3 suppliers: 404 at 2, IN_PROGRESS at DONE.");
  await screen.waitFor(/DONE +LOST-1 +● IN_PROGRESS/);
  await screen.waitFor("LOST-1 is at DONE.");
  expect(lookUps()).toHaveLength(3);
});

test("a number is not found only when every supplier answered", async () => {
  const down = { ACME: three.ACME, DOWN: { list: 403, statuses: { "X-9": 403 } } };
  const { screen } = await openWith(down, { places: [suppliers, { kind: "find", text: "X-9" }] });
  await screen.waitFor("have not been asked");
  await screen.act("review").until("X-9 is not known: DOWN has not answered.");
  await screen.waitFor(/DOWN +– .*did not answer/);
});

test("an account that is not found names the supplier that lists it, and Enter opens it there", async () => {
  const { screen } = await openWith(three);
  await screen.waitFor(boardLoaded);
  await screen.send(":ACME/NORTH-7").until("account, listed or not");
  await screen.press("enter").until("NOT FOUND");
  await screen.waitFor(/Elsewhere +NORTH lists NORTH-7; Enter opens it/);
  await screen.press("enter").until(/Suppliers › .*NORTH › Accounts › NORTH-7/);
});

test("an account that is not found offers the search where nothing is known", async () => {
  const { screen } = await openWith(three, {
    places: [suppliers, { kind: "account", supplier: "ACME", account: "LOST-1" }],
  });
  await screen.waitFor(/on no list that is known here, and NORTH and DONE not asked/);
  screen.press("enter");
  // ACME has just answered 404.
  await screen.waitFor(/LOST-1 is not known: NORTH and DONE have not been asked/);
  await screen.waitFor("asks NORTH and DONE for exactly this number.");
  await screen.waitFor(/ACME +– +404 +.*asked just now/);
});

test("the palette has the state of the last check, as Find has, and says that it was checked", async () => {
  const { screen } = await openWith(three, {
    cols: 100,
    seen: [
      ["ACME", "EXT-2", "IN_PROGRESS"],
      ["NORTH", "NORTH-0941", "IN_PROGRESS"],
      ["NORTH", "NORTH-0941", "UNKNOWN"],
    ],
  });
  await screen.waitFor(boardLoaded);
  await screen.paste("EXT-2").until(/ACME\/EXT-2 +IN_PROGRESS .*, checked /);
  await screen.press("esc").until(boardLoaded);
  await screen.paste("0941").until(/NORTH\/NORTH-0941 +UNKNOWN \(failed\) .*, checked /);
  await screen.press("esc").until(boardLoaded);
  await screen.send(":find EXT-2").until("every supplier of this profile");
  await screen.press("enter").until(/ACME +EXT-2 +● IN_PROGRESS/);
  await screen.waitFor(/● IN_PROGRESS .*\(checked /);
});

test("a note is written for a found account, or for the marked ones of one supplier", async () => {
  const { screen } = await openWith(three);
  await screen.waitFor(boardLoaded);
  await screen.send(":-1").until("every supplier: 2 numbers contain it");
  await screen.press("enter").until(/^▌ +ACME +EXT-1/m);
  await screen.press("B").until("Mark accounts first");
  await screen.press("n").until("Notes for ACME/EXT-1");
  await screen.press("esc").until(/^▌ +ACME +EXT-1/m);
  // A mark moves the cursor to the next row.
  await screen.press(" ").until(/^▌ +DONE +DONE-1/m);
  await screen.press(" ").until("2 marked");
  await screen.press("B").until("The marked accounts are of ACME and DONE");
  await screen.press("k").until(/^▌\* +DONE +DONE-1/m);
  await screen.press(" ").until("1 marked");
  await screen.press("B").until("Compose for 1 marked account");
  await screen.press("enter").until("Notes for 1 marked account of ACME");
});

test("a similar number is named, and never opened by the Enter that follows a paste", async () => {
  const { screen } = await openWith(three);
  await screen.waitFor(boardLoaded);
  await screen.paste("ext-1x").until(/▌? *find ext-1x +every supplier of this profile/);
  await screen.press("enter").until("ext-1x is not known");
});

test("a place that is pasted as the palette takes it, with its colon, opens", async () => {
  const { screen } = await openWith(three);
  await screen.waitFor(boardLoaded);
  await screen.paste(":NORTH/NORTH-7").until(/NORTH\/NORTH-7 +account, listed or not/);
  await screen.press("enter").until(/Suppliers › NORTH › Accounts › NORTH-7/);
  await screen.send("::ACME/EXT-1").until(/ACME\/EXT-1 +account, listed or not/);
});

test("the open palette finds a number in a list that was still loading", async () => {
  const arrived = Promise.withResolvers<void>();
  const { screen } = await openWith({
    ...three,
    NORTH: { ...three.NORTH, after: arrived.promise },
  });
  await screen.waitFor("loading NORTH…");
  await screen.paste("NORTH-7").until(/▌? *find NORTH-7/);
  arrived.resolve();
  await screen.waitFor(/▌? *NORTH\/NORTH-7 +imported/);
});
