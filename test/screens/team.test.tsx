/** The console of a machine with a team. */
import { profileFrom } from "../../src/settings/schemas.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { fastClock } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { type TeamDatabase, teamDatabase } from "../writes/team/team-database.ts";
import { openConsoleAt } from "./opened-console.tsx";
import { openReview, type ReviewingOptions } from "./reviewing.tsx";

let service: TestSandbox;
let database: TeamDatabase;
beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
  database = teamDatabase();
});

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

const envOf = (machine: string) => ({
  SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger",
  SUPPLYLINE_MACHINE: machine,
  SUPPLYLINE_PERSON: machine,
});

const review = (machine: string, more: Partial<ReviewingOptions> = {}) =>
  openReview({
    service,
    kind: "payment-instructions",
    values: { vendor: "GOODPAY", reference: "R-1", type: "CARD" },
    loadLedger: database.load,
    env: envOf(machine),
    ...more,
  });

test("a review names the colleague who sent the same, and a reason sends it again", async () => {
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
    await first.screen.waitFor(/Team +t1, published/);
    await expect
      .poll(async () => (await database.world.machine("reader")).ledger.since(null))
      .toMatchObject({ entries: [{ state: "confirmed" }] });
  }
  const { screen } = await review("op2");
  expect(await screen.waitFor("as t1 by op1 on op1")).toContain("asks for the reason");
  await screen.act("send").until(/Type\s+EXT-0000001 to continue/);
  await screen.send("EXT-0000001").until("Account number  EXT-0000001");
  await screen.press("enter").until("Reason");
  await screen.send("asked for it").until("Reason  asked for it");
  await screen.press("enter").until(/confirmed[^\n]* entry 1\b/);
  expect(landed()).toHaveLength(2);
});

test("a review sends nothing while the team's database is away, and says so", async () => {
  database.away = "team-unavailable";
  const opened = await review("op1");
  await opened.screen.waitFor("Nothing can be sent: The team's database db.example.com is away");
  await opened.screen.act("send").until("Nothing can be sent");
  expect(landed()).toEqual([]);
});

test("a payment that a colleague claims after the review opened is not sent, and names them", async () => {
  const folders = await openFolders();
  const late = await review("op2", { folders });
  await late.screen.waitFor("s send now");
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
  }
  const refused = await late.screen.act("send").until(/t1 by[\s│]+op1 on op1/);
  expect(refused).not.toContain("cannot take effect twice");
  await late.screen.press("u").until(/Type\s+EXT-0000001 to continue/);
  expect(landed()).toHaveLength(1);
});

test("activity lists a colleague's entry with their name, and says when the team is away", async () => {
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
  }
  const { screen } = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
    loadLedger: database.load,
    env: envOf("op2"),
    clock: fastClock(),
  });
  const shown = await screen.waitFor("t1 by op1 on op1");
  expect(shown).toMatch(/EXT-0000001[^\n]*confirmed[^\n]*op1/);
  expect(shown).not.toContain("in all");
  await screen.press("enter").until("attempts are on op1");
  database.away = "team-unavailable";
  await screen.waitFor("team away");
  database.away = null;
  await screen.waitForGone("team away");
});

test("an account lists what the team sent", async () => {
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
  }
  const opened = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }, { kind: "account", supplier: "ACME", account: "EXT-0000001" }],
    loadLedger: database.load,
    env: envOf("op2"),
  });
  const shown = await opened.screen.waitFor("by op1 on op1");
  expect(shown).toMatch(/Sent by the team +1 entry/);
});

test("the header counts the unknown entries of colleagues", async () => {
  service.setFaults(["reset-after@payment-instructionsx1"]);
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/unknown[^\n]* entry 1\b/);
  }
  const opened = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }],
    loadLedger: database.load,
    env: envOf("op2"),
    clock: fastClock(),
  });
  await opened.screen.waitFor("1 unknown (1 of colleagues)");
});

