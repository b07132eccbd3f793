import { openConsole } from "../helpers/console.ts";
import { world } from "../helpers/world.ts";

test("the preview takes the focus, scrolls, and gives it back to the list", async () => {
  const terminal = await openConsole(["--sandbox", "open", "ACME", "EXT-0000001"], {
    cols: 160,
    rows: 15,
  });
  await terminal.waitFor("final, checked");
  for (const text of ["first note", "second note"]) {
    await terminal.press("n").until("Body");
    await terminal.send(text).until(text);
    await terminal.act("review").until("Nothing has been sent");
    await terminal.sendReviewed().until("Enter done");
    await terminal.press("enter").until("final, checked");
  }
  await terminal.press("A").until("│ Entry 2");
  await terminal.waitFor(/l preview/);
  await terminal.press("l").until("┃");
  await terminal.press("j").until(() => !terminal.text().includes("Entry 2"));
  await terminal.press("G").until("answered 201 after");
  await terminal.press("h").until("Entry 2");
  await terminal.waitFor(/l preview/);
  await terminal.press("j").until("Entry 1");
  await terminal.press("right").until("┃");
  await terminal.press("esc").until(/l preview/);
  expect(terminal.text()).toContain("Activity");
});

test("a preview below its list folds, and is drawn at once when it unfolds", async () => {
  const { at } = await world({ service: { accounts: 30 } });
  const accounts = { kind: "accounts", supplier: "ACME", tab: "all" } as const;
  const { screen } = await at([accounts], { cols: 80, rows: 24 });
  await screen.waitFor("── EXT-0000001");
  await screen.press("l").until("EXT-0000017");
  expect(screen.text()).not.toContain("── EXT-");
  await screen.press("j").until("2 of 30");
  await screen.press("k").until("1 of 30");
  await screen.press("l").until(() => !screen.text().includes("EXT-0000017"));
  expect(screen.text()).toContain("── EXT-0000001");
});
