import { fastClock } from "../helpers/clock.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";

let service: TestSandbox;
beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
});

/** Returns the effects of requests. */
const landed = () => service.ledger().filter(({ cause }) => cause === "request");

/** Types into the field that has the cursor, and waits until it is there. */
async function fill(terminal: Console, text: string): Promise<void> {
  await terminal.send(text).until(text);
}

/** Types into one field after another. */
async function fillAll(terminal: Console, ...texts: string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) terminal.press("tab");
    await fill(terminal, text);
  }
}

/** From anywhere in a form to its review. */
async function review(terminal: Console): Promise<string> {
  await terminal.press("page-down").until(/▌.*Review/);
  terminal.press("enter");
  return terminal.waitFor("Nothing has been sent");
}

async function leave(terminal: Console): Promise<void> {
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
}

test("a note is left on an imported account and shows there as sent", async () => {
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], { env: service.env });
  await terminal.waitFor("COMPLETED");
  await terminal.press("n").until("Notes for ACME/EXT-0000001");
  await fill(terminal, "Called back at nine");
  await review(terminal);
  await terminal.waitFor("s send now");
  terminal.press("enter", "enter");
  expect(landed()).toHaveLength(0);
  const result = await terminal.act("send").until(/confirmed[^\n]* entry 1\b/);
  expect(result).toContain("created  Called back at nine");
  expect(landed()).toMatchObject([
    { endpoint: "notes", identifier: "EXT-0000001", key: "Called back at nine" },
  ]);
  await terminal.press("enter").until("Sent from here");
  await leave(terminal);
});

test("a payment instruction is refused, corrected and accepted", async () => {
  const terminal = await openConsole(["open", "ACME", "EXT-0000001"], {
    env: service.env,
    rows: 40,
  });
  await terminal.waitFor("COMPLETED");
  await terminal.press("p").until("Payment instruction for ACME/EXT-0000001");
  await fillAll(terminal, "REFUSEPAY", "R-77");
  await terminal.press("tab", "space").until("CARD");
  await review(terminal);
  await terminal.act("send").until(/rejected[^\n]* entry 1, 400/);
  await terminal.press("enter").until("Payment instruction for ACME/EXT-0000001");
  await terminal.waitFor("The vendor cannot be reached for good.");
  await terminal.press("ctrl-u").untilGone("REFUSEPAY");
  await fill(terminal, "GOODPAY");
  await review(terminal);
  // However narrow the window, it says whom the money is for.
  const whom = /1 payment instruction, \S+, for EXT-0000001 of ACME/;
  terminal.resize(60, 15);
  await terminal.waitFor(whom);
  await terminal.act("send").until(/confirmed[^\n]* entry 2\b/);
  expect(terminal.text()).toMatch(whom);
  expect(landed()).toMatchObject([{ endpoint: "payment-instructions", key: "GOODPAY/R-77" }]);
  await terminal.press("enter").until("Observed");
  await leave(terminal);
});

test("a staged account says why it takes no note, and lets one be composed all the same", async () => {
  const terminal = await openConsole(["open", "ACME", "EXT-0000004"], { env: service.env });
  await terminal.waitFor("UNKNOWN");
  await terminal
    .press("n")
    .until("EXT-0000004 is staged, not imported: the service would answer 404.");
  terminal.press("down");
  await terminal.press("enter").until("Notes for ACME/EXT-0000004");
  await fill(terminal, "Too early");
  await review(terminal);
  const result = await terminal.act("send").until(/rejected[^\n]* entry 1, 404/);
  expect(result).toMatch(/staged and not\s+imported yet/);
  expect(landed()).toHaveLength(0);
  await terminal.press("esc").until("Notes for ACME/EXT-0000004");
});

test("a supply point fails validation, is fixed, created and followed to PROCESSED", async () => {
  const terminal = await openConsole(["open", "ACME"], {
    env: service.env,
    cols: 120,
    rows: 50,
    clock: fastClock(),
  });
  await terminal.waitFor("of 120 imported");
  await terminal.press("S").until("Supply point for ACME");
  await fill(terminal, "SP-FLOW");
  await terminal.press("tab", "space").until("ELECTRICITY_DISTRIBUTION");
  await terminal.press("tab", "tab", "tab", "tab", "space").until("DOMESTIC_THIRD_PARTY_BILLED");
  terminal.press("tab");
  await fill(terminal, "2026-01-01");
  terminal.press("tab", "tab", "tab");
  await fillAll(terminal, "Augusta", "Byron", "ada@example.org");
  terminal.press("tab", "tab");
  await fill(terminal, "no number at all");
  await review(terminal);
  await terminal.press("V").until("validation rejected it (400)");
  expect(landed()).toHaveLength(0);
  await terminal.press("enter").until("Supply point for ACME");
  await terminal.press("ctrl-u").untilGone("no number at all");
  await fill(terminal, "+61255501234");
  await review(terminal);
  await terminal.act("send").until("Validated; nothing is created yet");
  expect(landed()).toHaveLength(0);
  await terminal.act("send").until("Observed");
  await terminal.waitFor("PROCESSED");
  expect(landed()).toMatchObject([{ endpoint: "supply-points-create", identifier: "SP-FLOW" }]);
  await leave(terminal);
});

test("rows of a list take a note where they are imported, and say why where they are not", async () => {
  const terminal = await openConsole(["open", "ACME"], { env: service.env });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("n").until("Notes for ACME/");
  await terminal.press("esc").until("[All");
  await terminal.press("tab").until(/\[Pending/);
  await terminal.waitFor("EXT-0000004");
  await terminal.press("b").until("listed as pending, not imported");
  await terminal.press("enter").until(/\[Pending/);
});
