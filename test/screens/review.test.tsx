import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/api/clock.ts";
import { journalFile } from "../../src/writes/journal/journal-file.ts";
import { sentBefore } from "../flows/sent-before.ts";
import { clockOf, fakeClock, passing } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { request } from "../writes/writing.ts";
import { openForm, openReview } from "./reviewing.tsx";

let service: TestSandbox;
beforeEach(async () => {
  service = await openSandbox({ speed: 20 });
});

const landed = () => service.ledger().filter(({ cause }) => cause === "request");

const instruction = (vendor: string) => ({ vendor, reference: "R-1", type: "CARD" });

const paid = {
  import_supplier: "ACME",
  external_account_number: "EXT-0000001",
  ...instruction("GOODPAY"),
};

test("a note is reviewed, sent with s alone, and confirmed item by item", async () => {
  const { screen, drafts, draft } = await openReview({
    service,
    kind: "notes",
    values: { notes: [{ body: "Left by the console" }] },
  });
  const shown = await screen.waitFor("s send now");
  expect(shown).toContain(`POST ${service.baseUrl}/v1/data-import/notes/create/`);
  expect(shown).toContain('"body": "Left by the console"');
  expect(shown).toMatch(/If sent twice +safe: the service adds the same note once/);
  expect(shown).toMatch(/On failure +retried up to 3 times; then unknown, and verify finds out/);
  expect(shown).not.toContain("adds the same body once");
  await screen.press("H").until("adds the same body once");
  await screen.press("H").untilGone("adds the same body once");
  screen.press("enter");
  const commands = await screen.press("x").until("curl -sS -X POST");
  expect(commands).toContain("supplyline notes create ACME EXT-0000001 --from -");
  expect(commands).toContain("Token $SUPPLYLINE_TOKEN");
  await screen.press("esc").untilGone("curl -sS");
  expect(landed()).toHaveLength(0);
  const result = await screen.press("s").until(/confirmed[^\n]* entry 1\b/);
  expect(result).toContain("1  ✓ created  Left by the console");
  expect(landed().map(({ key }) => key)).toEqual(["Left by the console"]);
  expect(drafts.find(draft)).toBeNull();
  await screen.press("enter").until("Observed");
});

test("a note that exists already says how the same text is added again", async () => {
  const folders = await openFolders();
  for (const expected of ["1  ✓ created  Twice", "1  ✓ already exists  Twice"]) {
    await using review = await openReview({
      service,
      folders,
      kind: "notes",
      values: { notes: [{ body: "Twice" }] },
    });
    const result = await review.screen.sendReviewed().until(expected);
    expect(result.includes("give the note a created_at")).toBe(expected.includes("exists"));
  }
  expect(landed()).toHaveLength(1);
});

test("a refused payment instruction marks its field, and the same form takes a reason", async () => {
  const folders = await openFolders();
  const open = () =>
    openReview({
      service,
      folders,
      kind: "payment-instructions",
      values: instruction("REFUSEPAY"),
    });
  {
    await using review = await open();
    const { screen, drafts, draft } = review;
    const result = await screen.sendReviewed().until(/rejected[^\n]* entry 1, 400/);
    expect(result).toContain("Vendor: The vendor cannot be reached for good.");
    expect(result).toContain("nothing of it took effect");
    expect(drafts.find(draft)?.refusals.map(({ path }) => path)).toContainEqual(["vendor"]);
    await screen.press("tab", "tab").until('"vendor_unavailable"');
  }
  const { screen } = await open();
  await screen.waitFor("rejected this same form before (entry 1)");
  await screen.act("send").until(/Type\s+EXT-0000001 to continue/);
  await screen.send("the outage is over").until("Account number  the outage is over");
  await screen.press("enter").until("That is not EXT-0000001; nothing was sent");
  await screen.press("ctrl-u").untilGone("outage is over");
  await screen.send("EXT-0000001").until("Account number  EXT-0000001");
  await screen.press("enter").until("Reason");
  await screen.press("enter").until("Type a reason. Nothing was sent");
  await screen.send("the outage is over").until("Reason  the outage is over");
  await screen.press("enter").until(/rejected[^\n]* entry 2\b/);
  await screen.press("A").until("Activity");
  expect(landed()).toHaveLength(0);
});

