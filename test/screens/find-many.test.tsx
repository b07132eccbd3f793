import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { fakeClock, passing } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openService, reply } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

const lists: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  ACME: { "EXT-1001": "A-1", "EXT-1002": null, "EXT-2003": null, "EXT-STUCK": null },
  NORTH: { "NO-0000941": "N-1", "NO-0000942": null },
};
const statuses: Readonly<Record<string, string>> = { "ACME/EXT-7777": "IN_PROGRESS" };
const boardLoaded = /1 of 2 +checked/;

/** A console whose board has loaded both lists. With a broken one, the test moves the clock. */
async function open({
  cols = 100,
  rows = 24,
  broken = [],
}: {
  cols?: number;
  rows?: number;
  broken?: readonly string[];
} = {}) {
  const service = await openService((request, response) => {
    const [, kind = "", supplier = "", number = ""] =
      /data-import\/([^/]+)\/([^/]+)\/(?:([^/]+)\/)?$/.exec(decodeURIComponent(request.path)) ?? [];
    if (broken.includes(supplier)) return reply(response, 500, { detail: "Broken." });
    if (kind === "account-transfer-status") {
      const status = statuses[`${supplier}/${number}`];
      if (status === undefined) return reply(response, 404, { detail: "No." });
      return reply(response, 200, { status, service_account_number: "" });
    }
    const items = Object.entries(lists[supplier] ?? {}).map(([external, number]) => ({
      external_account_number: external,
      service_account_number: number,
      account_created_at: number === null ? null : "2026-01-14T10:00:00Z",
    }));
    return reply(response, 200, items);
  });
  const folders = await openFolders();
  openSettings({ configDir: folders.config }).add(
    profileFrom({
      name: "p",
      baseUrl: service.baseUrl,
      environment: "test",
      suppliers: Object.keys(lists),
    }),
  );
  const clock = fakeClock(Date.now());
  const opened = await openConsoleAt({
    folders,
    profile: "p",
    places: [{ kind: "suppliers" }],
    cols,
    rows,
    ...(broken.length === 0 ? {} : { clock }),
    service: { baseUrl: service.baseUrl, apiKey: "key-1" },
  });
  const lookUps = () =>
    service.asked().filter((path) => path.includes("/account-transfer-status/"));
  return { screen: opened.screen, lookUps, clock };
}

const importedAtTime = /EXT-1001 +ACME +✓ imported +2026-01-14 \d\d:00/;

const message = "Hi! “EXT-1001”, `EXT-1002` and NO-0000941 wait since 03:12, see EXT-9999 too.";

test.each([
  [80, 24],
  [60, 15],
  [200, 50],
])("a pasted message lists its numbers at every supplier, at %i×%i", async (cols, rows) => {
  const { screen, lookUps } = await open({ cols, rows });
  await screen.waitFor(boardLoaded);
  await screen.paste(message).until("4 pasted numbers: 2 at ACME, 1 at NORTH, 1 nowhere");
  await screen.waitFor(cols === 60 ? /EXT-1001 +ACME +✓ imported/ : importedAtTime);
  await screen.waitFor(/NO-0000941 +NORTH +✓ imported/);
  await screen.waitFor(/EXT-9999 +– +nowhere/);
  expect(lookUps()).toEqual([]);
  await screen.press("enter").until("› EXT-1001");
  await screen.press("esc").until("4 pasted numbers");
});

test("the service is asked for the numbers on no list only, and only with the key", async () => {
  const { screen, lookUps } = await open();
  await screen.waitFor(boardLoaded);
  await screen
    .paste("EXT-1001 EXT-7777\nEXT-9999")
    .until("asks ACME and NORTH for the 2 numbers on no list.");
  await screen.act("review").until(/EXT-7777 +ACME +● IN_PROGRESS/);
  await screen.waitFor(/EXT-9999 +– +not found: 404 at 2/);
  expect(lookUps().map((path) => path.split("/").slice(-3, -1).join("/"))).toEqual([
    "ACME/EXT-7777",
    "NORTH/EXT-7777",
    "ACME/EXT-9999",
    "NORTH/EXT-9999",
  ]);
});

