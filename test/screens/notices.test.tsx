import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

let service: TestSandbox;

beforeAll(async () => {
  service = await openSandbox({ accounts: 60 });
});

test.each([
  [80, 24],
  [60, 15],
])("what was left out stays above what came later, at %i×%i", async (cols, rows) => {
  const { screen, app } = await openConsoleAt({
    service,
    cols,
    rows,
    places: [{ kind: "suppliers" }, { kind: "accounts", supplier: "ACME", tab: "all" }],
  });
  await screen.waitFor("1 of 60");
  app.notices.show("1,228 left out: at most 500 can be watched.", "waiting");
  app.notices.announce("Watch: ACME/EXT-0000166 COMPLETED", "ok");
  await screen.waitFor(/1,228 left out.*\n *Watch: ACME\/EXT-0000166 COMPLETED *\n.*q quit/);
  // The list gives up the line.
  expect(screen.text()).toContain("1 of 60");
  await screen.press("G").until("60 of 60");
  await screen.waitFor("EXT-0000060");
  expect(screen.text()).toContain("1,228 left out");
  app.notices.announce("Watch: ACME/EXT-0000167 failed", "bad");
  await screen.waitFor(/1 of 2: 1,228 left out.*\n.*0000167 failed/);
});

test("a paste ends the answer to the key before it, as a key does", async () => {
  const { screen } = await openConsoleAt({ service, places: [{ kind: "suppliers" }] });
  await screen.waitFor("This profile has no suppliers yet");
  await screen.press("esc").until("Esc does nothing here");
  await screen.paste("EXT-1\u200b").until(/: EXT-1$/m);
  expect(screen.text()).not.toContain("does nothing here");
});

test("the palette opens the notices of the session, with their times", async () => {
  const { screen, app } = await openConsoleAt({ service, places: [{ kind: "suppliers" }] });
  await screen.waitFor("This profile has no suppliers yet");
  app.notices.show("1,228 left out.", "waiting");
  app.notices.announce("ACME/EXT-0000166 COMPLETED", "ok");
  await screen.palette("notices").until(/\d\d:\d\d:\d\d +done +ACME\/EXT-0000166 COMPLETED/);
  await screen.waitFor(/\d\d:\d\d:\d\d +attention +1,228 left out\./);
  await screen.waitFor(/^1 of 2\b/m);
});

test.each([
  ["exprt", "No action or place is called exprt."],
  ["gone", "Add a supplier first."],
  ["stuck", "The usual time until an import is not known yet."],
  ["held back", "No list is held back."],
])("the reason why Enter does not run %s is only in the palette", async (name, reason) => {
  const { screen, app } = await openConsoleAt({ service, places: [{ kind: "suppliers" }] });
  await screen.waitFor("This profile has no suppliers yet");
  await screen.openPalette(name).until(reason);
  const shown: string[] = [];
  app.notices.shown.subscribe(() => shown.push(...app.notices.shown.get().map(({ text }) => text)));
  screen.press("enter");
  // The palette gets this key after Enter.
  await screen.press("#").until(`: ${name}#`);
  expect(shown).toEqual([]);
});

test("a reason that the palette cuts is whole above the footer", async () => {
  const { screen } = await openConsoleAt({
    service,
    cols: 60,
    rows: 15,
    places: [{ kind: "suppliers" }],
  });
  await screen.waitFor("This profile has no suppliers yet");
  const reason = "No account of a cohort is known to be on no list.";
  await screen.openPalette("unlisted").until(/No account of a cohort is[^.]*…/);
  expect(screen.text()).not.toContain(reason);
  await screen.press("enter").until(reason);
});

test("choosing the place that is open closes the palette, and the next key is for the screen", async () => {
  const { screen } = await openConsoleAt({ service, places: [{ kind: "suppliers" }] });
  await screen.waitFor("This profile has no suppliers yet");
  await screen
    .palette("suppliers", "This screen is open")
    .until("This profile has no suppliers yet");
  await screen.press("?").until("Keys on Suppliers");
});
