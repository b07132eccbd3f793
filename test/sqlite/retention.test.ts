/** Promise: a clock that is wrong, however often it is asked, deletes little. */
import { openInMemory } from "../../src/sqlite/open-file.ts";
import { nextRetention, retentionTable } from "../../src/sqlite/retention.ts";
import { rowsOf } from "../../src/sqlite/rows.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.parse("2026-11-20T12:00:00Z");

/** A file of which the oldest row is due at some time. */
async function openFile(oldestDue: number | null) {
  const { database } = await openInMemory({
    file: "x.sqlite",
    applicationId: 1,
    firstVersion: 1,
    steps: [retentionTable],
    about: "file",
    noun: "file",
    holds: "",
    row: "",
    onDamage: "",
  });
  const rows = rowsOf(database);
  return (trusted: number | null) => nextRetention(rows, trusted, () => oldestDue);
}

test("without a time that is trusted nothing is deleted, and nothing is stored", async () => {
  const next = await openFile(now - 9 * day);
  expect([next(null), next(null)]).toEqual([null, null]);
  expect([next(now), next(now + hour)]).toEqual([null, now - 8 * day]);
});

test("the first retention deletes nothing, and those after it a day's worth, once an hour", async () => {
  const next = await openFile(now - 2 * day);
  const times = [0, 0.5, 1, 1.5, 2, 3, 4, 23, 24, 48].map((hours) => next(now + hours * hour));
  expect(times.map((time) => (time === null ? null : (time - now) / day))).toEqual([
    null,
    null,
    -1,
    null,
    0,
    null,
    null,
    null,
    1,
    2,
  ]);
});

test("a file without old rows begins at the present time", async () => {
  const next = await openFile(now + 90 * day);
  expect([next(now), next(now + day - 1), next(now + day)]).toEqual([null, null, now + day]);
});

test("an empty file stores nothing: a wrong clock would be believed later", async () => {
  const next = await openFile(null);
  expect([next(now + 800 * day), next(now + 801 * day)]).toEqual([null, null]);
});

test("a clock that is far ahead for a moment deletes a day's worth, and the right one goes on", async () => {
  const next = await openFile(now);
  next(now);
  expect(next(now + 800 * day)).toBe(now + day);
  expect(next(now + 800 * day + hour / 2)).toBeNull();
  expect(next(now + 2 * hour)).toBeNull();
  expect(next(now + 2 * day)).toBe(now + day + 2 * hour);
});
