import { expect, test } from "vitest";
import { openConsole } from "../helpers/console.ts";

test("the preview takes the focus, scrolls, and gives it back to the list", async () => {
  await using terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 160,
    rows: 15,
  });
  await terminal.waitFor("final, checked");
  for (const text of ["first note", "second note"]) {
    terminal.press("n");
    await terminal.waitFor("Body");
    terminal.send(text);
    await terminal.waitFor(text);
    terminal.press("ctrl-g");
    await terminal.waitFor("s send now");
    terminal.press("s");
    await terminal.waitFor("Enter done");
    terminal.press("enter");
    await terminal.waitFor("final, checked");
  }
  terminal.press("A");
  await terminal.waitFor("│ Entry 2");
  await terminal.waitFor(/l preview/);
  terminal.press("l");
  await terminal.waitFor("┃");
  terminal.press("j");
  await terminal.waitFor(() => !terminal.text().includes("Entry 2"));
  terminal.press("G");
  await terminal.waitFor("answered 201 after");
  terminal.press("h");
  await terminal.waitFor("Entry 2");
  await terminal.waitFor(/l preview/);
  terminal.press("j");
  await terminal.waitFor("Entry 1");
  terminal.press("right");
  await terminal.waitFor("┃");
  terminal.press("esc");
  await terminal.waitFor(/l preview/);
  expect(terminal.text()).toContain("Activity");
});