test("a form that may have taken effect is sent again only with its number and a reason", async () => {
  const folders = await openFolders();
  service.setFaults(["reset-after@payment-instructionsx1"]);
  const open = () =>
    openReview({ service, folders, kind: "payment-instructions", values: instruction("GOODPAY") });
  {
    await using review = await open();
    const { screen, drafts, draft } = review;
    const result = await screen.sendReviewed().until(/unknown[^\n]* entry 1\b/);
    expect(result).toContain("might have taken effect");
    expect(result).toContain("cannot be read back");
    expect(drafts.find(draft)).not.toBeNull();
  }
  const { screen } = await open();
  await screen.waitFor("sent before as entry 1, which is unknown");
  await screen.act("send").until(/Send 1 payment instruction, R-1, for EXT-0000001 of ACME/);
  await screen.press("esc").untilGone("Send ");
  expect(landed()).toHaveLength(1);
});

test("the key that skips a wait says why it does not skip one that the service asked for", async () => {
  service.setFaults(["429=60s@payment-instructionsx1"]);
  await using opened = await openReview({
    service,
    kind: "payment-instructions",
    values: instruction("GOODPAY"),
  });
  const { screen } = opened;
  await screen.sendReviewed().until("as the service asks");
  await screen.press("f").until("The service asked for this wait; it is not skipped.");
});

test("a payment that was closed comes back as a new form, and asks when the same is typed again", async () => {
  const folders = await openFolders();
  service.setFaults(["reset-after@payment-instructionsx1"]);
  const review = () =>
    openReview({ service, folders, kind: "payment-instructions", values: instruction("GOODPAY") });
  {
    await using opened = await review();
    const { screen, drafts, draft } = opened;
    await screen.sendReviewed().until(/unknown[^\n]* entry 1\b/);
    expect(drafts.find(draft)?.sentAs).toBe(1);
    await screen.press("c").until("Close entry 1: did it take effect?");
    await screen.press("enter").until("Close entry 1: effect not known");
    await screen.send("seen at the vendor").until("Reason  seen at the vendor");
    screen.press("enter");
    await screen.waitFor("– closed");
    expect(drafts.find(draft)).toBeNull();
    // The reason is the operator's own; the log has the command that does the same.
    await screen
      .press("@")
      .until("activity close 1 --took-effect unknown --reason 'seen at the ven");
    await screen.waitFor(/closed .*activity close 1/);
  }
  const { screen } = await review();
  await screen.waitFor("sent before as entry 1, which an operator closed");
  await screen.act("send").until(/Send 1 payment instruction, R-1, for EXT-0000001 of ACME/);
  await screen.send("EXT-0000001").until("Account number  EXT-0000001");
  await screen.press("enter").until("Reason");
  await screen.press("esc").untilGone("Send ");
  expect(landed()).toHaveLength(1);
});

test("an ID that was used with other content is named, and sent with s alone", async () => {
  const folders = await openFolders();
  const day = new Date().toISOString().slice(0, 10);
  const credit = { transaction_id: "T-1", transaction_date: day, type: "CREDIT" };
  const { import_supplier, external_account_number } = paid;
  const sent = { import_supplier, external_account_number };
  await sentBefore(service, folders, [
    {
      write: request("transactions create", { ...sent, transactions: [{ ...credit, amount: 1 }] }),
    },
  ]);
  const review = await openReview({
    service,
    folders,
    kind: "transactions",
    values: { transactions: [{ ...credit, amount: "2.00" }] },
  });
  const shown = await review.screen.waitFor("s send now");
  expect(shown.replace(/\s+/g, " ")).toContain(
    "The transaction ID T-1 was used on this account before with other content, in entry 1.",
  );
});

test("a connection reset after the effect ends as confirmed, with one effect", async () => {
  service.setFaults(["reset-after@notesx1"]);
  const { screen } = await openReview({
    service,
    kind: "notes",
    values: { notes: [{ body: "Once" }] },
  });
  await screen.sendReviewed().until(/Waiting \d+ s before sending the same bytes again/);
  expect(screen.text()).toContain("its outcome is then unknown");
  const result = await screen.press("f").until(/confirmed[^\n]* entry 1, 201, 2 attempts/);
  expect(result).toContain("1  ✓ already exists  Once");
  expect(landed()).toHaveLength(1);
});

test("a result says what an entry verified in Activity is now", async () => {
  service.setFaults(["reset-after@notes"]);
  const clock = fakeClock(Date.now());
  const { screen } = await openReview({
    service,
    clock,
    kind: "notes",
    values: { notes: [{ body: "Verified elsewhere" }] },
  });
  await screen.sendReviewed().until(/Waiting \d+ s/);
  await screen.press("ctrl-c").until(/unknown[^\n]* entry 1\b/);
  service.setFaults([]);
  await screen.press("A").until("1 of 1  1 unknown");
  await passing(clock, screen.press("V").until("none unknown"));
  const shown = await screen.press("esc").until(/confirmed[^\n]* entry 1\b/);
  expect(shown).not.toContain("might have taken effect");
});

