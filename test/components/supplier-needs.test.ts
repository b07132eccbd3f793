import { needRows } from "../../src/components/supplier-needs.tsx";
import { historyOf } from "../../src/triage/figures/supplier-figures.ts";
import { cohortState, type SeenState } from "../../src/watch/timeline.ts";
import { watchStateOf } from "../../src/watch/watched.ts";

const at = Date.parse("2026-01-15T05:57:15Z");
const summary = {
  at,
  pending: 1,
  imported: 1,
  gone: 0,
  historySince: at,
  observations: 1,
  oldestPendingSince: at,
  pendingOverADay: 0,
  heldBack: null,
  lastDay: { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 },
};
const watched = (
  kind: "account" | "cohort",
  number: string,
  ...states: readonly (string | SeenState)[]
) =>
  watchStateOf({
    kind,
    supplier: "ACME",
    number,
    addedAt: 0,
    timeline: states.map((state, n) => ({
      ...(typeof state === "string" ? { state } : state),
      firstSeenAt: at + n * 5_000,
      lastSeenAt: at + n * 5_000,
    })),
  }).watched;

test("a gone account has the machines of the team whose lists lack it", () => {
  const gone = { count: 1, atLeast: false, latest: [{ external: "E-9", goneAt: at }] };
  const history = historyOf(summary, gone, 3);
  const [row] = needRows({ supplier: "ACME", history, unknown: [], watched: [] }, at + 60_000);
  expect(row?.words).toBe("was pending, on no list since 05:57, by 3 machines");
});

test("what is watched and failed is named with its time, and what is open is not", () => {
  const rows = needRows(
    {
      supplier: "ACME",
      history: null,
      unknown: [],
      watched: [
        watched("account", "E-1", "IN_PROGRESS", "UNKNOWN"),
        watched("account", "E-2", "IN_PROGRESS"),
        watched("cohort", "wave-1", cohortState({ done: 50, open: 7, failed: 3 })),
        { ...watched("account", "E-3", "IN_PROGRESS", "UNKNOWN"), supplier: "OTHER" },
      ],
    },
    at + 60_000,
  );
  expect(rows.map(({ label, number, words }) => `${label} ${number} ${words}`)).toEqual([
    "failed E-1 UNKNOWN (failed) since 05:57",
    "failed wave-1 3 of 60 failed, since 05:57 or earlier",
  ]);
});
