/**
 * Closes what a file of tests has opened, and checks that it leaves the rest as it was, because the next
 * file can run in the same process.
 */
import { shownZone } from "../../src/text/dates.ts";
import { closeOfFile } from "./closing.ts";

const found = () => ({
  timersAreFake: vi.isFakeTimers(),
  workingFolder: process.cwd(),
  zone: process.env.TZ,
  shownZone: shownZone.get(),
  log: console.log,
});

let before: ReturnType<typeof found>;
beforeAll(() => {
  before = found();
});
afterAll(async () => {
  await closeOfFile();
  expect(found()).toEqual(before);
});
