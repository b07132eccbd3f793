import { describe, expect, test } from "vitest";
import { addIntent, setItems } from "../../src/writes/journal/changes.ts";
import type { State } from "../../src/writes/journal/entry.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import { close, countOpenEntries, listOpenEntries } from "../../src/writes/open-entries.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { journalFolder } from "../helpers/folders.ts";
import { journalIn, notes, transactions } from "./writing.ts";

const baseUrl = "http://127.0.0.1:9";
const { signal } = new AbortController();

/** Adds an entry that ended in a state, at a time; a label names each item that was answered. */
function add(
  journal: Journal,
  request: WriteRequest,
  state: State,
  more: { readonly at?: number; readonly reason?: string; readonly labels?: string[] } = {},
): Promise<number> {
  const { at = 1, reason = "answered", labels = [] } = more;
  return journal.commit((rows) => {
    const write = prepareWrite(request);
    const id = addIntent(rows, { write, profile: "p", baseUrl, owner: null, at });
    rows.update("intent", { state, reason, ended_at: at }, "id = ?", id);
    const outcome = state === "confirmed" ? "created" : "rejected";
    const items = labels.map((label, position) => ({ label, position, outcome, status: null }));
    setItems(rows, id, items as Parameters<typeof setItems>[2]);
    return id;
  });
}

const open = async (journal: Journal) =>
  (await listOpenEntries(journal, baseUrl, signal)).map(
    (row) => `${row.journal_id} ${row.outcome}`,
  );

describe("an entry is open", () => {
  test("while it is unknown, rejected, retryable or unsent, most severe first", async () => {
    const journal = await journalIn(journalFolder());
    const states = ["unsent", "confirmed", "retryable", "closed", "rejected", "unknown"] as const;
    for (const [at, state] of states.entries()) await add(journal, notes(`${at}`), state, { at });
    expect(await open(journal)).toEqual(["6 unknown", "5 rejected", "3 retryable", "1 unsent"]);
    expect(await countOpenEntries(journal, "http://localhost:9/", signal)).toEqual(
      new Map([["ACME", { unknown: 1, rejected: 1, retryable: 1, unsent: 1 }]]),
    );
    expect(await countOpenEntries(journal, "http://127.0.0.1:8", signal)).toEqual(new Map());
  });

  test("if it was rejected, until a later one of the same form is confirmed", async () => {
    const journal = await journalIn(journalFolder());
    await add(journal, notes("before"), "confirmed");
    await add(journal, notes("before"), "rejected", { at: 2 });
    await add(journal, notes("after"), "rejected", { at: 2 });
    await add(journal, notes("after"), "confirmed", { at: 3 });
    await add(journal, notes("never"), "rejected");
    expect(await open(journal)).toEqual(["5 rejected", "2 rejected"]);
  });

  test("if it was rejected, until its item is confirmed with other content", async () => {
    const journal = await journalIn(journalFolder());
    const two = transactions(["T-1", "T-2"]);
    await add(journal, two, "rejected", { labels: ["T-1", "T-2"] });
    await add(journal, transactions(["T-1"], { fixed: "1" }), "confirmed", { labels: ["T-1"] });
    expect(await open(journal)).toEqual(["1 rejected"]);
    await add(journal, transactions(["T-2"], { fixed: "1" }), "confirmed", { labels: ["T-2"] });
    expect(await open(journal)).toEqual([]);
  });

  test("until an operator closes it, whatever it was", async () => {
    const journal = await journalIn(journalFolder());
    const states = ["unsent", "retryable", "rejected", "unknown"] as const;
    for (const state of states) {
      const id = await add(journal, notes(state), state);
      await close(journal, id, "settled by phone", 2);
    }
    expect(await open(journal)).toEqual([]);
  });

  test("if it was not sent, unless the guard kept it back behind one that is confirmed", async () => {
    const journal = await journalIn(journalFolder());
    await add(journal, notes("sent"), "confirmed");
    await add(journal, notes("sent"), "unsent", { at: 2, reason: "sent-before" });
    await add(journal, notes("sent"), "unsent", { at: 2, reason: "cancelled" });
    expect(await open(journal)).toEqual(["3 unsent"]);
  });
});

test("open entries are counted beyond one page", async () => {
  const journal = await journalIn(journalFolder());
  for (let at = 0; at < 1_200; at++) await add(journal, notes(`n ${at}`), "rejected", { at });
  const counts = await countOpenEntries(journal, baseUrl, signal);
  expect(counts.get("ACME")).toMatchObject({ rejected: 1_200 });
});
