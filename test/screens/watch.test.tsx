import { expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../helpers/service.ts";
import { openConsoleAt } from "./opened-console.tsx";

test.each([60, 80])("the watched row under the cursor fits a line of %d columns", async (cols) => {
  const sandbox = await openSandbox();
  onTestFinished(() => sandbox.close());
  await using opened = await openConsoleAt({
    service: sandbox,
    cols,
    rows: 15,
    places: [
      { kind: "suppliers" },
      { kind: "account", supplier: "ACME", account: "EXT-0000003" },
      { kind: "watch" },
    ],
  });
  const { screen } = opened;
  await screen.waitFor("Nothing is watched yet.");
  screen.press("esc");
  await screen.waitFor("Accounts › EXT-0000003");
  screen.press("w");
  await screen.waitFor("Watching EXT-0000003");
  screen.press("W");
  await screen.waitFor(/^EXT-0000003 {2}UNKNOWN {2}just seen {2}checked [^…]*$/m);
  expect(screen.text()).not.toMatch(/checked.*…/);
});
