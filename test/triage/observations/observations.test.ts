import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runToEnd } from "../../../src/accounts/slices.ts";
import { rowsOf } from "../../../src/sqlite/rows.ts";
import type { Observations } from "../../../src/triage/observations/observations.ts";
import { openObservations } from "../../../src/triage/observations/open-observations.ts";
import { observationsKind } from "../../../src/triage/observations/schema.ts";
import {
  accountsOf,
  packedSnapshot,
  putForgotten,
  readStoredList,
  storedList,
} from "../../../src/triage/observations/store.ts";
import { batchOf, type Row } from "../../accounts/rows.ts";
import { type FakeClock, fakeClock } from "../../helpers/clock.ts";
import { openSmallDisk } from "../../helpers/small-disk.ts";

const origin = "https://service.example";
const hour = 3_600_000;
const imported = "2026-01-02T03:04:05Z";

/** Removed after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "supplyline-observations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(
  options: {
    folder?: string | null;
    clock?: FakeClock;
    isTrusted?: boolean;
    wrongByMs?: number;
  } = {},
) {
  const { folder = null, clock = fakeClock(), isTrusted = false, wrongByMs = 0 } = options;
  const judge = { trustedNow: () => (isTrusted ? clock.now() : null), wrongByMs: () => wrongByMs };
  const observations = await openObservations({ folder, origin, clock, judge, recording: true });
  /** Records one list, an hour after the one before. */
  const observe = async (...rows: Row[]) => {
    await clock.advance(hour);
    return record(observations, clock.now(), rows);
  };
  return { observations, clock, observe };
}

async function record(observations: Observations, at: number, rows: readonly Row[]) {
  const recorder = observations.begin("ACME", at);
  recorder.take(batchOf(rows));
  return recorder.finish();
}

/** The changes in short: number, change, from, to. */
async function changesIn(observations: Observations, since: number | null = null) {
  const changes = await observations.changes("ACME", since);
  return changes.map(({ external, change, from, to }) => `${external} ${change} ${from} ${to}`);
}

async function agesIn(observations: Observations) {
  const ages = await observations.ages("ACME");
  if (ages === null) throw new Error("never observed");
  return ages;
}

