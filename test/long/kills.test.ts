import { type RowsKind, sandboxWith } from "../bulk/bulking.ts";
import { journalFolder } from "../helpers/folders.ts";
import { isWhole, killAgainAndAgain, seeded } from "./killing.ts";

/** Tests that a write without a read stays unknown, and that a missing supply point proves nothing. */
const mayStayUnknown: readonly RowsKind[] = ["payment-instructions", "supply-points"];

describe("killed at moments of every kind, and resumed each time", () => {
  test.each<[kind: RowsKind, rows: number, kills: number, seed: number]>([
    ["notes", 200, 6, 1],
    ["transactions", 120, 3, 3],
    ["payment-instructions", 120, 3, 4],
    ["supply-points", 60, 3, 5],
  ])(
    "%s (%i rows, %i kills, seed %i): at most one effect a row, and report and ledger agree",
    async (...[kind, rows, kills, seed]) => {
      const sandbox = await sandboxWith();
      const { baseUrl, apiKey } = sandbox;
      const where = journalFolder();
      const effects = () => sandbox.ledger().filter(({ cause }) => cause === "request");
      const random = seeded(seed);
      const plan = { folder: where, baseUrl, apiKey, kind, rows, settleMs: 0, kills, random };
      const report = await killAgainAndAgain(plan, async () => effects().map(({ key }) => key));
      expect(report).toMatchObject({ end: "ended", disagreements: [], strays: [] });
      expect(report.killed).toBeGreaterThanOrEqual(kills / 2);
      const { confirmed = 0, unknown = 0 } = report.outcomes;
      expect(confirmed + unknown).toBe(rows);
      if (!mayStayUnknown.includes(kind)) expect(unknown).toBe(0);
      expect(await isWhole(where)).toBe(true);
    },
  );
});
