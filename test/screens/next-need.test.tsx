import { listedProfile, openListedMachine } from "./listed-screens.ts";
import { openConsoleAt } from "./opened-console.tsx";

test("the key walks through real open work of all suppliers, and back to the first", async () => {
  const machine = await openListedMachine();
  await using opened = await openConsoleAt({
    service: machine.service,
    folders: machine.folders,
    profile: listedProfile,
    cols: 140,
    rows: 40,
    places: [{ kind: "suppliers" }],
  });
  const { screen, app } = opened;
  await screen.waitFor(/\d+ gone at 2 suppliers/);
  await screen.waitFor(/rows? rejected/);
  await screen.waitFor(/run stopped/);
  const accounts = (supplier: string) => ({ kind: "accounts", supplier, tab: "gone" });
  const cohort = (name: string) => ({ kind: "cohort", supplier: "ACME", cohort: name });
  const { failed, waiting } = machine.runs;
  for (const place of [
    accounts("ACME"),
    accounts("OLD"),
    cohort("wave-1"),
    cohort("wave-2"),
    { kind: "run", id: failed, tab: "rejected" },
    { kind: "run", id: waiting },
    accounts("ACME"),
  ]) {
    const before = app.navigation.here();
    await screen.press("!").until(() => app.navigation.here() !== before);
    expect(app.navigation.here()).toEqual(place);
    await screen.waitFor(/\d+ more need you/);
    // Each place takes the place of the one before it, so that Esc leads back to the board.
    expect(app.navigation.stops.get()).toHaveLength(2);
  }
});
