import type { Place } from "../../src/session/places.ts";
import { type WorldOptions, world } from "../helpers/world.ts";

/** Opens a place of a machine that has seen these lists. */
async function open(
  place: Place,
  observed: NonNullable<WorldOptions<object>["observed"]> = {},
  size: { readonly cols?: number; readonly rows?: number } = {},
) {
  const here = await world({ service: { accounts: 20 }, observed });
  return here.at([{ kind: "suppliers" }, place], size);
}

const many = Array.from({ length: 120 }, (_, at) => [`EXT-${at + 1}`, `A-${at + 1}`] as const);

test.each([
  [200, 50],
  [80, 24],
  [60, 15],
])("each change of a supplier is a line, the newest first, at %i×%i", async (cols, rows) => {
  const { screen } = await open(
    { kind: "changes", supplier: "OLD" },
    {
      OLD: [
        [["WAITS"], ["LOST"], ["NUMBER", "A-1"]],
        [["WAITS"], ["NUMBER", "A-2"], ["LATER"]],
        [["WAITS", "A-3"], ["NUMBER", "A-2"], ["LATER"]],
      ],
    },
    { cols, rows },
  );
  await screen.waitFor("1 of 4");
  const shown = await screen.waitFor(/▌ +WAITS +imported/);
  expect(shown).toMatch(/NUMBER +renumbered/);
  expect(shown).toMatch(/Since .*1 gone\s+1 renumbered\s+1 staged\s+1 imported/s);
  // Below it, the failure of the list can take the line of the last change.
  await screen.press("G").until(/▌ +LOST +gone/);
});

test("since: and age: in a filter compare the time of a change, and x names the command", async () => {
  const { screen } = await open(
    { kind: "changes", supplier: "OLD" },
    { OLD: [[["A-1"]], [["A-1"], ["A-2"]], [["A-1"], ["A-3"]]] },
  );
  await screen.waitFor("1 of 3");
  await screen.press("/").until("keep filter");
  await screen.send("since:150m").until("2 of 3 match");
  screen.press("ctrl-u");
  await screen.send("age:>150m").until("1 of 3 match");
  screen.press("ctrl-u");
  await screen.send("!since:150m").until("row 1  1 of 3 match");
  screen.press("ctrl-u");
  await screen.send("change:gone since:150m").until("row 1  1 of 3 match");
  await screen.press("enter").until("clear filter");
  await screen.press("x").until(/supplyline changes OLD --since 150m/);
});

test("the overview leads to the changes, which follow the lists that are loaded", async () => {
  const { screen } = await open(
    { kind: "overview", supplier: "ACME" },
    { ACME: [[["GONE-1"]]] },
    { cols: 120 },
  );
  await screen.waitFor("~ changes");
  await screen.waitFor(/Since .*imported/);
  await screen.press("~").until(/1 of 21/);
  await screen.waitFor(/Since .*1 gone/);
});

test.each<Place>([
  { kind: "overview", supplier: "OLD" },
  { kind: "accounts", supplier: "OLD", tab: "all" },
])("a list held back is recorded from $kind, once that is answered", async (place) => {
  const { screen } = await open(place, { OLD: [many, [["EXT-1", "A-1"]]] });
  await screen.press("%").until("Record the list of OLD with 1 account, after 120?");
  await screen.press("n").untilGone("Record the list of OLD");
  await screen.press("%").until("Record the list of OLD with 1 account, after 120?");
  await screen.press("y").until("The list of OLD is recorded.");
  await screen.press("%").until("No list of OLD is held back.");
});

test("the palette leads to the changes", async () => {
  const { screen } = await open({ kind: "overview", supplier: "ACME" });
  await screen.palette("changes").until("ACME › Changes");
});
