import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KeyName } from "../helpers/key-bytes.ts";
import { world } from "../helpers/world.ts";

test("the palette writes a shift report to a new file, with what is open", async () => {
  const { folders, at } = await world();
  const places = [
    { kind: "suppliers" },
    { kind: "account", supplier: "ACME", account: "EXT-0000001" },
  ] as const;
  const { screen } = await at(places);
  await mkdir(folders.home, { recursive: true });
  const file = join(folders.home, "handover.html");
  await screen.waitFor("✓ COMPLETED");
  const write = async (file: string, title: RegExp, ...keys: KeyName[]) => {
    await screen.palette("shift report").until("Shift report: since when?");
    await screen.press("enter").until("Shift report: which suppliers?");
    await screen.press(...keys).until(title);
    screen.press("ctrl-u");
    await screen.send(file).until(file.slice(-13));
    screen.press("enter");
  };
  await write(file, /Shift report of all suppliers since/, "enter");
  await screen.waitFor(/Shift report written: .*handover\.html \(\d/);
  const page = await readFile(file, "utf8");
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain("Shift report of ad-hoc");
  expect(page).toContain("Nothing is open.");
  await write(file, /Shift report of all suppliers since/, "enter");
  await screen.waitFor("already exists; nothing was overwritten");
  await screen.press("esc").untilGone("already exists; nothing was overwritten");
  const one = join(folders.home, "only-acme.md");
  await write(one, /Shift report of ACME since/, "down", "enter");
  await screen.waitFor(/Shift report written: .*only-acme\.md \(\d/);
  expect(await readFile(one, "utf8")).toContain("Shift report of ad-hoc");
});
