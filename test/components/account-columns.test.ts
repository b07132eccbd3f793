import type { AccountRowView } from "../../src/accounts/account-list-snapshot.ts";
import { unlistedRow } from "../../src/accounts/table.ts";
import { accountColumns } from "../../src/components/account-columns.ts";
import { asciiCells } from "../../src/text/ascii-cells.ts";

const now = Date.UTC(2026, 10, 24, 12);
const minute = 60_000;

const rowOf = (more: Partial<AccountRowView>): AccountRowView => ({
  ...unlistedRow("EXT-1"),
  marked: false,
  change: null,
  ...more,
});

const pendingFor = (ms: number) => rowOf({ pending: true, pendingSince: now - ms });

/** The status of a row as it is drawn, in a list half of whose accounts are pending for `typicalMs`. */
function status(row: AccountRowView, typicalMs: number | null, width = 16): string {
  const typicalSince = typicalMs === null ? null : now - typicalMs;
  const of = { listedAt: now, typicalSince, sortedBy: null };
  const column = accountColumns(null, "all", of).find(({ id }) => id === "state");
  return (column?.pieces?.(row, width) ?? []).map(({ text }) => text).join("");
}

test("a status has a sign, and of a pending account its age as rising cells", () => {
  expect(status(rowOf({}), null)).toBe("✓ imported      ");
  expect(status(pendingFor(30_000), null)).toBe("○ pending       ");
  expect(status(pendingFor(12 * minute), null)).toBe("○ pending ▁▂    ");
  expect(status(pendingFor(9 * 1_440 * minute), null)).toBe("○ pending ▁▂▃▅▇ ");
  expect(asciiCells(status(pendingFor(12 * minute), null))).toBe("o pending _:    ");
  expect(asciiCells(status(rowOf({}), null))).toBe("v imported      ");
  expect(status(pendingFor(12 * minute), null, 10)).toBe("○ pending ");
});

test("an account that is pending ten times as long as half of the others is marked", () => {
  expect(status(pendingFor(45 * minute), 4 * minute)).toBe("○ pending ▁▂!   ");
  expect(status(pendingFor(35 * minute), 4 * minute)).toBe("○ pending ▁▂    ");
  // While all of them were just seen, none is late.
  expect(status(pendingFor(5_000), 5_000)).toBe("○ pending       ");
});

test("one column says since when, in the order that the list has", () => {
  const of = { listedAt: now, typicalSince: null };
  const since = (sortedBy: string | null) => accountColumns(null, "all", { ...of, sortedBy })[2];
  const created = rowOf({ created: "x", createdAt: Date.UTC(2026, 9, 27, 6, 46) });
  expect(since(null)?.text(pendingFor(12 * minute), 16)).toBe("≥ 12 min");
  expect(since("created")?.text(created, 10)).toMatch(/^2026-10-2\d$/);
  expect([since(null)?.id, since("created")?.id]).toEqual(["pending", "created"]);
});