describe("changes", () => {
  test("the first observation shows none; later ones show what came, went and changed", async () => {
    const { observations, observe } = await opened();
    expect(await observe(["E-1"], ["E-2", "A-2", imported])).toMatchObject({
      first: true,
      changes: 0,
    });
    expect(await changesIn(observations)).toEqual([]);
    await observe(["E-1", "A-1", imported], ["E-2", "A-22", imported], ["E-3"], ["E-4", "A-4"]);
    expect(await changesIn(observations)).toEqual([
      "E-1 imported pending imported",
      "E-2 renumbered A-2 A-22",
      "E-3 staged null pending",
      "E-4 imported null imported",
    ]);
  });

  test("an account that leaves is gone while it was never imported, else removed, and can return", async () => {
    const { observations, observe } = await opened();
    await observe(["E-0"], ["E-1"], ["E-2", "A-2"], ["E-3"]);
    await observe(["E-0"]);
    await observe(["E-0"], ["E-1"], ["E-2", "A-2"], ["E-3", "A-3"]);
    expect(await changesIn(observations)).toEqual([
      "E-1 gone pending gone",
      "E-2 removed imported removed",
      "E-3 gone pending gone",
      "E-1 returned gone pending",
      "E-2 returned removed imported",
      "E-3 imported gone imported",
    ]);
  });

  test("an imported account that is pending again is staged; it is removed, not gone, when it leaves", async () => {
    const { observations, observe } = await opened();
    await observe(["E-0"], ["E-1", "A-1"]);
    await observe(["E-0"], ["E-1"]);
    await observe(["E-0"]);
    expect(await changesIn(observations)).toEqual([
      "E-1 staged imported pending",
      "E-1 removed pending removed",
    ]);
  });

  test("a number that is listed twice changes nothing, whichever row comes first", async () => {
    const { observations, observe } = await opened();
    await observe(["E-1", "A-1"], ["E-2"]);
    await observe(["E-1"], ["E-2"], ["E-1", "A-9"], ["E-1", "A-1"], ["E-2"]);
    await observe(["E-2"], ["E-1", "A-1"], ["E-1"]);
    expect(await changesIn(observations)).toEqual([]);
  });

  test("a number that a first list in order repeats out of order is one account", async () => {
    const { observations, clock } = await opened();
    await clock.advance(hour);
    const recorder = observations.begin("ACME", clock.now());
    await recorder.take(batchOf([["A"], ["B"], ["C"], ["C"], ["B", imported], ["D"]]));
    await recorder.take(batchOf([["E"], ["D"], ["A"]]));
    await recorder.finish();
    const ages = await agesIn(observations);
    const numbers = Array.from({ length: ages.rows }, (_, row) => ages.externalAt(row));
    expect(numbers).toEqual(["A", "B", "C", "D", "E"]);
    expect(ages.observedStateOf(ages.rowOf("B"))?.state).toBe("imported");
  });

  test("numbers that differ by case, normalization or spaces are different accounts", async () => {
    const { observations, observe } = await opened();
    await observe(["é"], ["a"]);
    await observe(["e\u0301"], ["A"], ["a "], ["é"], ["a"]);
    expect(await changesIn(observations)).toHaveLength(3);
  });

  test("those since a time, and those of another supplier or origin, are apart", async () => {
    const { observations, observe, clock } = await opened();
    await observe(["E-1"]);
    await observe(["E-1"], ["E-2"]);
    const since = clock.now();
    await observe(["E-1"], ["E-2"], ["E-3"]);
    expect(await changesIn(observations, since + 1)).toEqual(["E-3 staged null pending"]);
    expect(await observations.changes("OTHER", null)).toEqual([]);
  });

  test("are deleted after 90 days, accounts that left after 730 days", async () => {
    const { observations, observe, clock } = await opened({ isTrusted: true });
    /** A list every day. */
    const days = async (count: number) => {
      for (let day = 0; day < count; day++) {
        await clock.advance(23 * hour);
        await observe(["E-1"]);
      }
    };
    await observe(["E-1"], ["E-2"]);
    await observe(["E-1"]);
    await days(89);
    expect(await changesIn(observations)).toHaveLength(1);
    await days(4);
    expect(await changesIn(observations)).toEqual([]);
    await days(635);
    expect([...(await agesIn(observations)).gone()]).toHaveLength(1);
    await days(4);
    expect([...(await agesIn(observations)).gone()]).toEqual([]);
  });

  test("stay, and accounts with them, while no service has confirmed a clock that is far ahead", async () => {
    const { observations, observe, clock } = await opened();
    observations.saw({ kind: "account", supplier: "ACME", number: "E-1" }, "UNKNOWN", clock.now());
    await observe(["E-1"], ["E-2"]);
    await observe(["E-1"]);
    for (let list = 0; list < 3; list++) {
      await clock.advance(800 * 24 * hour);
      await observe(["E-1"]);
    }
    expect(await changesIn(observations)).toHaveLength(1);
    expect([...(await agesIn(observations)).gone()]).toHaveLength(1);
    expect(
      await observations.timeline({ kind: "account", supplier: "ACME", number: "E-1" }),
    ).toHaveLength(1);
  });

  test("stay also where a clock that is far ahead is believed once", async () => {
    const { observations, observe, clock } = await opened({ isTrusted: true });
    await observe(["E-1"], ["E-2"]);
    await observe(["E-1"]);
    await clock.advance(800 * 24 * hour);
    await observe(["E-1"]);
    await observe(["E-1"]);
    expect(await changesIn(observations)).toHaveLength(1);
    expect([...(await agesIn(observations)).gone()]).toHaveLength(1);
  });
});

describe("ages", () => {
  test("are null for a supplier that was never observed", async () => {
    const { observations } = await opened();
    expect(await observations.ages("ACME")).toBeNull();
    expect(await observations.summary("ACME", 0)).toBeNull();
  });

  test("pending since the first sight, again after a return; first seen stays", async () => {
    const { observations, observe, clock } = await opened();
    await observe(["E-0"], ["E-1"]);
    const first = clock.now();
    await observe(["E-0"]);
    const goneAt = clock.now();
    const gone = [...(await agesIn(observations)).gone()];
    expect(gone).toEqual([{ external: "E-1", firstSeenAt: first, pendingSince: first, goneAt }]);
    await observe(["E-0"], ["E-1"]);
    const ages = await agesIn(observations);
    const row = ages.find(Buffer.from("xE-1"), 1, 4);
    expect([ages.firstSeen(row), ages.pendingSince(row), ages.goneAt(row)]).toEqual([
      first,
      clock.now(),
      Number.NaN,
    ]);
    expect(ages.pendingSince(ages.rowOf("E-0"))).toBe(first);
    expect(ages.rowOf("E-9")).toBe(-1);
  });

  test("new are accounts that were not in the last observation before today", async () => {
    const clock = fakeClock(new Date(2026, 0, 15, 20).getTime());
    const { observations, observe } = await opened({ clock });
    await observe(["E-0"], ["E-1"]);
    expect((await agesIn(observations)).isNew(0)).toBe(false);
    await observe(["E-0"]);
    await clock.advance(8 * hour);
    await observe(["E-0"], ["E-1"], ["E-2"]);
    await observe(["E-1"], ["E-2"]);
    await observe(["E-0"], ["E-1"], ["E-2"]);
    const ages = await agesIn(observations);
    const isNew = ["E-0", "E-1", "E-2"].map((number) => ages.isNew(ages.rowOf(number)));
    expect(isNew).toEqual([false, true, true]);
  });
});

