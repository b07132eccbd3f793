import { rangeMarks } from "../../src/hooks/list-cursor.ts";
import { world } from "../helpers/world.ts";

/** The positions that a key marks, and where it moves to. */
function pressed(key: "mark-up" | "mark-down", position: number, length: number) {
  const done: unknown[] = [];
  const actions = rangeMarks({
    position,
    length,
    moveTo: (at) => done.push(at),
    mark: (positions) => done.push(positions),
  });
  const action = actions[key];
  if (typeof action === "function") action();
  return done;
}

test("a range is extended by one row, and ends at the ends of the list", () => {
  expect(pressed("mark-down", 0, 3)).toEqual([[0, 1], 1]);
  expect(pressed("mark-up", 2, 3)).toEqual([[2, 1], 1]);
  expect(pressed("mark-down", 2, 3)).toEqual([[2], 2]);
  expect(pressed("mark-up", 0, 1)).toEqual([[0], 0]);
  expect(pressed("mark-down", 0, 0)).toEqual([]);
});

test("Shift and an arrow mark a range in the accounts, on the watch list and in Activity", async () => {
  const desk = await world();
  for (const account of ["EXT-0000001", "EXT-0000003"])
    await desk.run(["notes", "create", "ACME", account, "--body", "seen"]);
  const terminal = await desk.terminal(["open", "ACME"], { cols: 100, rows: 30 });
  await terminal.waitFor("of 120 imported");
  await terminal.press("enter").until("1 of 120");
  await terminal.press("shift-down", "shift-down").until("3 marked");
  await terminal.waitFor("3 of 120");
  await terminal.press("shift-up").until("2 of 120");
  await terminal.waitFor("3 marked");
  await terminal.press("w").until("Watching 3 more; W shows the list.");
  await terminal.press("W").until(/ACME\/EXT-0000001/);
  await terminal.press("shift-down").until(/\* {2}ACME/);
  await terminal.press("A").until("1 of 2");
  await terminal.press("shift-down").until("2 marked");
});

test("a supplier that is added to a profile from the environment stays as long as the console", async () => {
  const desk = await world();
  const terminal = await desk.terminal([]);
  await terminal.waitFor("This profile has no suppliers yet");
  await terminal.press("a").until("Add an import supplier");
  await terminal.send("ACME").until("ACME");
  await terminal.press("enter").until("Added ACME.");
  await terminal.press("P").until("Profiles");
  await terminal.press("esc").until(/1 of 1 {2}checked/);
  await terminal.press("enter").until("of 120 imported");
  await terminal.send(":ACM").until(/ACME +import supplier/);
});