test("a result shows the outcome that the journal holds now", async () => {
  service.setFaults(["reset-after@notes"]);
  const clock = fakeClock(Date.now());
  const { screen } = await openReview({
    service,
    clock,
    kind: "notes",
    values: { notes: [{ body: "Verified later" }] },
  });
  await screen.sendReviewed().until(/Waiting \d+ s/);
  await screen.press("ctrl-c").until(/unknown[^\n]* entry 1\b/);
  service.setFaults([]);
  await screen.waitFor("V: Verifying sends the same");
  const shown = await passing(clock, screen.press("V").until(/confirmed[^\n]* entry 1\b/));
  expect(shown).toContain("1  ✓ already exists  Verified later");
  expect(shown).not.toContain("might have taken effect");
});

test("the query options of transactions are turned here, and a refusal names its transaction", async () => {
  const charge = (id: string, date: string) => ({
    transaction_id: id,
    transaction_date: date,
    amount: "12.50",
    type: "CHARGE",
    reason: "IMPORTED_CHARGE",
    display_note: "Moved in",
    note: "Moved in",
  });
  const { screen, drafts, draft } = await openReview({
    service,
    kind: "transactions",
    values: { transactions: [charge("T-1", "today"), charge("T-2", "2020-01-01")] },
  });
  await screen.waitFor("s send now");
  await screen.press(",").until("Change how it is sent");
  await screen
    .press("2", "enter")
    .until((text) => /force_add_to_current_sta\s*tement=false/.test(text), {
      describe: "the option in the address",
    });
  await screen.act("send").until(/entry 1, 400/);
  const result = screen.text();
  expect(result).toMatch(/1 {2}\? unknown {2}CHARGE 12\.50 on [\d-]+, T-1/);
  expect(result).toMatch(/2 {2}✗ rejected {2}C\w+ [\d.]+ on 2020-01-01, T-2/);
  expect(result).toContain("these might have taken effect: transaction 1");
  expect(drafts.find(draft)?.refusals.map(({ path }) => path)).toEqual([["transactions", 1]]);
  expect(drafts.find(draft)?.query).toEqual({ force_add_to_current_statement: false });
  expect(landed().map(({ key }) => key)).toEqual(["T-1"]);
});

test("transactions sent one by one are answered for one by one, and the rest stays in the form", async () => {
  const credit = (id: string, date: string) => ({
    transaction_id: id,
    transaction_date: date,
    amount: "1.00",
    type: "CREDIT",
  });
  const { screen, drafts, draft } = await openReview({
    service,
    kind: "transactions",
    query: { force_add_to_current_statement: false },
    values: {
      transactions: [credit("T-1", "today"), credit("T-2", "2020-01-01"), credit("T-3", "today")],
    },
  });
  await screen.waitFor("One transaction per request: no");
  await screen.press(",").until("Change how it is sent");
  screen.press("3", "enter");
  expect(await screen.waitFor("1 of 3: POST")).toContain("One transaction per request: yes");
  const result = await screen.act("send").until(/rejected[^\n]* entry 2, 400/);
  expect(result).toMatch(/1 {2}✗ rejected {2}C\w+ [\d.]+ on 2020-01-01, T-2/);
  expect(result).toContain("1 of 3 requests are confirmed and removed from the form; 1 were not");
  expect(landed().map(({ key }) => key)).toEqual(["T-1"]);
  const rest = drafts.find(draft);
  expect(rest?.refusals.map(({ path }) => path)).toEqual([["transactions", 0]]);
  expect(rest?.value).toMatchObject({
    values: { transactions: [{ transaction_id: "T-2" }, { transaction_id: "T-3" }] },
  });
});