describe("lists that are not believed, late, or not whole", () => {
  test("an empty list after another one is held back until it is confirmed", async () => {
    const { observations, observe } = await opened();
    await observe(["E-1"]);
    expect(await observations.confirm("ACME")).toBe(false);
    expect(await observe()).toEqual({ kind: "held-back", before: 1, now: 0 });
    expect(await changesIn(observations)).toEqual([]);
    expect(await observations.confirm("ACME")).toBe(true);
    expect(await changesIn(observations)).toEqual(["E-1 gone pending gone"]);
    expect(await observations.confirm("ACME")).toBe(false);
  });

  test("a list that lost more than half of more than 100 accounts is held back; a usual one replaces it", async () => {
    const { observations, observe, clock } = await opened();
    const all = Array.from({ length: 101 }, (_, at): Row => [`E-${at}`]);
    await observe(...all);
    expect(await observe(...all.slice(0, 50))).toMatchObject({ kind: "held-back", before: 101 });
    expect(await observations.summary("ACME", clock.now())).toMatchObject({
      pending: 101,
      heldBack: { before: 101, now: 50 },
    });
    expect(await observe(...all.slice(0, 51))).toMatchObject({ kind: "recorded", changes: 50 });
    expect(await observations.confirm("ACME")).toBe(false);
  });

  test("a load that began before the newest recorded one is dropped", async () => {
    const { observations, observe, clock } = await opened();
    await observe(["E-1"]);
    expect(await record(observations, clock.now() - 1, [["E-2"]])).toEqual({ kind: "late" });
    expect(await changesIn(observations)).toEqual([]);
  });

  test("a clock that was ahead and is put right does not end the recording", async () => {
    const folder = temporaryFolder();
    const ahead = await opened({ folder, clock: fakeClock("2026-06-01T00:00:00Z") });
    await ahead.observe(["E-1"]);
    const { observations, observe, clock } = await opened({ folder });
    expect(await observe(["E-1"], ["E-2"])).toMatchObject({ kind: "recorded", changes: 1 });
    const ages = await agesIn(observations);
    expect(ages.pendingSince(ages.rowOf("E-1"))).toBe(clock.now());
    await ahead.observations.close();
    await observations.close();
  });

  test.each([800, -800])(
    "times are the service's while the machine's clock is %i days ahead of it",
    async (days) => {
      const wrongByMs = days * 24 * hour;
      const service = fakeClock();
      const machine = fakeClock(service.now() + wrongByMs);
      const { observations, observe } = await opened({ clock: machine, wrongByMs });
      await observe(["E-1"]);
      await observe(["E-1"], ["E-2"]);
      const { pendingSince, rowOf, observedAt } = await agesIn(observations);
      const seen = [rowOf("E-1"), rowOf("E-2")].map(pendingSince);
      expect(seen).toEqual([service.now() + hour, service.now() + 2 * hour]);
      expect(observedAt).toBe(service.now() + 2 * hour);
      await observations.close();
    },
  );

  test("a load that is discarded leaves nothing", async () => {
    const { observations, clock } = await opened();
    const recorder = observations.begin("ACME", clock.now());
    recorder.take(batchOf([["E-1"]]));
    recorder.discard();
    expect(await recorder.finish()).toMatchObject({ kind: "off", why: null, comparison: null });
    expect(await observations.ages("ACME")).toBeNull();
  });
});