test("the board has the open work of colleagues by person, and its key opens Activity", async () => {
  service.setFaults(["reset-after@payment-instructionsx1"]);
  {
    await using first = await review("op1");
    await first.screen.waitFor("s send now");
    await first.screen.press("s").until(/unknown[^\n]* entry 1\b/);
  }
  const member = await database.world.machine("op3");
  const request = member.request([{ key: "k" }], { service: service.baseUrl });
  await member.claim(request);
  await member.publish(request, "unknown");
  await using folders = await openFolders();
  const settings = openSettings({ configDir: folders.config });
  const { SUPPLYLINE_TEAM: address } = envOf("op2");
  const kept = { name: "p", environment: "test", suppliers: ["ACME"], team: address } as const;
  settings.add(profileFrom({ ...kept, baseUrl: service.baseUrl }));
  settings.saveApiKey("p", service.apiKey);
  await using opened = await openConsoleAt({
    ...{ service, places: [{ kind: "suppliers" }], loadLedger: database.load, cols: 120 },
    ...{ env: envOf("op2"), clock: fastClock(), profile: "p", folders },
  });
  const people = /2 entries of colleagues unknown \([^\n]*op1[^\n]* 1, [^\n]*op3[^\n]* 1\) +A/;
  await opened.screen.waitFor(people);
  await opened.screen.press("A").until(/by op1 on op1|by [^\n]*op3/);
});

test("activity says that the sums of today are of this machine, where it has the entries of the team", async () => {
  {
    await using first = await review("op1");
    const sent = await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
    expect(sent).not.toContain("Today");
    await first.screen
      .press("A")
      .until("Today from this machine. Took effect: 1 payment instruction.");
  }
  await using alone = await openReview({
    service,
    kind: "payment-instructions",
    values: { vendor: "GOODPAY", reference: "R-2", type: "CARD" },
  });
  await alone.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
  await alone.screen.press("A").until("Today. Took effect: 1 payment instruction.");
});

test("the tab Mine has the entries of this machine, with a team only", async () => {
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/confirmed[^\n]* entry 1\b/);
  }
  const places = [
    { kind: "suppliers" },
    { kind: "activity", supplier: null, account: null, tab: "mine" },
  ] as const;
  await using opened = await openConsoleAt({
    service,
    places: [...places],
    loadLedger: database.load,
    env: envOf("op2"),
  });
  expect(await opened.screen.waitFor("[Mine]")).not.toContain("op1");
  await opened.screen.press("x").until("activity list --mine");
  await using alone = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
  });
  expect(await alone.screen.waitFor("This profile")).not.toContain("Mine");
});

test("a colleague's unknown entry opens with its facts and is closed there", async () => {
  service.setFaults(["reset-after@payment-instructionsx1"]);
  {
    await using first = await review("op1");
    await first.screen.sendReviewed().until(/unknown[^\n]* entry 1\b/);
  }
  await using opened = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }, { kind: "activity", supplier: null, account: null }],
    loadLedger: database.load,
    env: envOf("op2"),
    clock: fastClock(),
  });
  const { screen } = opened;
  await screen.waitFor("t1 by op1 on op1");
  await screen.press("enter").until("Entry t1 by op1 on op1");
  expect(await screen.waitFor("Attempts")).toContain("ACME/EXT-0000001");
  await screen.press("c").until("did it take effect?");
  await screen.press("enter").until("Reason");
  await screen.send("asked op1").until("asked op1");
  await screen.press("enter").until(/Closed by op2 on op2[^\n]*asked op1/);
  expect(await database.world.events()).toMatchObject([{ kind: "closed", reason: "asked op1" }]);
});

test("Runs shows the run of a colleague in one line with its progress", async () => {
  const member = await database.world.machine("op1");
  const request = member.request([{ key: "k" }], {
    ...{ run: "r1a2b3", runRequests: 40, service: service.baseUrl },
  });
  await member.claim(request);
  await member.publish(request, "unknown");
  await using opened = await openConsoleAt({
    service,
    places: [{ kind: "suppliers" }, { kind: "runs" }],
    loadLedger: database.load,
    env: envOf("op2"),
  });
  const line = /r1a2b3 +payment[^\n]* by op1[^\n]* on op1 +1 of 40 sent, 1 unknown/;
  await opened.screen.waitFor(line);
});