test("a number that is nowhere has the similar one beside it", async () => {
  const { screen } = await open({ cols: 140 });
  await screen.waitFor(boardLoaded);
  await screen
    .paste("EXT-1001, EXT-STUKC1, NO-0000491")
    .until(/NO-0000491 +– +nowhere; similar NO-0000941/);
});

test.each(["ACME/EXT-1001\nNORTH/NO-0000941", "ACME EXT-1001\nNORTH\tNO-0000941"])(
  "lines that name a supplier of the profile are searched at once: %j",
  async (lines) => {
    const { screen } = await open();
    await screen.waitFor(boardLoaded);
    await screen.paste(lines).until("2 pasted numbers: 1 at ACME, 1 at NORTH");
  },
);

test("lines of a supplier outside the profile can be watched, opened or searched", async () => {
  const { screen } = await open();
  await screen.waitFor(boardLoaded);
  await screen.paste("ACME/EXT-1001\nOTHER/EXT-9").until("2 lines pasted");
  await screen.waitFor("Watch them all");
});

test("a supplier that could not be searched is named with the reason", async () => {
  const { screen, clock } = await open({ broken: ["NORTH"] });
  await passing(clock, screen.waitFor(/1 of 2 +checked/));
  await screen.paste("EXT-1001 and EXT-9999").until("1 at ACME, 1 nowhere");
  await passing(clock, screen.act("review").until(/EXT-9999 +– +nowhere; 1 without answer/));
  await screen.waitFor(/Searching NORTH: .*500/);
});

test("while no list was searched, a number is not known, and not nowhere", async () => {
  const { screen, clock } = await open({ broken: ["ACME", "NORTH"] });
  await passing(clock, screen.waitFor(/ACME.*HTTP 500[\s\S]*NORTH.*HTTP 500/));
  await screen.paste("EXT-1001 and EXT-9999").until("2 not known: no list searched yet");
  expect(screen.text()).not.toContain("nowhere");
});

test("a text without a number is shown, with numbers that would count", async () => {
  const { screen } = await open();
  await screen.waitFor(boardLoaded);
  await screen.paste("nothing to see\nhere").until("The pasted text has no account number.");
  await screen.waitFor(/Numbers like EXT-1001, NO-0000941 are what counts as a number/);
  await screen.waitFor("nothing to see here");
});

test("the numbers become a cohort, a comparison or watched accounts of one supplier", async () => {
  const { screen } = await open();
  await screen.waitFor(boardLoaded);
  await screen.paste(message).until(/NO-0000941 +NORTH/);
  await screen.press("O").until("Store a cohort of");
  await screen.press("enter").until("Store 3 numbers as a cohort of ACME");
  await screen.send("wave-9").until("wave-9");
  await screen.press("enter").until("The cohort wave-9 has 3 accounts");
  await screen.press("w").until("Watching EXT-1001");
  await screen.press(" ").until("1 marked");
  await screen.press("X").until(/Suppliers › ACME › Reconcile/);
  await screen.waitFor("1 pasted line");
});

test("a note is written for the account under the cursor", async () => {
  const { screen } = await open();
  await screen.waitFor(boardLoaded);
  await screen.paste(message).until(/EXT-1001 +ACME +✓ imported/);
  await screen.press("n").until("Notes for ACME/EXT-1001");
  await screen.waitFor("Body");
});

test("a note is written for the marked accounts of one supplier, without those on no list", async () => {
  const { screen } = await open();
  await screen.waitFor(boardLoaded);
  await screen.paste("EXT-1001, EXT-1002, NO-0000941 and EXT-7777").until("the number on no list.");
  await screen.act("review").until(/EXT-7777 +ACME +● IN_PROGRESS/);
  await screen.press("+").until("4 marked");
  await screen.press("B").until("The marked accounts are of ACME and NORTH");
  await screen.press("j").until(/^▌.*EXT-1002/m);
  await screen.press("j").until(/^▌.*NO-0000941/m);
  await screen.press(" ").until("3 marked");
  await screen.press("B").until("Compose for 3 marked accounts");
  await screen.press("enter").until("Notes for 2 marked accounts of ACME");
  await screen.waitFor("1 marked account on no list: left out.");
});
