import type { Invocation } from "../../src/commands/invocation.ts";
import { progressOf } from "../../src/commands/reconcile/reconcile.ts";
import type { RowCounts } from "../../src/triage/reconcile/classes.ts";
import { fakeClock } from "../helpers/clock.ts";

const counts = { imported: 3, pending: 1, absent: 6 } as RowCounts;

function drawing(isTTY: boolean, quiet = false) {
  const written: string[] = [];
  const clock = fakeClock();
  const stderr = { isTTY, columns: 70, write: (text: string) => written.push(text) };
  const io = { stderr, clock, env: { TERM: "xterm" } };
  const invocation = { io, globals: { quiet } } as unknown as Invocation;
  return { written, clock, progress: progressOf(invocation, "ACME", 10) };
}

test("on a terminal one line says how far a comparison is, and is removed at its end", async () => {
  const { written, clock, progress } = drawing(true);
  progress.show({ phase: "listing", listed: 4096, counts });
  progress.show({ phase: "listing", listed: 8192, counts });
  await clock.advance(100);
  progress.show({ phase: "looking-up", done: 2, total: 6, counts });
  await clock.advance(100);
  progress.show({ phase: "suggesting", counts });
  progress.clear();
  expect(written).toEqual([
    "\rListing ACME: 4,096 accounts, 4 of 10 rows found\u001b[K",
    "\rLooking up accounts on no list: 2 of 6\u001b[K",
    "\rSearching the list for similar numbers\u001b[K",
    "\r\u001b[K",
  ]);
});

test("elsewhere, and with --quiet, no progress is written", () => {
  for (const { written, progress } of [drawing(false), drawing(true, true)]) {
    progress.show({ phase: "listing", listed: 1, counts });
    progress.clear();
    expect(written).toEqual([]);
  }
});
