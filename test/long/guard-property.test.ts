/**
 * Promise: however the same items are regrouped, reordered, written and sent, none takes effect a
 * second time without a reason, and none is held back that never could have taken effect.
 */
import { readRunRows } from "../../src/bulk/rows.ts";
import { dayMs } from "../../src/text/durations.ts";
import { close } from "../../src/writes/close-entry.ts";
import { readEntry } from "../../src/writes/journal/entry.ts";
import type { Operation } from "../../src/writes/kinds/kind.ts";
import { splitWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { planResend, resend } from "../../src/writes/resend.ts";
import { applyRetention, purge } from "../../src/writes/retention.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { planVerification, verify } from "../../src/writes/verify.ts";
import { carryOut, recordedRun, target } from "../bulk/bulking.ts";
import { hurriedClock } from "../helpers/clock.ts";
import * as fc from "../helpers/fast-check.ts";
import { account, contextFor, hurried, request } from "../writes/writing.ts";
import { type Act, countingService, type Kind } from "./counting-service.ts";

const acts = [
  "accept",
  "accept",
  "lost-after",
  "lost-before",
  "500",
  "404",
  "400",
  "partly",
  "partly",
] as const satisfies readonly Act[];

interface Sent {
  readonly n: number;
  /** The numbers of the spelling of its amount and of the order of its fields. */
  readonly digits: number;
  readonly isReversed: boolean;
}

type Step =
  | {
      readonly kind: "send";
      readonly of: Kind;
      readonly items: readonly Sent[];
      readonly isChecked: boolean;
      readonly isForced: boolean;
      readonly face: "form" | "split" | "run" | "grouped-run";
      readonly acts: readonly Act[];
    }
  | {
      readonly kind: "resend" | "verify" | "close";
      readonly at: number;
      readonly acts: readonly Act[];
    }
  | { readonly kind: "purge" | "retention" };

const sent = fc.record({ n: fc.nat(2), digits: fc.nat(2), isReversed: fc.boolean() });
const someActs = fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      of: fc.constantFrom<Kind[]>(
        "transactions",
        "transactions",
        "statements",
        "payment-instructions",
      ),
      items: fc.uniqueArray(sent, { minLength: 1, maxLength: 3, selector: ({ n }) => n }),
      isChecked: fc.boolean(),
      isForced: fc.boolean(),
      face: fc.constantFrom(
        "form" as const,
        "split" as const,
        "run" as const,
        "grouped-run" as const,
      ),
      acts: someActs,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("resend" as const, "verify" as const, "close" as const),
      at: fc.nat(5),
      acts: someActs,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("purge" as const, "retention" as const) }),
  },
);

const spellings = ["10", "10.0", "1e1"];

function itemText(of: Kind, { n, digits, isReversed }: Sent): string {
  const amount = spellings[digits] ?? "10";
  const fields =
    of === "transactions"
      ? [`"transaction_id":"T-${n}"`, `"amount":${amount}`, '"type":"CHARGE"']
      : of === "statements"
        ? [`"statement_id":"S-${n}"`, `"gross_amount":${amount}`]
        : [
            ...['"import_supplier":"ACME"', '"external_account_number":"EXT-0000001"'],
            ...[`"reference":"R-${n}"`, '"vendor":"V"', '"type":"CARD"'],
          ];
  return `{${(isReversed ? fields.toReversed() : fields).join(",")}}`;
}

/** The requests of a step, each with as many items as its kind takes. */
function requestsOf(step: Extract<Step, { kind: "send" }>): readonly WriteRequest[] {
  const { of, items, isChecked, isForced } = step;
  const operation: Operation = `${of} create`;
  const texts = items.map((item) => itemText(of, item));
  if (of === "payment-instructions") return texts.map((text) => request(operation, text));
  const { import_supplier, external_account_number } = account;
  const body = `{"import_supplier":"${import_supplier}","${of}":[${texts.join(",")}],"external_account_number":"${external_account_number}"}`;
  const query = {
    ...(isChecked ? {} : { check_previously_added: "false" }),
    ...(isForced ? {} : { force_add_to_current_statement: "false" }),
  };
  return [request(operation, body, of === "transactions" ? query : {})];
}

