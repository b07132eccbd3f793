import { world } from "../helpers/world.ts";

test.each([60, 80])("the watched row under the cursor fits a line of %d columns", async (cols) => {
  const { at } = await world();
  const { screen } = await at(
    [
      { kind: "suppliers" },
      { kind: "account", supplier: "ACME", account: "EXT-0000003" },
      { kind: "watch" },
    ],
    { cols, rows: 15 },
  );
  await screen.waitFor("Nothing is watched yet.");
  await screen.press("esc").until("Accounts › EXT-0000003");
  await screen.press("w").until("Watching EXT-0000003");
  await screen.press("W").until(/^EXT-0000003 {2}UNKNOWN \S[^…]* {2}checked [^…]*$/m);
  expect(screen.text()).not.toMatch(/checked.*…/);
});

const pasted = ["ACME/EXT-0000003", "ACME/EXT-0000004", "sp ACME/SP-1"].join("\n");

/** The watch list of a new user. */
async function emptyWatch() {
  const { at } = await world();
  const opened = await at([{ kind: "suppliers" }, { kind: "watch" }]);
  await opened.screen.waitFor("Nothing is watched yet.");
  return opened.screen;
}

test("several lines pasted into the question what to watch are watched, each on its own", async () => {
  const screen = await emptyWatch();
  await screen.press("a").until("Watch accounts or supply points");
  await screen.paste(pasted).until("SP-1");
  await screen.press("enter").until(/^1 of 3$/m);
  await screen.waitFor(/EXT-0000004 /);
});

test("several lines pasted beside the watch list are watched where each names its supplier", async () => {
  const screen = await emptyWatch();
  await screen.paste(pasted).until("each at the supplier that its line names");
  await screen.press("enter").until(/^1 of 3$/m);
});
