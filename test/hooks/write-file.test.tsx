import { existsSync } from "node:fs";
import { join } from "node:path";
import { Text } from "ink";
import { useEffect } from "react";
import { AppProvider, useNotices } from "../../src/hooks/app.tsx";
import { useWriteFile } from "../../src/hooks/write-file.ts";
import { appOf } from "../helpers/app.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openFolders } from "../helpers/folders.ts";
import { openScreen } from "../helpers/screen.tsx";

test("Ctrl-C gives up every file that is being written, and leaves none of them", async () => {
  const folders = await openFolders();
  const paths = ["first.csv", "second.csv"].map((name) => join(folders.home, name));
  const refused: (string | null)[] = [];
  let left = paths.length;
  async function* endless() {
    try {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield "row\n";
      }
    } finally {
      left--;
    }
  }
  function Writing() {
    const write = useWriteFile();
    // biome-ignore lint/correctness/useExhaustiveDependencies: both are begun once
    useEffect(() => {
      for (const path of paths)
        refused.push(write({ what: "rows", endings: [".csv"], pieces: endless }, path));
    }, []);
    return <Text>{useNotices().at(-1)?.text ?? "nothing"}</Text>;
  }
  const app = appOf({ clock: fakeClock() });
  const { inFlight } = app;
  await using screen = openScreen(
    <AppProvider app={app}>
      <Writing />
    </AppProvider>,
    { cols: 200 },
  );
  await screen.waitFor(/Writing rows to .*second\.csv/);
  expect(refused).toEqual([null, null]);
  expect(inFlight.cancelAll()).toBe(true);
  await screen.waitFor("was not written");
  await expect.poll(() => left).toBe(0);
  await expect.poll(() => inFlight.cancelAll()).toBe(false);
  for (const path of paths) expect(existsSync(path)).toBe(false);
});
