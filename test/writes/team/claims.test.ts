/** The claims of a state folder in its journal: what is claimed, and what the ledger does not have. */
import { serviceKey } from "../../../src/api/url.ts";
import type { Rows } from "../../../src/sqlite/rows.ts";
import {
  addIntent,
  beginAttempt,
  blockItems,
  recoverEntry,
  setItems,
  updateEntry,
} from "../../../src/writes/journal/changes.ts";
import { readEntry } from "../../../src/writes/journal/entry.ts";
import { processLife } from "../../../src/writes/owner.ts";
import { prepareWrite } from "../../../src/writes/prepare.ts";
import {
  countUnpublished,
  folderId,
  giveUpClaim,
  markPublished,
  publishAgain,
  readClaim,
  readPosition,
  readTeamFacts,
  storeClaim,
  storeLedgerState,
  storeTeamId,
  unpublished,
} from "../../../src/writes/team/claims.ts";
import { localClaimOf } from "../../../src/writes/team/from-journal.ts";
import { journalFolder } from "../../helpers/folders.ts";
import { journalIn, notes } from "../writing.ts";

const baseUrl = "https://service.example";
const place = { service: serviceKey(baseUrl), address: "db.example.com/ledger/supplyline" };
const owner = processLife(process.pid).self;
const write = prepareWrite(notes("one", "two"));

function addEntry(rows: Rows, token: string | null): number {
  const id = addIntent(rows, { write, profile: "p", baseUrl, owner, at: 1 });
  if (token !== null) expect(storeClaim(rows, place, id, localClaimOf(token, write))).toBe(true);
  return id;
}

const confirm = (rows: Rows, id: number) =>
  updateEntry(rows, id, owner, {
    state: "confirmed",
    reason: "answered",
    doubt: "none",
    httpStatus: 201,
    code: null,
    items: [],
    endedAt: 2,
  });

const statesOf = (rows: Rows) => unpublished(rows, place, 10).map(({ outcome }) => outcome.state);

/** Runs work with an entry that was confirmed and published. */
async function published<T>(work: (rows: Rows, id: number) => T): Promise<T> {
  const journal = await journalIn(journalFolder());
  return journal.commit((rows) => {
    const id = addEntry(rows, "t1");
    beginAttempt(rows, id, owner, 1);
    confirm(rows, id);
    markPublished(rows, unpublished(rows, place, 10));
    expect(statesOf(rows)).toEqual([]);
    return work(rows, id);
  });
}

test("a claim is numbered, and is read as it was stored", async () => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    const [first, second] = [addEntry(rows, "t1"), addEntry(rows, null)];
    expect(readClaim(rows, first)).toEqual({ ...localClaimOf("t1", write), number: 1 });
    const mixed = { token: "t3", recognized: [true, false] };
    storeClaim(rows, place, second, mixed);
    expect(readClaim(rows, second)).toEqual({ ...mixed, number: 2 });
    expect(readPosition(rows, place)).toEqual({ seq: 2, state: null, isComplete: true });
    expect(folderId(rows)).not.toBe("");
  });
});

test("an entry is published when it has an outcome, and not while it is being sent", async () => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    const id = addEntry(rows, "t1");
    expect(statesOf(rows)).toEqual([]);
    beginAttempt(rows, id, owner, 1);
    expect(statesOf(rows)).toEqual([]);
    expect(readPosition(rows, place).isComplete).toBe(true);
    confirm(rows, id);
    expect(statesOf(rows)).toEqual(["confirmed"]);
    expect(readPosition(rows, place).isComplete).toBe(false);
  });
});

test.each([
  ["before its attempt", false, "unsent"],
  ["after its attempt", true, "unknown"],
] as const)("a process that ended %s leaves an outcome to publish", async (_, isSent, state) => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    const id = addEntry(rows, "t1");
    if (isSent) beginAttempt(rows, id, owner, 1);
    recoverEntry(rows, id, 2);
    expect(statesOf(rows)).toEqual([state]);
  });
});

const label = { position: 0, label: "one", status: null };

test.each<[string, (rows: Rows, id: number) => unknown]>([
  ["the state", (rows, id) => rows.update("intent", { state: "unknown" }, "id = ?", id)],
  ["the reason", (rows, id) => rows.update("intent", { reason: "looked-up" }, "id = ?", id)],
  ["the doubt", (rows, id) => rows.update("intent", { doubt: "unknown" }, "id = ?", id)],
  ["the status", (rows, id) => rows.update("intent", { http_status: 200 }, "id = ?", id)],
  ["the code", (rows, id) => rows.update("intent", { code: "c" }, "id = ?", id)],
  ["a new item", (rows, id) => setItems(rows, id, [{ ...label, outcome: "created" }])],
  ["a block", (rows, id) => blockItems(rows, id)],
])("a later change of %s is published again", async (_, change) => {
  await published((rows, id) => {
    change(rows, id);
    expect(statesOf(rows)).toHaveLength(1);
  });
});