test("stopped in mid-way, one by one, the transactions that follow are not sent", async () => {
  const credit = (id: string) => ({
    transaction_id: id,
    transaction_date: "today",
    amount: "1.00",
    type: "CREDIT",
  });
  const { screen, drafts, draft } = await openReview({
    service,
    kind: "transactions",
    values: { transactions: [credit("T-1"), credit("T-2")] },
  });
  await screen.waitFor("One transaction per request: no");
  await screen.press(",").until("Change how it is sent");
  await screen.press("3", "enter").until("2 of 2: POST");
  service.setFaults(["reset-before@transactionsx1"]);
  await screen.act("send").until(/Waiting \d+ s/);
  service.setFaults(["reset-after@transactionsx2"]);
  await screen.press("f").until((text) => /^ +2 {2}20/m.test(text) && text.includes("Waiting "), {
    describe: "the second wait",
  });
  await screen
    .press("ctrl-c")
    .until("0 of 2 requests are confirmed and removed from the form; 1 were not");
  expect(drafts.find(draft)?.value).toMatchObject({
    values: { transactions: [{ transaction_id: "T-1" }, { transaction_id: "T-2" }] },
  });
  expect(landed().map(({ key }) => key)).toEqual(["T-1"]);
});

test("production is locked, then takes the account's number", async () => {
  const { screen } = await openReview({
    service,
    environment: "production",
    kind: "notes",
    values: { notes: [{ body: "For real" }] },
  });
  await screen.waitFor("U unlocks them");
  expect(screen.text()).toContain("PROD");
  screen.act("send");
  await screen.press("U").until("Unlock writes");
  await screen.send("ad-hoc").until("name  ad-hoc");
  await screen.press("enter").until("after you type EXT-0000001");
  await screen.act("send").until("(PRODUCTION, 127.0.0.1");
  await screen.send("EXT-1").until("Account number  EXT-1");
  await screen.press("enter").until("That is not EXT-0000001; nothing was sent");
  expect(landed()).toHaveLength(0);
  await screen.press("ctrl-u").untilGone("Account number  EXT-1");
  await screen.send("EXT-0000001").until("Account number  EXT-0000001");
  const result = await screen.press("enter").until(/confirmed[^\n]* entry 1\b/);
  expect(result).toContain("1 note for EXT-0000001 of ACME, on ad-hoc (PRODUCTION, 127.0.0.1:");
  expect(landed()).toHaveLength(1);
});

test("a question that stands open when the unlocked time ran out in a sleeping machine sends nothing", async () => {
  let ahead = 0;
  const review = await openReview({
    service,
    environment: "production",
    kind: "notes",
    values: { notes: [{ body: "Too late" }] },
    clock: clockOf({ ...systemClock, now: () => systemClock.now() + ahead }),
  });
  const { screen } = review;
  await screen.waitFor("U unlocks them");
  await screen.press("U").until("Unlock writes");
  await screen.send("ad-hoc").until("name  ad-hoc");
  await screen.press("enter").until("after you type EXT-0000001");
  await screen.act("send").until("(PRODUCTION, 127.0.0.1");
  await screen.send("EXT-0000001").until("Account number  EXT-0000001");
  ahead = 15 * 60_000;
  await screen
    .press("enter")
    .until("Writes to production are locked: U unlocks them. Nothing was sent.");
  await screen.waitForGone("Account number  EXT");
  expect(landed()).toHaveLength(0);
  expect(review.drafts.find(review.draft)).not.toBeNull();
});

test("a read-only console reviews, does not send, and says why once", async () => {
  const { screen } = await openReview({
    service,
    readOnly: true,
    kind: "notes",
    values: { notes: [{ body: "Not now" }] },
  });
  await screen.waitFor("Writes cannot be unlocked: started with --read-only");
  await screen.press("s", "H").until("fold rules");
  expect(screen.text().split("started with --read-only")).toHaveLength(2);
  expect(landed()).toHaveLength(0);
});

test("a small terminal scrolls through the whole review", async () => {
  const { screen } = await openReview({
    service,
    kind: "notes",
    cols: 60,
    rows: 15,
    values: { notes: [{ body: "Small ".repeat(30) }, { body: "Smaller" }] },
  });
  await screen.waitFor("s send now");
  const text = await screen.waitFor(/lines 1–\d of 1\d/);
  expect(text).toContain('"body": "Small');
  expect(text).toContain("Esc form");
  expect(text).toContain("H rules");
  screen.press("H");
  // The rules that were unfolded are in sight.
  await screen.waitFor(/If sent twice[\s\S]*lines \d+–\d+ of [34]\d/);
  await screen.press("end").until("SHA-256");
});

test("leaving while it is sent ends nothing: it is reported elsewhere, and is never sent twice", async () => {
  service.setFaults(["reset-before@notesx1"]);
  const folders = await openFolders();
  const { screen, drafts, draft } = await openReview({
    service,
    folders,
    kind: "notes",
    values: { notes: [{ body: "Goes on" }] },
  });
  await screen.sendReviewed().until(/Waiting \d+ s/);
  await screen.press("q").until("Ctrl-C stops it first");
  await screen.press("esc").until("Entry 1 is still being sent; A shows it");
  await screen.press("A").until(/^Activity/);
  await screen.press("ctrl-c").until("Journal entry 1: unknown.");
  expect(drafts.find(draft)).not.toBeNull();
  expect(landed()).toHaveLength(0);
});

