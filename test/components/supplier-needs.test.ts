import { needRows } from "../../src/components/supplier-needs.tsx";
import { cohortState, type SeenState } from "../../src/watch/timeline.ts";
import { watchStateOf } from "../../src/watch/watched.ts";

const at = Date.parse("2026-01-15T05:57:15Z");
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
