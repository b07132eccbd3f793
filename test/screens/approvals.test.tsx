/** Two people for money in the console: a request from a review, its decision, and what is sent. */

import { created, type TwoPeople, twoPeople } from "../commands/two-people-world.ts";
import { fastClock } from "../helpers/clock.ts";
import { instruction } from "../helpers/desk.ts";
import { openFolders } from "../helpers/folders.ts";
import { pgliteDatabase } from "../writes/team/pglite.ts";
import { type OpenedConsoleOptions, openConsoleAt } from "./opened-console.tsx";
import { openReview, type ReviewingOptions } from "./reviewing.tsx";

const database = await pgliteDatabase();

const envOf = (person: string) => ({
  SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger",
  SUPPLYLINE_MACHINE: `laptop of ${person}`,
  SUPPLYLINE_PERSON: person,
});

const serviceOf = ({ server }: TwoPeople) => ({ baseUrl: server.baseUrl, apiKey: "k" });

/** The payments that reached the service. The sign-in is a POST, too. */
const sent = ({ server }: TwoPeople) =>
  server.writes().filter(({ path }) => path.includes("payment-instruction"));

const review = (team: TwoPeople, person: string, more: Partial<ReviewingOptions> = {}) =>
  openReview({
    service: serviceOf(team),
    kind: "payment-instructions",
    values: { vendor: "GOODPAY", reference: "R-1", type: "CARD" },
    loadLedger: team.driver(person),
    environment: "sandbox",
    env: envOf(person),
    ...more,
  });

const approvals = (team: TwoPeople, person: string, more: Partial<OpenedConsoleOptions> = {}) =>
  openConsoleAt({
    service: serviceOf(team),
    places: [{ kind: "suppliers" }],
    loadLedger: team.driver(person),
    environment: "sandbox",
    env: envOf(person),
    clock: fastClock(),
    ...more,
  });

test("a payment of a review waits, another console approves it, and the key sends it", async () => {
  const team = await twoPeople(database, [created("R-1")]);
  await using preparer = await review(team, "op1");
  await preparer.screen.waitFor("s send now");
  await preparer.screen.waitFor("without the approval of another person, s asks");
  await preparer.screen.press("s").until("Request a1 waits for a second person");
  expect(sent(team)).toEqual([]);
  {
    await using other = await approvals(team, "op2");
    const { screen } = other;
    await screen.waitFor("1 approval waits");
    const list = await screen.press("D").until("1 waits for you");
    expect(list).toMatch(/a1 +.*op1.* payments +1 +– +waits/);
    await screen.press("enter").until("EXT-0000001");
    await screen.press("a").until("Number of rows");
    await screen.send("2").until("Number of rows  2");
    await screen.press("enter").until("That is not 1");
    await screen.press("backspace").until(/Number of rows *\n/);
    await screen.send("1").until("Number of rows  1");
    await screen.press("enter").until("a1 is approved");
    await screen.waitForGone("approval waits");
  }
  await preparer.screen.press("u").until(/confirmed[^\n]* entry 1\b/);
  expect(sent(team)).toHaveLength(1);
});

test("your own request cannot be approved here, and a colleague refuses it with a reason", async () => {
  const team = await twoPeople(database, [created("R-1")]);
  await using folders = await openFolders();
  {
    await using preparer = await review(team, "op1", { folders });
    await preparer.screen.waitFor("s send now");
    await preparer.screen.press("s").until("Request a1 waits for a second person");
  }
  {
    await using own = await approvals(team, "op1", { folders });
    const list = await own.screen.press("D").until("1 of yours waits");
    expect(list).not.toContain("1 approval waits");
    await own.screen.press("a").until("another person approves");
  }
  await using other = await approvals(team, "op2");
  await other.screen.press("D").until("1 waits for you");
  await other.screen.press("c").until("Reason");
  await other.screen.send("the wrong account").until("the wrong account");
  await other.screen.press("enter").until("a1 is refused");
  expect(sent(team)).toEqual([]);
});

test("at 60x15 the list has the sum and the state, and a refused request its reason", async () => {
  const team = await twoPeople(database, []);
  const one = await team.desk("op1");
  const credits = [
    {
      ...{ transaction_id: "T-1", transaction_date: "2026-11-02", amount: -1204.1 },
      ...{ type: "CREDIT", reason: "IMPORTED_CREDIT" },
    },
  ];
  const input = await one.file("t.json", credits);
  await one.run(["transactions", "create", "ACME", "EXT-0000001", "--from", input, "--yes"]);
  await using other = await approvals(team, "op2", { cols: 60, rows: 15 });
  const { screen } = other;
  expect(await screen.press("D").until("1 waits for you")).toMatch(/a1 .* 1 +-1204\.1 +waits/);
  const reason = "the account moved to another vendor in October";
  await (await team.desk("op2")).run(["approvals", "refuse", "a1", "--reason", reason]);
  await screen.waitFor("refused");
  await screen.press("enter").until("moved to another vendor");
});

test("while the database is away nothing is decided, and the rows of a request are read when it is back", async () => {
  const team = await twoPeople(database, [created("R-1")]);
  await (await team.desk("op1")).run(instruction("GOODPAY", "--yes"));
  await using other = await approvals(team, "op2");
  const { screen } = other;
  await screen.press("D").until("1 waits for you");
  team.away = "all";
  await screen.press("a").until("Number of rows");
  await screen.send("1").until("Number of rows  1");
  await screen.press("enter").until("Nothing was decided.");
  await screen.press("enter").until("does not answer");
  expect(await screen.waitFor("team away")).not.toContain("EXT-0000001");
  team.away = null;
  await screen.waitFor("EXT-0000001");
});

test("without a team there is no key and no screen for approvals", async () => {
  const team = await twoPeople(database, []);
  await using alone = await approvals(team, "op1", { env: {} });
  await alone.screen.waitFor("Suppliers");
  await alone.screen.press("D").until(/D works on|does nothing/);
});
