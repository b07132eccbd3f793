import type { Place } from "../../src/session/places.ts";
import { openConsole } from "../helpers/console.ts";
import { world } from "../helpers/world.ts";

const account: Place = { kind: "account", supplier: "ACME", account: "EXT-0000001" };
const asked = "supplyline accounts status ACME EXT-0000001";

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])("a note that was sent is in the log without its text, at %i×%i", async (cols, rows) => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols,
    rows,
  });
  await terminal.waitFor("final, checked");
  await terminal.press("n").until("Body");
  await terminal.send("Zoe was here").until("Zoe was here");
  await terminal.act("review").until("Nothing has been sent");
  await terminal.sendReviewed().until(/confirmed/i);
  await terminal.press("@").until("Command log");
  await terminal.waitFor(/confirmed .*notes create/);
  expect(terminal.text()).not.toContain("Zoe");
  const read = /200 .*accounts status/;
  expect(terminal.text()).toMatch(read);
  // The newest is the first, and is shown in full below the list.
  await terminal.waitFor("supplyline notes create ACME EXT-0000001 --from - --sandbox");
  if (cols > 60) expect(terminal.text()).toMatch(/\d+ ms/);
  expect(terminal.text()).toContain("The journal of the embedded sandbox");
});

test("15 lines have room for four entries of the log", async () => {
  const { at } = await world({ service: { accounts: 400 } });
  const { screen } = await at([{ kind: "suppliers" }, account], { cols: 60, rows: 15 });
  await screen.waitFor("COMPLETED");
  for (const number of [3, 4, 5]) {
    await screen.palette(`ACME/EXT-000000${number}`).until(/Observed .*first check/);
  }
  await screen.press("@").until("Command log");
  await screen.waitFor(/(?:.*accounts status ACME EXT-000000\d.*\n){4}/);
});

test("the line under the cursor is copied, and the key that opens the log closes it", async () => {
  const { at } = await world({ service: { accounts: 400 } });
  const opened = await at([{ kind: "suppliers" }, account], { env: { TERM: "xterm" } });
  const { screen } = opened;
  await screen.waitFor("COMPLETED");
  await screen.press("@").until("Command log");
  await screen.waitFor(asked);
  await screen.press("y").until(/^Command.*: sent to the terminal/m);
  expect(opened.copied()).toBe(asked);
  await screen.press("@").until("Service account");
});
