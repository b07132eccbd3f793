import { expect, onTestFinished, test } from "vitest";
import { openConsole } from "../helpers/console.ts";
import { openSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

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

test("a preview below its list folds, and is drawn at once when it unfolds", async () => {
  const service = await openSandbox({ accounts: 30 });
  onTestFinished(() => service.close());
  const accounts = { kind: "accounts", supplier: "ACME", tab: "all" } as const;
  await using opened = await openConsoleAt({ service, places: [accounts], cols: 80, rows: 24 });
  const { screen } = opened;
  await screen.waitFor("── EXT-0000001");
  screen.press("l");
  await screen.waitFor("EXT-0000017");
  expect(screen.text()).not.toContain("── EXT-");
  screen.press("j");
  await screen.waitFor("2 of 30");
  screen.press("k");
  await screen.waitFor("1 of 30");
  screen.press("l");
  await screen.waitFor(() => !screen.text().includes("EXT-0000017"));
  expect(screen.text()).toContain("── EXT-0000001");
});
