/**
 * Compares the guard of the ledger with the guard of the journal over random histories. Both must find
 * the same earlier entry for every write.
 */
import { randomUUID } from "node:crypto";
import type { Rows } from "../../../src/sqlite/rows.ts";
import { askGuard, type GuardFinding } from "../../../src/writes/guard.ts";
import {
  addIntent,
  beginAttempt,
  blockItems,
  setItems,
} from "../../../src/writes/journal/changes.ts";
import { readEntry } from "../../../src/writes/journal/entry.ts";
import type { Item } from "../../../src/writes/kinds/kind.ts";
import { type Owner, processLife } from "../../../src/writes/owner.ts";
import { type PreparedWrite, prepareWrite } from "../../../src/writes/prepare.ts";
import { claimRequestOf, localClaimOf, outcomeOf } from "../../../src/writes/team/from-journal.ts";
import type { ClaimAnswer } from "../../../src/writes/team/ledger.ts";
import type { LedgerOverride } from "../../../src/writes/team/ledger-override.ts";
import * as fc from "../../helpers/fast-check.ts";
import { journalFolder } from "../../helpers/folders.ts";
import { account, journalIn, request } from "../writing.ts";
import type { TeamWorld } from "./world.ts";

const kinds = ["transactions", "statements", "notes", "payment-instructions"] as const;
type Kind = (typeof kinds)[number];

const states = [
  "unsent",
  "sending",
  "confirmed",
  "rejected",
  "retryable",
  "unknown",
  "closed",
] as const;
const outcomes = ["created", "exists", "rejected", "not-reached", "unknown"] as const;

interface Write {
  readonly of: Kind;
  readonly items: readonly number[];
  readonly isChecked: boolean;
}

interface Past extends Write {
  readonly state: (typeof states)[number];
  readonly doubt: "none" | "vendor" | "unknown";
  readonly outcomes: readonly (Item["outcome"] | null)[];
  readonly isBlocked: boolean;
}

const write = {
  // Only payment instructions can be blocked, so there are more of them.
  of: fc.oneof(
    { arbitrary: fc.constantFrom(...kinds), weight: 3 },
    { arbitrary: fc.constant<Kind>("payment-instructions"), weight: 1 },
  ),
  items: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
  isChecked: fc.boolean(),
};

const histories = fc.record({
  past: fc.array(
    fc.record({
      ...write,
      state: fc.constantFrom(...states),
      doubt: fc.constantFrom("none", "vendor", "unknown"),
      outcomes: fc.array(fc.option(fc.constantFrom(...outcomes), { nil: null }), {
        minLength: 3,
        maxLength: 3,
      }),
      isBlocked: fc.boolean(),
    }) satisfies fc.Arbitrary<Past>,
    { maxLength: 6 },
  ),
  asked: fc.record(write),
});

function prepared({ of, items, isChecked }: Write): PreparedWrite {
  const query = of === "transactions" && !isChecked ? { check_previously_added: "false" } : {};
  if (of === "payment-instructions") {
    const form = { ...account, vendor: "V", reference: `R-${items[0]}`, type: "CARD" };
    return prepareWrite(request("payment-instructions create", form));
  }
  const contents = items.map((n) => {
    if (of === "notes")
      return isChecked
        ? { body: `note ${n}` }
        : { document_paths: [{ document_path: `note-${n}.pdf` }] };
    return of === "statements"
      ? { statement_id: `S-${n}`, gross_amount: 10 }
      : { transaction_id: `T-${n}`, amount: 10, type: "CHARGE" };
  });
  return prepareWrite(request(`${of} create`, { ...account, [of]: contents }, query));
}

const baseUrl = "https://service.example";