describe("the file", () => {
  test("is for the user alone, and read again by another process", async () => {
    const folder = temporaryFolder();
    const one = await opened({ folder });
    await one.observe(["E-1"]);
    await one.observations.close();
    expect(statSync(join(folder, observationsKind.file)).mode & 0o777).toBe(0o600);
    const other = await opened({ folder });
    expect((await agesIn(other.observations)).rows).toBe(1);
    expect(await other.observations.stored()).toMatchObject([
      { supplier: "ACME", origin, observations: 1, accounts: 1 },
    ]);
    await other.observations.close();
  });

  test.each([
    [
      "damaged",
      (path: string) => writeFileSync(path, "x".repeat(9_000), { mode: 0o600 }),
      /the file is no observations file/,
    ],
    ["open to others", (path: string) => chmodSync(path, 0o644), /open to other users/],
    ["of a later version", laterVersion, /later version/],
  ])(
    "when %s is not used: one sentence says why, and lists are not stopped",
    async (_what, harm, words) => {
      const folder = temporaryFolder();
      const before = await opened({ folder });
      await before.observations.close();
      harm(join(folder, observationsKind.file));
      const { observations, observe } = await opened({ folder });
      expect(observations.problem()).toMatch(words);
      expect(await observe(["E-1"])).toMatchObject({
        kind: "off",
        why: observations.problem(),
        storedAt: null,
      });
      await expect(observations.ages("ACME")).rejects.toThrow(words);
      observations.saw({ kind: "account", supplier: "ACME", number: "E-1" }, "COMPLETED", 0);
      await observations.close();
    },
  );

  test("on a full disk: recording ends with a sentence, and what was stored can be read", async (context) => {
    using disk = openSmallDisk();
    if (disk === null) return context.skip();
    const { observations, observe } = await opened({ folder: disk.path });
    await observe(["E-1"]);
    disk.fill();
    const all = Array.from({ length: 2_000 }, (_, at): Row => [`E-${at}`, `A-${at * 7_919}`]);
    const words = /no space left/;
    expect(await observe(...all)).toMatchObject({ kind: "off", why: expect.stringMatching(words) });
    expect(observations.problem()).toMatch(words);
    expect(await observations.stored()).toMatchObject([{ accounts: 1 }]);
    await observations.close();
  });

  test("with damage inside it never throws into a list, and shows nothing that was not listed", async () => {
    const folder = temporaryFolder();
    const one = await opened({ folder });
    await one.observe(...Array.from({ length: 300 }, (_, at): Row => [`E-${at}`, `A-${at}`]));
    await one.observations.close();
    const path = join(folder, observationsKind.file);
    const whole = readFileSync(path);
    for (let at = 4_096; at < whole.length; at += 1_777) {
      const harmed = Buffer.from(whole);
      harmed.fill(0xa5, at, at + 64);
      writeFileSync(path, harmed);
      const { observations, clock } = await opened({ folder });
      const recorded = await record(observations, clock.now() + 0, [
        ["E-0", "A-0"],
        ["E-1", "A-1"],
      ]);
      expect(["off", "late", "held-back"]).toContain(recorded.kind);
      if (recorded.kind === "off") expect(recorded.why).toMatch(/damaged|not an? /);
      await observations.close();
      for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
    }
  });

  test("is not written while recording is off, and no problem is named", async () => {
    const clock = fakeClock();
    const observations = await openObservations({ folder: null, origin, clock, recording: false });
    expect(await record(observations, clock.now(), [["E-1"]])).toMatchObject({
      kind: "off",
      why: null,
      storedAt: null,
    });
    expect(await observations.stored()).toEqual([]);
    expect(observations.problem()).toBeNull();
  });
});

function laterVersion(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA user_version = 99");
  database.close();
}

