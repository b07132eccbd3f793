import { close } from "../../src/writes/close-entry.ts";
import { addIntent, setItems } from "../../src/writes/journal/changes.ts";
import type { State } from "../../src/writes/journal/entry.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import { countOpenEntries, listOpenEntries } from "../../src/writes/open-entries.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { journalFolder } from "../helpers/folders.ts";
import {
  account,
  instruction,
  journalIn,
  notes,
  request,
  supplyPoint,
  transaction,
  transactions,
} from "./writing.ts";

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

/** A note with documents and perhaps a body. */
const documents = (path: string, body?: string) =>
  request("notes create", {
    ...account,
    notes: [{ ...(body === undefined ? {} : { body }), document_paths: [{ document_path: path }] }],
  });
const statement = (statement_id: string, number: string) =>
  request("statements create", { ...account, statements: [{ statement_id, number }] });
const charge = (id: string, reason: string) =>
  request("transactions create", { ...account, transactions: [transaction(id, { reason })] });
const payment = (reference: string, type: string, vendor = "V") =>
  request("payment-instructions create", { ...account, vendor, reference, type });
/** More characters than a label has. */
const boilerplate = "As agreed with the customer on the telephone today. ".repeat(3);

describe("a later confirmed entry is for the same item as a rejected one", () => {
  test.each<[string, WriteRequest, WriteRequest]>([
    ["a transaction with its ID", charge("T-1", "A"), charge(" T-1", "B")],
    ["a statement with its ID", statement("S-1", "1"), statement("S-1", "2")],
    ["a payment with its vendor and reference", payment("R-1", "CARD"), payment("R-1", "DEBIT")],
    ["a supply point with its identifier", supplyPoint(), supplyPoint()],
    ["a note with its documents", documents("a.pdf"), documents("a.pdf ")],
    ["a note with its body", notes("one\r\ntwo"), notes("one\ntwo")],
  ])("if it is %s", async (_what, rejected, confirmed) => {
    const journal = await journalIn(journalFolder());
    await add(journal, rejected, "rejected", { labels: ["(documents only)"] });
    await add(journal, confirmed, "confirmed", { at: 2, labels: ["(documents only)"] });
    expect(await open(journal)).toEqual([]);
  });

  test.each<[string, WriteRequest, WriteRequest]>([
    ["a transaction with another ID", charge("T-1", "A"), charge("T-2", "A")],
    ["a payment with another vendor", payment("R-1", "CARD"), payment("R-1", "CARD", "W")],
    ["a payment with another reference", instruction(), payment("R-9", "CARD")],
    ["a note with other documents", documents("a/one.pdf"), documents("b/two.pdf")],
    ["a note with the same body and other documents", documents("a", "B"), documents("b", "B")],
    ["a note whose first lines are the same", notes(`${boilerplate}1`), notes(`${boilerplate}2`)],
  ])("but not if it is %s, whatever the labels", async (_what, rejected, confirmed) => {
    const journal = await journalIn(journalFolder());
    await add(journal, rejected, "rejected", { labels: ["the same label"] });
    await add(journal, confirmed, "confirmed", { at: 2, labels: ["the same label"] });
    expect(await open(journal)).toEqual(["1 rejected"]);
  });

  test("only if every item is confirmed, also the one without a name", async () => {
    const journal = await journalIn(journalFolder());
    const unnamed = { transaction_date: "2025-11-20", amount: 1 };
    const two = { ...account, transactions: [transaction("T-1"), unnamed] };
    await add(journal, request("transactions create", two), "rejected", { labels: ["T-1", ""] });
    await add(journal, charge("T-1", "B"), "confirmed", { at: 2, labels: ["T-1"] });
    expect(await open(journal)).toEqual(["1 rejected"]);
  });
});

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
      await close(journal, id, { reason: "settled by phone", tookEffect: "unknown" }, 2);
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
