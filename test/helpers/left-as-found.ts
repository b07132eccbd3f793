/** What a file of tests must leave as it found it, because the next file may run in the same process. */
import { shownZone } from "../../src/text/dates.ts";

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
afterAll(() => {
  expect(found()).toEqual(before);
});