describe("statuses seen", () => {
  const subject = { kind: "account", supplier: "ACME", number: "E-1" } as const;

  test("show how long imports took of which the beginning and the end were seen", async () => {
    const { observations, clock } = await opened();
    const saw = (number: string, supplier: string, ...states: readonly [string, number][]) => {
      for (const [state, at] of states)
        observations.saw({ kind: "account", supplier, number }, state, clock.now() + at);
    };
    saw("E-1", "ACME", ["UNKNOWN", 0], ["IN_PROGRESS", 1_000], ["COMPLETED", 5_000]);
    saw("E-2", "ACME", ["IN_PROGRESS", 0], ["COMPLETED", 9_000]);
    saw("E-3", "ACME", ["UNKNOWN", 0], ["IN_PROGRESS", 1_000]);
    saw("E-1", "ACME-2", ["UNKNOWN", 0], ["IN_PROGRESS", 1_000], ["COMPLETED", 2_000]);
    // Stored before they are read.
    await observations.timeline({ kind: "account", supplier: "ACME", number: "E-1" });
    expect(await observations.importTimes("ACME")).toEqual([4_000]);
  });

  test("are stored at once where the state is another one, and together where it was seen again", async () => {
    const folder = temporaryFolder();
    const one = await opened({ folder });
    const other = await opened({ folder });
    const start = one.clock.now();
    const stored = () => other.observations.timeline(subject);
    one.observations.saw(subject, "IN_PROGRESS", start + 1_000);
    await expect.poll(stored).toHaveLength(1);
    one.observations.saw(subject, "IN_PROGRESS", start + 2_000);
    one.observations.saw(subject, "IN_PROGRESS", start + 3_000);
    await one.clock.untilSleeping();
    expect((await stored()).at(-1)?.lastSeenAt).toBe(start + 1_000);
    await one.clock.advance(10_000);
    await expect.poll(async () => (await stored()).at(-1)?.lastSeenAt).toBe(start + 3_000);
    one.observations.saw(subject, "IN_PROGRESS", start + 4_000);
    one.observations.saw(subject, "COMPLETED", start + 5_000);
    await expect.poll(stored).toEqual([
      { state: "IN_PROGRESS", firstSeenAt: start + 1_000, lastSeenAt: start + 4_000 },
      { state: "COMPLETED", firstSeenAt: start + 5_000, lastSeenAt: start + 5_000 },
    ]);
    one.observations.saw(subject, "COMPLETED", start + 6_000);
    await one.observations.close();
    expect((await stored()).at(-1)?.lastSeenAt).toBe(start + 6_000);
    await other.observations.close();
  });

  test("make a timeline that is there tomorrow", async () => {
    const folder = temporaryFolder();
    const one = await opened({ folder });
    one.observations.saw(subject, "UNKNOWN", 1_000_000_000_000);
    one.observations.saw(subject, "IN_PROGRESS", one.clock.now());
    one.observations.saw(subject, "IN_PROGRESS", one.clock.now() + 1);
    await one.observations.close();
    const { observations, clock } = await opened({ folder });
    expect(await observations.timeline(subject)).toEqual([
      { state: "UNKNOWN", firstSeenAt: 1_000_000_000_000, lastSeenAt: 1_000_000_000_000 },
      { state: "IN_PROGRESS", firstSeenAt: clock.now(), lastSeenAt: clock.now() + 1 },
    ]);
    expect(await observations.timeline({ ...subject, kind: "supply-point" })).toEqual([]);
    await observations.close();
  });
});

describe("purge", () => {
  test("deletes a supplier, what is old, or everything", async () => {
    const { observations, observe, clock } = await opened();
    await observe(["E-1"]);
    expect(await observations.purge({ supplier: "OTHER" })).toBe(0);
    expect(await observations.purge({ before: clock.now() })).toBe(0);
    expect(await observations.purge({ before: clock.now() + 1 })).toBe(1);
    await observe(["E-1"]);
    expect(await observations.purge({ supplier: "ACME" })).toBe(1);
    await observe(["E-1"]);
    expect(await observations.purge("all")).toBe(1);
    expect(await observations.stored()).toEqual([]);
  });

  test("erases timelines from the disk if no list was stored", async () => {
    const folder = temporaryFolder();
    const { observations, clock } = await opened({ folder });
    const subject = { kind: "account", supplier: "ACME", number: "E-TIMELINE" } as const;
    observations.saw(subject, "UNKNOWN", clock.now());
    await observations.timeline(subject);
    const isOnDisk = () =>
      readdirSync(folder).some((file) => readFileSync(join(folder, file)).includes("E-TIMELINE"));
    expect(isOnDisk()).toBe(true);
    expect(await observations.purge({ supplier: "ACME" })).toBe(0);
    expect(isOnDisk()).toBe(false);
    await observations.close();
  });
});

