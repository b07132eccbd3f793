/** A report of a migration day, as long as a chat message shows it. */
import { openOf } from "../../../src/triage/open/open.ts";
import { markdownOf } from "../../../src/triage/report/blocks.ts";
import { describeReport } from "../../../src/triage/report/describe-report.ts";
import type { Report, SupplierSection, WatchedItem } from "../../../src/triage/report/report.ts";
import type { Done } from "../../../src/writes/done.ts";

const at = Date.parse("2026-11-22T14:00:00Z");
const hour = 3_600_000;
const noChanges = { staged: 0, imported: 0, gone: 0, returned: 0, renumbered: 0, removed: 0 };

const quiet = (supplier: string): SupplierSection => ({
  supplier,
  cohort: null,
  problem: null,
  rate: null,
  finish: null,
  before: null,
  now: { at, imported: 1_200, pending: 0, total: 1_200 },
  changes: noChanges,
  oldest: [],
  pendingOverADay: 0,
  heldBack: null,
  gone: { count: 0, atLeast: false, accounts: [] },
});

const busy = (supplier: string): SupplierSection => ({
  ...quiet(supplier),
  now: { at, imported: 12_886, pending: 7_114, total: 20_000 },
  before: { at: at - 8 * hour, imported: 9_000, pending: 11_000 },
  changes: { ...noChanges, imported: 3_886, staged: 12, gone: 140 },
  oldest: Array.from({ length: 5 }, (_, n) => ({ external: `${supplier}-${n}`, since: at - hour })),
  pendingOverADay: 90,
  gone: {
    count: 140,
    atLeast: false,
    accounts: Array.from({ length: 140 }, (_, n) => `${supplier}-GONE-${n}`),
  },
});

const watched = Array.from(
  { length: 500 },
  (_, n): WatchedItem => ({
    kind: "account",
    supplier: "ACME",
    number: `EXT-${n}`,
    since: at - hour,
    state: n < 497 ? "pending" : "COMPLETED",
    words: n < 497 ? "pending" : "COMPLETED",
    times: [],
    finality: n < 497 ? "open" : "reached",
    end: n < 497 ? "open" : "reached",
    progress: null,
    cohort: "wave-3",
  }),
);

const cause = (n: number) => ({
  key: `notes-create:404:c${n}`,
  operation: "notes create",
  httpStatus: 404,
  code: `c${n}`,
  errorCodes: [],
  count: 8,
  retryable: 0,
  inDoubt: 0,
  message: "Not found.",
  sample: [1],
  runs: ["ryjzx5"],
});

const done = (
  operation: string,
  outcome: Done["outcome"],
  tookEffect: Done["tookEffect"],
  rows: number,
  sum: string | null,
): Done => ({ operation, importSupplier: "ACME", outcome, tookEffect, entries: rows, rows, sum });

const work: NonNullable<Report["work"]> = {
  done: [
    done("notes create", "confirmed", "yes", 482, null),
    done("transactions create", "confirmed", "yes", 34, "1204.50"),
    done("payment-instructions create", "unknown", "unknown", 1, null),
  ],
  closed: [],
  causes: [cause(1), cause(2)],
  entries: Array.from({ length: 40 }, (_, n) => ({
    journal_id: n + 1,
    created_at: "2026-11-22T10:00:00.000Z",
    profile: "live",
    operation: "notes create",
    import_supplier: "ACME",
    external_account_number: `EXT-${n}`,
    outcome: "retryable" as const,
    http_status: 503,
    code: null,
    attempts: 1,
    run: null,
    might_have_taken_effect: false,
  })),
  rejectedRows: [{ run: "ryjzx5", profile: "live", supplier: "ACME", rows: 15 }],
  runs: [],
};

const suppliers = [busy("ACME"), busy("NORTH"), quiet("PAUSED"), quiet("DONE")];
const cohorts = ["wave-3", "wave-4"].map((name) => ({
  name,
  supplier: "ACME",
  accounts: 5_000,
  imported: 3_207,
  pending: 1_738,
  unlisted: 55,
}));
const lists = suppliers.map(({ supplier, gone }) => ({
  supplier,
  gone,
  isHeldBack: false,
  hasFailed: false,
}));

const report: Report = {
  at,
  since: at - 8 * hour,
  team: null,
  profile: "live",
  environment: "production",
  problems: [],
  baseUrl: "https://api.example.com",
  suppliers,
  cohorts,
  work,
  watched,
  open: openOf({ work: { ...work, entries: new Map() }, watched, lists, cohorts }),
};

test("a migration day is at most 60 lines and what was done, with one command for what is folded", () => {
  const text = markdownOf(
    describeReport(report, {
      profile: "live",
      profilesOfService: ["live"],
      reconnectHint: null,
      storedIn: "desk in /state",
    }),
  );
  const lines = text.trimEnd().split("\n");
  // A sentence at the top, a heading, and a table of three rows with a blank line after it.
  expect(lines.length, text).toBeLessThanOrEqual(60 + 8);
  expect(lines[1]).toBe(
    "Done since 2026-11-22 06:00 UTC. Took effect: 482 notes, 34 transactions of 1204.50 in all. Might have taken effect: 1 payment instruction.",
  );
  expect(lines[2]).toBe(
    "Open: 280 gone at 2 suppliers, 110 of 2 cohorts on no list, 15 rows rejected, watching 497.",
  );
  expect(text).toContain("ACME, cohort wave-3: 497 of 500 pending, 3 imported.");
  expect(text).toContain("supplyline accounts watch ACME --cohort wave-3 --profile live");
  expect(text).toContain("ACME: 40 entries retryable.");
  expect(text).toContain("ACME-GONE-19, 120 more.");
  expect(text).toContain("ACME: 15 rows of run ryjzx5 rejected and not confirmed since.");
  expect(text).not.toContain("DONE: ");
});