/** Records an entry with any outcome, as the journal has it. */
function record(rows: Rows, past: Past, owner: Owner): number {
  const entry = prepared(past);
  const id = addIntent(rows, { write: entry, profile: "live", baseUrl, owner, at: 1_000 });
  if (past.state === "unsent") {
    rows.update("intent", { state: "unsent", owner: null }, "id = ?", id);
    return id;
  }
  beginAttempt(rows, id, owner, 1_000);
  const items = entry.keys.flatMap((_, position): Item[] => {
    const outcome = past.outcomes[position] ?? null;
    return outcome === null || past.state === "sending"
      ? []
      : [{ position, label: `${position}`, outcome, status: null }];
  });
  setItems(rows, id, items);
  if (past.state !== "sending")
    rows.update("intent", { state: past.state, doubt: past.doubt, owner: null }, "id = ?", id);
  // A 400 blocks only the form of a payment instruction.
  const canBlock = past.of === "payment-instructions" && past.state !== "sending";
  if (past.isBlocked && canBlock) blockItems(rows, id);
  return id;
}

/** Returns the finding of the journal as far as both guards have it. */
function ofJournal(finding: GuardFinding) {
  if (finding.kind === "clear") return null;
  const { kind, position, earlier } = finding;
  return { kind, position, entry: earlier.journalId, state: earlier.state };
}

function ofLedger(answer: ClaimAnswer) {
  if (answer.kind !== "claimed" && answer.kind !== "barred")
    throw new Error(`The claim was ${answer.kind}.`);
  const [first] = answer.findings;
  if (first === undefined) return null;
  const { kind, position, state, earlier } = first;
  return { kind, position, entry: earlier.localId, state: state ?? "rejected" };
}

/** Holds that both guards find the same in `count` histories. Returns how often each kind was found. */
export async function compareGuards(open: () => Promise<TeamWorld>, count: number) {
  const found: Record<string, number> = {};
  const world = await open();
  const never = new AbortController().signal;
  let run = 0;
  const property = fc.asyncProperty(histories, async ({ past, asked }) => {
    const machine = await world.machine(`m${++run}`);
    const journal = await journalIn(journalFolder());
    const { self } = processLife(process.pid);
    // Items of one run of the property are not those of the next.
    const service = `https://service.example/${run}`;
    let seq = 0;
    const claimOf = async (id: number, of: Write, override: LedgerOverride | null = null) => {
      machine.folder.seq = ++seq;
      const claim = { ...localClaimOf(randomUUID(), prepared(of)), number: seq };
      const asking = journal.read((rows) => {
        const entry = readEntry(rows, id);
        if (entry === null) throw new Error(`There is no entry ${id}.`);
        return claimRequestOf(rows, entry, prepared(of), claim, override);
      });
      const request = { ...asking, service, account: `account ${id}` };
      return { claim, answer: await machine.ledger.claim(request, never), request };
    };
    for (const one of past) {
      const id = await journal.commit((rows) => record(rows, one, self));
      const first = await claimOf(id, one);
      const passes = first.request.items.flatMap(({ key }, position) =>
        first.answer.kind !== "barred"
          ? []
          : first.answer.findings.flatMap((finding) =>
              finding.position !== position || finding.kind === "reported"
                ? []
                : [
                    {
                      key,
                      kind: finding.kind,
                      entry: { of: "ledger", id: finding.earlier.id },
                    } as const,
                  ],
            ),
      );
      const { claim, answer } =
        first.answer.kind === "claimed"
          ? first
          : await claimOf(id, one, { reason: "history", passes });
      expect(answer.kind).toBe("claimed");
      const outcome = journal.read((rows) => outcomeOf(rows, id, claim));
      if (outcome !== null)
        expect(
          await machine.ledger.publish([{ ...outcome, service, account: `account ${id}` }]),
        ).toEqual([]);
    }
    const expected = journal.read((rows) => askGuard(rows, { baseUrl, write: prepared(asked) }));
    const id = await journal.commit((rows) =>
      addIntent(rows, { write: prepared(asked), profile: "live", baseUrl, owner: self, at: 1_000 }),
    );
    const { answer } = await claimOf(id, asked);
    expect(ofLedger(answer)).toEqual(ofJournal(expected));
    const isBarred = expected.kind === "sent-before" || expected.kind === "refused-before";
    expect(answer.kind).toBe(isBarred ? "barred" : "claimed");
    found[expected.kind] = (found[expected.kind] ?? 0) + 1;
    await machine.ledger.close();
    await journal.close();
  });
  await fc.assert(property, { numRuns: count });
  return found;
}
