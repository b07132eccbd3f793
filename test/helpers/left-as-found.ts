/** Checks what every file of tests leaves as it was, because the next file can run in the same process. */
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
