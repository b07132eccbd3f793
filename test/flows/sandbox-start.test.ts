import { fakeClock } from "../helpers/clock.ts";
import { openConsole } from "../helpers/console.ts";

test.each([0, 7, 16])(
  "the sandbox has figures at its start on a Sunday at %i:00, and an alarm for NORTH alone",
  async (hour) => {
    const clock = fakeClock(Date.UTC(2026, 10, 22, hour));
    const terminal = await openConsole(["--sandbox"], { clock, cols: 100, rows: 30 });
    const board = await terminal.waitFor("checked just now");
    expect(board).toMatch(/NORTH .*≥ 6 d .* \d\d {2}\d+–\d+ h/);
    expect(board).not.toMatch(/! +(ACME|PAUSED|DONE)/);
  },
);