test("a change during the publishing stays unpublished", async () => {
  await published((rows, id) => {
    rows.update("intent", { state: "unknown" }, "id = ?", id);
    const sent = unpublished(rows, place, 10);
    rows.update("intent", { state: "closed" }, "id = ?", id);
    markPublished(rows, sent);
    expect(statesOf(rows)).toEqual(["closed"]);
  });
});

test("an entry without a claim is not published", async () => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    confirm(rows, addEntry(rows, null));
    expect(countUnpublished(rows, place)).toBe(0);
  });
});

test("an entry is not claimed again before its outcome is published", async () => {
  await published((rows, id) => {
    const again = localClaimOf("t2", write);
    rows.update("intent", { state: "retryable" }, "id = ?", id);
    expect(storeClaim(rows, place, id, again)).toBe(false);
    expect(readClaim(rows, id)?.token).toBe("t1");
    const before = unpublished(rows, place, 10);
    markPublished(rows, before);
    expect(storeClaim(rows, place, id, again)).toBe(true);
    // A late answer to the outcome of the earlier claim settles nothing of the new one.
    confirm(rows, id);
    markPublished(rows, before);
    expect(statesOf(rows)).toEqual(["confirmed"]);
  });
});

test("a claim that might have reached the ledger is given up before another one", async () => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    const id = addEntry(rows, "t1");
    expect(storeClaim(rows, place, id, localClaimOf("t2", write))).toBe(false);
    giveUpClaim(rows, id, 2);
    expect(unpublished(rows, place, 10)).toMatchObject([
      { outcome: { token: "t1", state: "unsent" } },
    ]);
  });
});

test("an entry that no ledger was asked about is left as it is", async () => {
  const journal = await journalIn(journalFolder());
  await journal.commit((rows) => {
    const id = addEntry(rows, null);
    giveUpClaim(rows, id, 2);
    expect(readEntry(rows, id)?.state).toBe("intent");
  });
});

test("a ledger that was restored gets every claim again; a newer entry changes nothing", async () => {
  await published((rows) => {
    storeLedgerState(rows, place, { epoch: "e1", newest: 7 });
    storeLedgerState(rows, place, { epoch: "e1", newest: 5 });
    expect(readPosition(rows, place).state).toEqual({ epoch: "e1", newest: 7 });
    expect(statesOf(rows)).toEqual([]);
    storeLedgerState(rows, place, { epoch: "e2", newest: 3 });
    expect(readPosition(rows, place)).toMatchObject({
      state: { epoch: "e2", newest: 3 },
      isComplete: false,
    });
    expect(statesOf(rows)).toEqual(["confirmed"]);
  });
});

const other = { ...place, address: "other.example.com/ledger/supplyline" };

test("an outcome is published to the ledger that has the claim, until another one gets it by joining", async () => {
  await published((rows, id) => {
    storeLedgerState(rows, place, { epoch: "e1", newest: 7 });
    rows.update("intent", { state: "unknown" }, "id = ?", id);
    storeLedgerState(rows, other, { epoch: "e9", newest: 1 });
    expect(unpublished(rows, other, 10)).toEqual([]);
    expect(countUnpublished(rows, other)).toBe(0);
    expect(statesOf(rows)).toEqual(["unknown"]);
    publishAgain(rows, other, id);
    expect(unpublished(rows, other, 10)).toHaveLength(1);
    expect(statesOf(rows)).toEqual([]);
  });
});

test("an entry with an outcome that another ledger lacks is claimed here", async () => {
  await published((rows, id) => {
    rows.update("intent", { state: "retryable" }, "id = ?", id);
    expect(storeClaim(rows, place, id, localClaimOf("t2", write))).toBe(false);
    expect(storeClaim(rows, other, id, localClaimOf("t2", write))).toBe(true);
    expect(readTeamFacts(rows, id)).toEqual({ teamId: null, isPublished: true });
  });
});

test("a ledger with the same epoch at another address is the same ledger", async () => {
  await published((rows, id) => {
    storeLedgerState(rows, place, { epoch: "e1", newest: 7 });
    storeTeamId(rows, id, 5);
    rows.update("intent", { state: "unknown" }, "id = ?", id);
    storeLedgerState(rows, other, { epoch: "e1", newest: 8 });
    expect(unpublished(rows, other, 10)).toHaveLength(1);
    expect(readTeamFacts(rows, id)?.teamId).toBe(5);
  });
});

test("a ledger that was restored at another address is asked about the entries that were seen", async () => {
  await published((rows) => {
    storeLedgerState(rows, place, { epoch: "e1", newest: 7 });
    storeLedgerState(rows, other, { epoch: "e1", newest: 5 });
    expect(readPosition(rows, other).state).toEqual({ epoch: "e1", newest: 7 });
  });
});

test("a ledger at another address is another ledger", async () => {
  await published((rows) => {
    storeLedgerState(rows, place, { epoch: "e1", newest: 7 });
    expect(readPosition(rows, other).state).toBeNull();
    storeLedgerState(rows, other, { epoch: "e9", newest: 1 });
    expect(statesOf(rows)).toEqual([]);
    expect(readPosition(rows, place).state).toBeNull();
  });
});
