import { fakeClock } from "../helpers/clock.ts";
import { type Console, openConsole } from "../helpers/console.ts";
import type { KeyName } from "../helpers/key-bytes.ts";

/** Bytes that the console writes from a key until the screen is as wanted. */
async function costOf(terminal: Console, key: KeyName, seen: () => Promise<unknown>) {
  const before = Buffer.byteLength(terminal.bytes());
  terminal.press(key);
  await seen();
  return Buffer.byteLength(terminal.bytes()) - before;
}

test("help and palette stay within their bytes at 80×24", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME"], { clock: fakeClock() });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  // The keys of the list and the ages of its rows are drawn in frames of their own.
  await terminal.waitFor("Enter open");
  await terminal.waitFor(/≥ \d+ d\b/);
  const help = await costOf(terminal, "?", () => terminal.waitFor("Keys on Accounts"));
  expect(help).toBeLessThanOrEqual(1400);
  const closed = await costOf(terminal, "esc", () => terminal.waitForGone("Keys on Accounts"));
  expect(closed).toBeLessThanOrEqual(1600);
  const palette = await costOf(terminal, ":", () => terminal.waitFor("Go to a place"));
  expect(palette).toBeLessThanOrEqual(1600);
  const gone = await costOf(terminal, "esc", () => terminal.waitForGone("Go to a place"));
  expect(gone).toBeLessThanOrEqual(1600);
});

test("j on the board stays within its bytes at 80×24 until the cursor rests", async () => {
  const clock = fakeClock();
  const terminal = await openConsole(["--sandbox"], { clock });
  const text = await terminal.waitFor(/1 of [2-9] {2}checked/);
  const codes = [...text.matchAll(/^[▌ ] +[!x]? ?([A-Z]+) .*━/gm)].map(([, code]) => code);
  // The first picture is drawn, and the cursor rests.
  await terminal.waitFor(new RegExp(`── ${codes[0]} ─[^]*Imported per day`));
  await clock.advance(300);
  const moved = await costOf(terminal, "j", () => terminal.waitFor(/2 of [2-9] {2}checked/));
  // The two rows of the cursor without their bars; the picture would be 600 more.
  expect(moved).toBeLessThanOrEqual(240);
  expect(terminal.text()).toContain(`── ${codes[0]} ─`);
});
