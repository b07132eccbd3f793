import type { Place } from "../../src/session/places.ts";
import type { Screen } from "../helpers/screen.tsx";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;

beforeAll(async () => {
  service = await openSandbox({ accounts: 60 });
});

type Way = (screen: Screen) => Promise<void>;

const palette =
  (text: string): Way =>
  async (screen) => {
    await screen.openPalette(text).until(`: ${text}`);
    screen.press("enter");
  };

const paste =
  (text: string): Way =>
  async (screen) => {
    await screen.paste(text).until(`: ${text}`);
    screen.press("enter");
  };

const pasteSeveral: Way = async (screen) => {
  await screen.paste("ACME/EXT-0000001\nACME/EXT-0000002\n").until("Open the first one");
  screen.press("down", "enter");
};

const pressed =
  (key: "A" | "W" | "L" | "P" | "enter", seen?: string | RegExp): Way =>
  async (screen) => {
    if (seen !== undefined) await screen.waitFor(seen);
    screen.press(key);
  };

const typedNumber: Way = async (screen) => {
  await screen.press("o").until("accept");
  await screen.send("EXT-0000001").until("EXT-0000001");
  screen.press("enter");
};

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier: "ACME" };
const accounts: Place = { kind: "accounts", supplier: "ACME", tab: "all" };
const account: Place = { kind: "account", supplier: "ACME", account: "EXT-0000003" };
const everything: Place = { kind: "activity", supplier: null, account: null };

/** A trail of a screen, as its first line begins. */
const trails = {
  suppliers: "Suppliers",
  overview: "Suppliers › ACME",
  accounts: "Suppliers › ACME › Accounts",
  first: "Suppliers › ACME › Accounts › EXT-0000001",
  third: "Suppliers › ACME › Accounts › EXT-0000003",
} as const;

/** The place where it is opened, the way, the place that it leads to, the words at Esc, and where Esc leads. */
const ways: readonly (readonly [
  name: string,
  from: readonly Place[],
  way: Way,
  to: string,
  esc: string,
  back: string,
])[] = [
  [
    "an account typed on Suppliers",
    [suppliers],
    palette("ACME/EXT-0000001"),
    trails.first,
    "Esc to Suppliers",
    trails.suppliers,
  ],
  [
    "an account pasted on Suppliers",
    [suppliers],
    paste("ACME/EXT-0000001"),
    trails.first,
    "Esc to Suppliers",
    trails.suppliers,
  ],
  [
    "the first of several pasted on Suppliers",
    [suppliers],
    pasteSeveral,
    trails.first,
    "Esc to Suppliers",
    trails.suppliers,
  ],
  [
    "an account pasted on Watch",
    [suppliers, { kind: "watch" }],
    paste("ACME/EXT-0000001"),
    trails.first,
    "Esc to Watch",
    "Watch",
  ],
  [
    "a supplier typed on Activity",
    [suppliers, everything],
    palette("supplier ACME"),
    trails.overview,
    "Esc to Activity",
    "Activity",
  ],
  [
    "a list typed on Runs",
    [suppliers, overview, { kind: "runs" }],
    palette("cohorts"),
    "Suppliers › Cohorts",
    "Esc to Runs",
    "Runs",
  ],
  [
    "Suppliers typed on an account",
    [suppliers, overview, accounts, account],
    palette("suppliers"),
    trails.suppliers,
    "Esc to EXT-0000003",
    trails.third,
  ],
  [
    "an account opened in its list",
    [suppliers, overview, accounts],
    pressed("enter", "1 of 60"),
    trails.first,
    "Esc back",
    trails.accounts,
  ],
  [
    "an account asked for on the overview",
    [suppliers, overview],
    typedNumber,
    trails.first,
    "Esc to ACME",
    trails.overview,
  ],
  [
    "the entries of an account",
    [suppliers, overview, accounts, account],
    pressed("A"),
    "Activity › ACME › EXT-0000003",
    "Esc to EXT-0000003",
    trails.third,
  ],
  [
    "the overview below Suppliers",
    [suppliers, overview],
    palette("accounts"),
    trails.accounts,
    "Esc back",
    trails.overview,
  ],
  [
    "Notices typed on an account",
    [suppliers, account],
    palette("notices"),
    "Notices",
    "Esc to EXT-0000003",
    trails.third,
  ],
];

test.each(ways)("%s: Esc leads to where it was opened", async (_, from, way, to, esc, back) => {
  const { screen } = await openConsoleAt({ service, places: from });
  const trail = (wanted: string) =>
    screen.waitFor((text) => (text.split(/ {2,}|\n/)[0] ?? "").trim() === wanted, {
      describe: `at ${wanted}`,
    });
  await screen.waitFor("q quit");
  await way(screen);
  await trail(to);
  await screen.waitFor(esc);
  screen.press("esc");
  await trail(back);
  if (esc !== "Esc back") await screen.waitForGone(esc);
});
