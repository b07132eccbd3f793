import { openConsole } from "../helpers/console.ts";
import { anAccount, atAccount, everywhere, goBack, goTo } from "./everywhere.ts";

test("no screen sends anything but ASCII with --ascii, whatever the service says", async () => {
  const terminal = await openConsole(["--ascii", ...anAccount], { cols: 200, rows: 50 });
  await atAccount(terminal);
  for (const place of everywhere) {
    await goTo(terminal, place);
    await goBack(terminal, place);
  }
  await terminal.press("esc").until("of 120 imported");
  terminal.press("enter");
  // Further down are accounts with numbers in other scripts.
  await terminal.waitFor("1 of 120");
  await terminal.press("end").until(/120 of 120/);
  expect(terminal.bytes()).not.toMatch(/[^\x00-\x7e]/);
});

test.each([
  [80, 24],
  [60, 15],
])(
  "every screen fits: it ends with the keys that lead on, and is wrapped nowhere, at %i×%i",
  async (cols, rows) => {
    const terminal = await openConsole(anAccount, { cols, rows });
    await atAccount(terminal);
    for (const place of everywhere) {
      await goTo(terminal, place);
      const lines = terminal.screen();
      expect(lines).toHaveLength(rows);
      expect(lines.at(-1), place.name).toMatch(/^\S+ \S/);
      expect(lines[0], place.name).toMatch(/ sandbox {2}UTC$/);
      await goBack(terminal, place);
    }
  },
);
