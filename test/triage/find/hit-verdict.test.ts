import { hourMs, minuteMs } from "../../../src/text/durations.ts";
import type { HitSource } from "../../../src/triage/find/found.ts";
import { hitVerdict } from "../../../src/triage/find/hit-verdict.ts";
import { noListedTimes } from "../../../src/triage/verdict.ts";
import { verdictCells } from "../../../src/triage/verdict-words.ts";

const at = Date.parse("2026-11-28T20:00:00Z");

const pendingSince = (since: number) => ({ ...noListedTimes, pendingSince: since });

/** The cell of a found account that was pending for some time when it was found. */
function sinceCell(source: HitSource, state: string, pendingMs: number, now: number): string {
  const times = source === "status" ? noListedTimes : pendingSince(at - pendingMs);
  const hit = { supplier: "ACME", number: "EXT-1", serviceNumber: null, source, state, times, at };
  const checkedMs = source === "status" ? pendingMs : 0;
  const seen = { state, firstSeenAt: at - checkedMs, lastSeenAt: at };
  return verdictCells(hitVerdict(hit, now, source === "status" ? [seen] : [], null), now).since;
}

test.each<[HitSource, string]>([
  ["list", "pending"],
  ["observed", "pending"],
  ["status", "UNKNOWN"],
])("the age of a found account is of the moment at which it was found: %s", (source, state) => {
  expect(sinceCell(source, state, 12 * minuteMs, at + 5_000)).toBe("≥ 12 min");
  expect(sinceCell(source, state, 12 * minuteMs, at + 3 * hourMs)).toBe("then ≥ 12 min");
  expect(sinceCell(source, state, 0, at + 5_000)).toBe("just seen");
  expect(sinceCell(source, state, 0, at + 3 * hourMs)).toBe("seen once");
});
