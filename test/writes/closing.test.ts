/** Promise: closing says what is known, and the duplicate guard follows the operator's answer. */
import { listActivity } from "../../src/writes/activity.ts";
import { close } from "../../src/writes/close-entry.ts";
import { askAboutItems, barOf } from "../../src/writes/guard.ts";
import { addIntent, blockItems, setItems } from "../../src/writes/journal/changes.ts";
import type { EffectDoubt, TookEffect } from "../../src/writes/journal/entry.ts";
import type { Journal } from "../../src/writes/journal/open-journal.ts";
import type { ItemOutcome } from "../../src/writes/kinds/kind.ts";
import { kindOf } from "../../src/writes/kinds/kinds.ts";
import { listOpenEntries, type OpenOutcome } from "../../src/writes/open-entries.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { describeEarlierEntry } from "../../src/writes/words/guard.ts";
import { journalFolder } from "../helpers/folders.ts";
import {
  instruction,
  journalIn,
  notes,
  request,
  statement,
  supplyPoint,
  transaction,
  transactions,
} from "./writing.ts";

const { signal } = new AbortController();

/** One request of each kind, and those that the service does not recognize. */
const requests: readonly WriteRequest[] = [
  notes("one", "two"),
  request("notes create", {
    import_supplier: "ACME",
    external_account_number: "EXT-0000001",
    notes: [{ document_paths: [{ document_path: "a.pdf" }] }],
  }),
  transactions(["T-1", "T-2"], { check_previously_added: "true" }),
  transactions(["T-1", "T-2"], { check_previously_added: "false" }),
  statement(),
  instruction(),
  supplyPoint(),
];

/** The doubts that an open entry of each state can have. */
const doubts: Readonly<Record<OpenOutcome, readonly EffectDoubt[]>> = {
  unknown: ["unknown", "none"],
  rejected: ["none", "unknown"],
  retryable: ["none", "vendor", "unknown"],
  unsent: ["none"],
};

/** The outcomes that the first item of an open entry can have. Null is an item without one. */
const firstItems: Readonly<Record<OpenOutcome, readonly (ItemOutcome | null)[]>> = {
  unknown: [null, "created", "exists", "rejected", "unknown"],
  rejected: [null, "rejected", "not-reached"],
  retryable: [null],
  unsent: [null],
};

interface Closed {
  readonly write: ReturnType<typeof prepareWrite>;
  readonly id: number;
  /** The service of the entry, which no other entry is for. */
  readonly baseUrl: string;
  readonly item: ItemOutcome | null;
  readonly isBlocked: boolean;
}

/** Adds an open entry in every state that a request can be in, each for a separate service. */
async function* openEntries(of: WriteRequest): AsyncGenerator<Closed & { journal: Journal }> {
  const journal = await journalIn(journalFolder());
  const write = prepareWrite(of);
  let services = 0;
  for (const state of Object.keys(doubts) as OpenOutcome[])
    for (const doubt of doubts[state])
      for (const item of firstItems[state])
        for (const isBlocked of [false, true]) {
          // A conflict is no 400, which alone blocks a form.
          if (state === "rejected" && doubt !== "none" && isBlocked) continue;
          services += 1;
          const baseUrl = `http://127.0.0.1:${services}`;
          const id = await journal.commit((rows) => {
            const added = addIntent(rows, { write, profile: "p", baseUrl, owner: null, at: 1 });
            rows.update("intent", { state, doubt, ended_at: 1 }, "id = ?", added);
            if (item !== null)
              setItems(rows, added, [{ position: 0, label: null, outcome: item, status: null }]);
            if (isBlocked) blockItems(rows, added);
            return added;
          });
          yield { journal, write, id, baseUrl, item, isBlocked };
        }
}

const findingsIn = ({ journal, write, baseUrl }: Closed & { readonly journal: Journal }) =>
  journal
    .read((rows) => askAboutItems(rows, { baseUrl, write }))
    .map((found) => ({
      kind: found.kind,
      findings: barOf(found)?.findings.map(({ kind }) => kind) ?? [],
    }));

const closing = (tookEffect: TookEffect) => ({ reason: "seen on the page", tookEffect });

/** The kinds whose items the service itself keeps from taking effect twice. */
const isRecognized = (write: Closed["write"]) =>
  write.deduplicated || write.operation === "supply-points create";

/** The finding about an item that took effect. */
const confirmed = (write: Closed["write"]) =>
  isRecognized(write)
    ? { kind: "reported", findings: [] }
    : { kind: "sent-before", findings: ["confirmed"] };

