import { expect, test } from "vitest";
import { rangeMarks } from "../../src/hooks/list-cursor.ts";
import { sandboxDesk } from "../helpers/desk.ts";

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
  const desk = await sandboxDesk();
  for (const account of ["EXT-0000001", "EXT-0000003"])
    await desk.run(["notes", "create", "ACME", account, "--body", "seen"]);
  await using terminal = await desk.terminal(["open", "ACME"], { cols: 100, rows: 30 });
  await terminal.waitFor("of 120 imported");
  terminal.press("enter");
  await terminal.waitFor("1 of 120");
  terminal.press("shift-down", "shift-down");
  await terminal.waitFor("3 marked");
  await terminal.waitFor("3 of 120");
  terminal.press("shift-up");
  await terminal.waitFor("2 of 120");
  await terminal.waitFor("3 marked");
  terminal.press("w");
  await terminal.waitFor("Watching 3 more; W shows the list.");
  terminal.press("W");
  await terminal.waitFor(/ACME\/EXT-0000001/);
  terminal.press("shift-down");
  await terminal.waitFor(/\* {2}ACME/);
  terminal.press("A");
  await terminal.waitFor("1 of 2");
  terminal.press("shift-down");
  await terminal.waitFor("2 marked");
});

test("a supplier that is added to a profile from the environment stays as long as the console", async () => {
  const desk = await sandboxDesk();
  await using terminal = await desk.terminal([]);
  await terminal.waitFor("This profile has no suppliers yet");
  terminal.press("a");
  await terminal.waitFor("Add an import supplier");
  terminal.send("ACME");
  await terminal.waitFor("ACME");
  terminal.press("enter");
  await terminal.waitFor("Added ACME.");
  terminal.press("P");
  await terminal.waitFor("Profiles");
  terminal.press("esc");
  await terminal.waitFor(/1 of 1 {2}checked/);
  terminal.press("enter");
  await terminal.waitFor("of 120 imported");
  terminal.send(":ACM");
  await terminal.waitFor(/ACME +import supplier/);
});