describe("readers of the ages", () => {
  test("share them until the next list", async () => {
    const { observations, observe } = await opened({ folder: temporaryFolder() });
    await observe(["A"], ["B"]);
    const [one, other] = await Promise.all([agesIn(observations), agesIn(observations)]);
    expect(one).toBe(other);
    expect(await agesIn(observations)).toBe(one);
    await observe(["A"]);
    const next = await agesIn(observations);
    expect(next).not.toBe(one);
    expect([...one.gone()]).toEqual([]);
    expect([...next.gone()].map(({ external }) => external)).toEqual(["B"]);
    await observations.close();
  });

  test("get the same from the recording as from the file", async () => {
    const folder = temporaryFolder();
    const { observations, observe, clock } = await opened({ folder });
    await observe(["A"], ["B", imported], ["C"]);
    await observe(["B", imported], ["C", imported], ["D"]);
    const reopened = await opened({ folder, clock });
    const facts = async (from: Observations) => {
      const ages = await agesIn(from);
      return Array.from({ length: ages.rows }, (_, row) => [
        ages.externalAt(row),
        ages.observedStateOf(row),
        ages.firstSeen(row),
        ages.lastSeen(row),
        ages.isNew(row),
      ]);
    };
    expect(await facts(observations)).toEqual(await facts(reopened.observations));
    await observations.close();
    await reopened.observations.close();
  });

  test("read those of their list while the next one is recorded and afterward", async () => {
    const { observations, observe, clock } = await opened({ folder: temporaryFolder() });
    await observe(["A"], ["B"]);
    const before = await agesIn(observations);
    const facts = () =>
      ["A", "B", "C"].map((number) => {
        const row = before.rowOf(number);
        return [row, before.observedStateOf(row), before.firstSeen(row), before.lastSeen(row)];
      });
    const known = facts();
    await clock.advance(hour);
    const recorder = observations.begin("ACME", clock.now());
    await recorder.take(batchOf([["C"], ["A", "A-1", imported]]));
    expect(facts()).toEqual(known);
    await recorder.finish();
    expect(facts()).toEqual(known);
    expect(known[2]).toEqual([-1, null, Number.NaN, Number.NaN]);
    await observations.close();
  });

  test("and two loads at the same time share what is stored", async () => {
    const folder = temporaryFolder();
    const { observations, observe, clock } = await opened({ folder });
    await observe(["A"], ["B"]);
    const before = await agesIn(observations);
    await clock.advance(hour);
    const first = observations.begin("ACME", clock.now() - 1);
    const second = observations.begin("ACME", clock.now());
    await first.take(batchOf([["A"], ["B", imported], ["C"]]));
    await second.take(batchOf([["D"], ["A"], ["B", imported], ["C"]]));
    await first.finish();
    await second.finish();
    expect(await changesIn(observations)).toEqual([
      "B imported pending imported",
      "C staged null pending",
      "D staged null pending",
    ]);
    expect(before.rows).toBe(2);
    const reopened = await opened({ folder, clock });
    const ages = await agesIn(reopened.observations);
    expect(["A", "B", "C", "D"].map((number) => ages.rowOf(number))).toEqual([0, 1, 2, 3]);
    await observations.close();
    await reopened.observations.close();
  });

  test("and the next list know what another process has deleted", async () => {
    const folder = temporaryFolder();
    const { observations, observe, clock } = await opened({ folder });
    await observe(["A"], ["B"]);
    await observe(["A"]);
    expect([...(await agesIn(observations)).gone()]).toHaveLength(1);
    using database = new DatabaseSync(join(folder, observationsKind.file));
    const rows = rowsOf(database);
    const list = storedList(rows, origin, "ACME");
    if (list === null) throw new Error("nothing is stored");
    const accounts = await accountsOf(readStoredList(rows, list));
    const forgotten = runToEnd(accounts.forget(Number.POSITIVE_INFINITY));
    putForgotten(rows, list.id, { forgotten, snapshot: await packedSnapshot(accounts) });
    expect([...(await agesIn(observations)).gone()]).toEqual([]);
    await observe(["A"], ["B"]);
    const reopened = await opened({ folder, clock });
    const ages = await agesIn(reopened.observations);
    expect(ages.observedStateOf(ages.rowOf("B"))?.state).toBe("pending");
    expect((await changesIn(observations)).at(-1)).toBe("B staged null pending");
    await observations.close();
    await reopened.observations.close();
  });

  test("leave without stopping the others", async () => {
    const { observations, observe } = await opened({ folder: temporaryFolder() });
    await observe(["A"]);
    const leaving = new AbortController();
    const left = observations.ages("ACME", leaving.signal);
    const stays = agesIn(observations);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    expect((await stays).rows).toBe(1);
    await observations.close();
  });
});