test("without a journal nothing can be sent, and it is said why", async () => {
  const folders = await openFolders();
  const review = await openReview({
    service,
    folders,
    kind: "notes",
    values: { notes: [{ body: "No journal" }] },
    beforeOpening: async () => {
      await writeFile(join(folders.state, journalFile), "this is no journal at all, and never was");
    },
  });
  const { screen } = review;
  await screen.waitFor("Nothing can be sent without a journal");
  await screen.press("s", "H").until("fold rules");
  expect(screen.text().split("Nothing can be sent")).toHaveLength(2);
  expect(landed()).toHaveLength(0);
});

test("on a small terminal the latest of what happens stays in sight", async () => {
  service.setFaults(["reset-after@notesx2"]);
  const clock = fakeClock(Date.now());
  const { screen } = await openReview({
    service,
    clock,
    kind: "notes",
    cols: 60,
    rows: 15,
    values: { notes: [{ body: "Far down" }] },
  });
  await screen.waitFor("s send now");
  screen.act("send");
  await screen.waitFor("Waiting ");
  screen.press("f");
  await passing(clock, screen.waitFor(/confirmed[^\n]* entry 1, 201, 3 attempts/));
  expect(landed()).toHaveLength(1);
});

test("a digit alone takes nothing in a menu: it moves, and Enter takes", async () => {
  const { screen } = await openReview({
    service,
    kind: "transactions",
    values: {
      transactions: [
        { transaction_id: "T-1", transaction_date: "today", amount: "1.00", type: "CREDIT" },
        { transaction_id: "T-2", transaction_date: "today", amount: "-0.25", type: "CREDIT" },
      ],
    },
  });
  expect(await screen.waitFor("s send now")).toContain("0.75 in all");
  await screen.press(",").until("Change how it is sent");
  await screen.send("4711").until(/▌ Skip transactions already added: no/);
  const menu = await screen.press("3").until(/▌ One transaction per request: yes/);
  expect(menu).toContain("Change how it is sent");
  await screen.press("enter").until("1 of 2: POST");
});

test("review, question and result begin with what goes out, also at 60x15", async () => {
  const { screen } = await openReview({
    service,
    kind: "transactions",
    environment: "production",
    values: {
      transactions: [
        { transaction_id: "T-1", transaction_date: "2026-11-10", amount: "99.50", type: "CHARGE" },
      ],
    },
    cols: 60,
    rows: 15,
  });
  const what = /^ ?CHARGE 99\.50 on 2026-11-10, T-1, for EXT-0000001 of ACME/m;
  const firstLine = (text: string) =>
    text
      .split("\n")
      .slice(1)
      .find((line) => line.trim() !== "") ?? "";
  expect(firstLine(await screen.waitFor("CHARGE 99.50"))).toMatch(what);
  await screen.press("U").until("Type ad-hoc");
  await screen.send("ad-hoc\r").until("s sends it after you type EXT-0000001.");
  await screen.act("send").until(/Send CHARGE 99\.50 on 2026-11-10, T-1, for EXT-0000001/);
  screen.send("EXT-0000001\r");
  expect(firstLine(await screen.waitFor(/confirmed[^\n]* entry 1\b/))).toMatch(what);
});

test("options come last, with the key that changes them", async () => {
  const review = await openReview({
    service,
    kind: "transactions",
    values: {
      transactions: [
        { transaction_id: "T-1", transaction_date: "2026-11-10", amount: "99.50", type: "CHARGE" },
      ],
    },
  });
  const text = await review.screen.waitFor(", changes them");
  const places = ["POST ", '"amount": 99.50', "If sent twice", "Options ", ", changes them"].map(
    (words) => text.indexOf(words),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("a send key typed ahead of the review sends nothing", async () => {
  const { screen } = await openForm({
    service,
    kind: "notes",
    values: { notes: [{ body: "Typed ahead" }] },
  });
  await screen.waitFor("Ctrl-G review");
  screen.send("\x07s");
  expect(await screen.waitFor("press it again")).toContain("Nothing has been sent");
  expect(landed()).toEqual([]);
  await screen.act("send").until(/confirmed[^\n]* entry 1\b/);
});