/** Carries out the steps of one history. */
async function history(baseUrl: string, onHeld: (write: WriteRequest) => void) {
  const context = await contextFor(baseUrl, { clock: hurriedClock() });
  const { journal } = context;
  const { options } = hurried();

  const sendOne = async (write: WriteRequest): Promise<boolean> => {
    try {
      return (await submit(context, write, options)).outcome === "confirmed";
    } catch (error) {
      expect(error).toMatchObject({ kind: expect.stringMatching(/^(?:duplicate|blocked)$/) });
      onHeld(write);
      return false;
    }
  };

  const sendRun = async (writes: readonly WriteRequest[], of: Kind) => {
    let line = 1;
    const requests = writes.map((write) => ({
      lines: splitWrite(write).map(() => ++line),
      target: target(account.external_account_number),
      write,
    }));
    const run = await recordedRun(context, of, requests);
    await carryOut(context, run, { patienceMs: 0 });
    for (const { line: at, journalId } of readRunRows(journal, run)) {
      const entry = journal.read((rows) => readEntry(rows, journalId ?? 0));
      const own = requests.find(({ lines }) => lines.includes(at));
      if (own && entry?.state === "unsent" && entry.reason === "sent-before") onHeld(own.write);
    }
  };

  const send = async (step: Extract<Step, { kind: "send" }>) => {
    const writes = requestsOf(step);
    const single = writes.flatMap(splitWrite);
    switch (step.face) {
      case "run":
        return sendRun(single, step.of);
      case "grouped-run":
        return sendRun(writes, step.of);
      case "split":
        for (const write of single) if (!(await sendOne(write))) return;
        return;
      case "form":
        for (const write of writes) await sendOne(write);
    }
  };

  return {
    carryOut: async (step: Step, nth: number) => {
      switch (step.kind) {
        case "send":
          return send(step);
        case "purge":
          return purge(journal, Date.now() + dayMs, Date.now());
        case "retention":
          return applyRetention(journal, Date.now() + (nth + 1) * 731 * dayMs);
        default: {
          const ids = journal.read((rows) => rows.all("SELECT id FROM intent ORDER BY id DESC"));
          const id = Number(ids[step.at % Math.max(1, ids.length)]?.id ?? 0);
          return actOn(context, step.kind, id, options);
        }
      }
    },
    end: () => journal.close(),
  };
}

test("no second effect without a reason, and no item is held back that had no chance of one", async () => {
  const { baseUrl, effects, possible, blocked, follow } = await countingService();
  let held = 0;
  const onHeld = ({ body }: WriteRequest) => {
    held += 1;
    const ids = new TextDecoder().decode(body).match(/[TSR]-\d/g) ?? [];
    expect(ids.filter((id) => possible.has(id) || blocked.has(id))).not.toEqual([]);
  };
  const steps = fc.array(step, { minLength: 2, maxLength: 10 });
  const property = fc.asyncProperty(steps, async (all) => {
    for (const seen of [effects, possible, blocked]) seen.clear();
    const { carryOut: carry, end } = await history(baseUrl, onHeld);
    for (const [nth, one] of all.entries()) {
      follow("acts" in one ? one.acts : ["accept"]);
      await carry(one, nth);
      for (const [id, count] of effects) expect(`${id}: ${count}`).toBe(`${id}: 1`);
    }
    await end();
  });
  await fc.assert(property, { numRuns: 250 });
  expect(held).toBeGreaterThan(50);
});

/** Does what an operator may do without giving a reason; nothing where the program refuses. */
async function actOn(
  context: WriteContext,
  act: "close" | "resend" | "verify",
  id: number,
  options: ReturnType<typeof hurried>["options"],
): Promise<void> {
  const state = context.journal.read((rows) => readEntry(rows, id))?.state;
  if (state === undefined) return;
  if (act === "close") {
    if (["unknown", "retryable", "unsent"].includes(state))
      await close(context.journal, id, { reason: "seen", tookEffect: "unknown" }, Date.now());
  } else if (act === "resend") {
    if (planResend(context, id).kind === "safe") await resend(context, id, options);
  } else if (state === "unknown" && planVerification(context, id).kind !== "impossible") {
    await verify(context, id, options);
  }
}
