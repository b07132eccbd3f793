import { systemClock } from "../../src/api/clock.ts";
import { openObservations } from "../../src/triage/observations/open-observations.ts";
import { batchOf, type Row } from "../accounts/rows.ts";
import type { Folders } from "./folders.ts";

/** Records lists of a supplier, each an hour after the one before, the last an hour ago. */
export async function observe(
  { state }: Folders,
  origin: string,
  supplier: string,
  lists: readonly (readonly Row[])[],
): Promise<void> {
  const observations = await openObservations({
    folder: state,
    origin,
    clock: systemClock,
    recording: true,
    judge: { trustedNow: () => null, wrongByMs: () => 0 },
  });
  const first = systemClock.now() - (lists.length + 1) * 3_600_000;
  for (const [at, rows] of lists.entries()) {
    const recorder = observations.begin(supplier, first + at * 3_600_000);
    await recorder.take(batchOf(rows));
    await recorder.finish();
  }
  await observations.close();
}