/** Closes every open entry of a request, and returns the findings of the guard before and after. */
async function* closedEntries(of: WriteRequest, tookEffect: TookEffect) {
  for await (const entry of openEntries(of)) {
    const { journal, id, baseUrl } = entry;
    const before = findingsIn(entry);
    await close(journal, id, closing(tookEffect), 2);
    const after = findingsIn(entry);
    expect(await listOpenEntries(journal, baseUrl, signal)).toEqual([]);
    expect(listActivity(journal, { baseUrl })).toMatchObject([
      { outcome: "closed", took_effect: tookEffect, closing_reason: "seen on the page" },
    ]);
    yield { ...entry, before, after };
  }
}

/** Removes a closed entry, and compares its keys with those before. */
async function expectSameWithoutEntry(
  of: WriteRequest,
  entry: Closed & { readonly journal: Journal; readonly after: unknown },
): Promise<void> {
  const { journal, id, write } = entry;
  await journal.commit((rows) => rows.run("DELETE FROM intent WHERE id = ?", id));
  const keys = journal.read((rows) =>
    rows.number("SELECT count(*) FROM item_key WHERE intent = ?", id),
  );
  const isForgotten = ["notes create", "supply-points create"].includes(of.operation);
  if (kindOf(of.operation).movesMoney) expect(keys).toBe(write.keys.length);
  if (isForgotten) expect(keys).toBe(0);
  else expect(findingsIn(entry)).toEqual(entry.after);
}

describe.each(
  requests.map((of) => [`${of.operation} ${JSON.stringify(of.query ?? {})}`, of] as const),
)("%s", (_operation, of) => {
  test("closed as not known, bars as before, also after its entry is removed", async () => {
    for await (const entry of closedEntries(of, "unknown")) {
      expect(entry.after).toEqual(entry.before);
      await expectSameWithoutEntry(of, entry);
    }
  });

  test("closed as effective, counts as confirmed, also after its entry is removed", async () => {
    for await (const entry of closedEntries(of, "yes")) {
      for (const found of entry.after) expect(found).toEqual(confirmed(entry.write));
      await expectSameWithoutEntry(of, entry);
    }
  });

  test("closed as ineffective, is free unless the service confirmed or refused it", async () => {
    for await (const entry of closedEntries(of, "no")) {
      const { write, item, isBlocked } = entry;
      const [first, ...others] = entry.after;
      const isConfirmed = item === "created" || item === "exists";
      const free = isBlocked
        ? { kind: "refused-before", findings: ["refused"] }
        : { kind: "clear", findings: [] };
      expect(first).toEqual(isConfirmed ? confirmed(write) : free);
      for (const other of others) expect(other).toEqual(free);
      await expectSameWithoutEntry(of, entry);
    }
  });
});

const baseUrl = "http://127.0.0.1:9";

test("the guard names the operator's answer and reason", async () => {
  const journal = await journalIn(journalFolder());
  const write = prepareWrite(instruction());
  const id = await journal.commit((rows) =>
    addIntent(rows, { write, profile: "p", baseUrl, owner: null, at: 1 }),
  );
  await journal.commit((rows) => rows.update("intent", { state: "unknown" }, "id = ?", id));
  await close(journal, id, closing("yes"), 2);
  const [found] = journal.read((rows) => askAboutItems(rows, { baseUrl, write }));
  expect(found?.kind).toBe("sent-before");
  if (found?.kind === "sent-before")
    expect(describeEarlierEntry(found)).toMatch(/took effect.*seen on the page/);
});

test("an effect that an operator saw settles an earlier rejection of the same item", async () => {
  const journal = await journalIn(journalFolder());
  const charge = (reason: string) =>
    prepareWrite(
      request("transactions create", {
        import_supplier: "ACME",
        external_account_number: "EXT-0000001",
        transactions: [transaction("T-1", { reason })],
      }),
    );
  const add = (write: Closed["write"], state: OpenOutcome) =>
    journal.commit((rows) => {
      const id = addIntent(rows, { write, profile: "p", baseUrl, owner: null, at: 1 });
      rows.update("intent", { state, ended_at: id }, "id = ?", id);
      return id;
    });
  await add(charge("A"), "rejected");
  const later = await add(charge("B"), "unknown");
  await close(journal, later, closing("no"), 9);
  expect(await listOpenEntries(journal, baseUrl, signal)).toHaveLength(1);
  const latest = await add(charge("B"), "unknown");
  await close(journal, latest, closing("yes"), 9);
  expect(await listOpenEntries(journal, baseUrl, signal)).toEqual([]);
});
