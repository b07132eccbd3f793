/** The console sends nothing with a restored journal, names the repair, and notices it. */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { hurriedClock } from "../helpers/clock.ts";
import type { Console } from "../helpers/console.ts";
import { account, bulkWorld } from "../helpers/desk.ts";

const payment = (reference: string) => [
  ...["payment-instructions", "create", "BULK", account(1), "--vendor", "GOODPAY"],
  ...["--reference", reference, "--type", "CARD", "--settle", "0s"],
];
const repairFirst = /activity repair --reason TEXT/;

/** A desk with two retryable payments, whose backup was restored after a third payment. */
async function restoredDesk() {
  const desk = await bulkWorld("500@payment-instructionsx6");
  const { run, file, folders, service } = desk;
  const clock = hurriedClock();
  await run(payment("R-1"), { clock });
  await run(payment("R-2"), { clock });
  const backup = join(folders.home, "backup");
  await cp(folders.state, backup, { recursive: true });
  service.setFaults([]);
  await run(payment("R-3"));
  await rm(folders.state, { recursive: true });
  await cp(backup, folders.state, { recursive: true });
  const head = "import_supplier,external_account_number,vendor,reference,type";
  await file("pay.csv", `${head}\nBULK,${account(2)},GOODPAY,R-4,CARD\n`);
  return desk;
}

/** Fills the form of a payment, and opens its review. */
async function reviewPayment(console: Console): Promise<void> {
  await console.press("p").until("Payment instruction for");
  await console.send("GOODPAY").until("GOODPAY");
  console.press("tab");
  await console.send("R-9").until("R-9");
  await console.press("tab", "space").until("CARD");
  await console.act("review").until("Nothing has been sent");
}

const ways: Readonly<Record<string, (console: Console) => Promise<unknown>>> = {
  "an entry": async (console) => {
    await console.press("A").until("retryable");
    await console.press("enter").until("[Record]");
    console.press("u");
  },
  "marked entries": async (console) => {
    await console.press("A").until("retryable");
    await console.press("+").until("2 marked");
    console.press("u");
  },
  "a form": reviewPayment,
  "a file": async (console) => {
    await console.waitFor("1 ready");
    await console.act("review").until("Nothing has been sent");
  },
};

test.each(Object.entries(ways))(
  "%s: the repair is named, and nothing is sent",
  async (way, sendIt) => {
    const { service, terminal } = await restoredDesk();
    const before = service.ledger();
    const place = way === "a file" ? ["--file", "pay.csv"] : ["BULK", account(1)];
    const console = await terminal(["open", ...place], { cols: 100, rows: 30 });
    await console.waitFor(way === "a file" ? "ready" : "COMPLETED");
    await sendIt(console);
    await console.waitFor(repairFirst);
    console.press("s", "y");
    await console.press("ctrl-c").until(/quit|canceled|nothing/i);
    expect(service.ledger()).toEqual(before);
  },
);

test("a repair from elsewhere counts in the open console", async () => {
  const { service, run, terminal } = await restoredDesk();
  const before = service.ledger().length;
  const console = await terminal(["open", "BULK", account(1)], { cols: 100, rows: 30 });
  await console.waitFor("COMPLETED");
  await reviewPayment(console);
  await console.waitFor(repairFirst);
  expect(await run(["activity", "repair", "--reason", "compared"])).toMatchObject({ code: 0 });
  await console.press("esc").until("Payment instruction for");
  await console.act("review").until("Nothing has been sent");
  await console.sendReviewed().until(/confirmed[^\n]* entry/);
  expect(service.ledger()).toHaveLength(before + 1);
});
