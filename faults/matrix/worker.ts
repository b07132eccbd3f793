/** A process that runs the cells it receives, several at a time; each message is a Cell or a result. */

import { runCell } from "./cell.ts";
import type { Cell } from "./plan.ts";

const where = process.argv[2] ?? ".";

process.on("message", (cell: Cell) => {
  runCell(cell, where).then(
    (result) => process.send?.({ result }),
    (thrown: unknown) => {
      const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      process.send?.({ result: broken(cell, what) });
    },
  );
});
process.on("disconnect", () => process.exit());

/** A cell that threw has shown nothing, which is as bad as a promise broken. */
function broken(cell: Cell, what: string) {
  const violations = [{ invariant: "the campaign itself", what }];
  return { cell, writes: 0, injected: 0, outcomes: {}, violations, recoveryMs: 0 };
}
