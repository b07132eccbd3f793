/**
 * Promise: the duplicate guard compares items. It makes no difference what was beside an item in
 * its request, in which order, how its numbers were written, or which options it was sent with.
 */
import { failureOf } from "../../src/commands/failure.ts";
import { dayMs } from "../../src/text/durations.ts";
import { listActivity } from "../../src/writes/activity.ts";
import { close } from "../../src/writes/close-entry.ts";
import { sameIdsOf } from "../../src/writes/guard.ts";
import { prepareWrite, type WriteRequest } from "../../src/writes/prepare.ts";
import { resend } from "../../src/writes/resend.ts";
import { applyRetention, purge } from "../../src/writes/retention.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { submit } from "../../src/writes/submit.ts";
import { sameIdWords } from "../../src/writes/words/guard.ts";
import { type Act, openService } from "../helpers/service.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  notes,
  request,
  resendOverrideFor,
  transaction,
} from "./writing.ts";

const statement = (id: string, gross: string, more = "") =>
  `{"statement_id":"${id}","number":"1","gross_amount":${gross}${more}}`;

const statements = (...items: string[]) =>
  request(
    "statements create",
    `{"import_supplier":"ACME","external_account_number":"EXT-0000001","statements":[${items.join(",")}]}`,
  );

const off = { check_previously_added: "false" };

const charges = (ids: readonly string[], query?: Readonly<Record<string, string>>) =>
  request(
    "transactions create",
    { ...account, transactions: ids.map((id) => transaction(id)) },
    query,
  );

const added = (...ids: string[]): Act => ({
  status: 201,
  body: {
    results: ids.map((id) => ({
      status: "TRANSACTION_ADDED_TO_ACCOUNT",
      transaction_data: { transaction_id: id },
    })),
  },
});

const stored = (...ids: string[]): Act => ({
  status: 201,
  body: { statements: ids.map((statement_id) => ({ statement_id })) },
});

/** Sends requests one after another; each meets its act. */
async function sentAfter(acts: readonly Act[], ...writes: readonly WriteRequest[]) {
  const server = await openService({ writes: acts });
  const context = await contextFor(server.baseUrl);
  const { options } = hurried();
  for (const write of writes) await submit(context, write, options);
  const before = server.writes().length;
  return {
    context,
    options,
    /** Resolves with `held` for a request that the guard holds back. */
    send: async (write: WriteRequest) => {
      const end = await submit(context, write, options).then(
        ({ outcome }) => outcome,
        (error) => (error.kind === "duplicate" ? "held" : Promise.reject(error)),
      );
      return { end, sent: server.writes().length - before };
    },
  };
}

describe("an item that might have taken effect is not sent again", () => {
  const [one, two] = [statement("S-1", "10"), statement("S-2", "20")];
  test.each<[string, readonly Act[], WriteRequest, WriteRequest]>([
    [
      "alone after it was beside another",
      [stored("S-1", "S-2")],
      statements(one, two),
      statements(two),
    ],
    ["beside another after it was alone", [stored("S-1")], statements(one), statements(two, one)],
    ["in another order", [stored("S-1", "S-2")], statements(one, two), statements(two, one)],
    ["when the outcome is unknown", ["reset"], statements(one, two), statements(one)],
    ["with 10.00 for 10", [stored("S-1")], statements(one), statements(statement("S-1", "10.00"))],
    ["with 1e1 for 10", [stored("S-1")], statements(one), statements(statement("S-1", "1e1"))],
    [
      "with its fields in another order",
      [stored("S-1")],
      statements(one),
      statements('{"number":"1","gross_amount":10,"statement_id":"S-1"}'),
    ],
    ["unchecked after a check", [added("T-1")], charges(["T-1"]), charges(["T-1"], off)],
    ["unchecked after a lost check", ["reset"], charges(["T-1"]), charges(["T-1"], off)],
    [
      "with another option",
      [added("T-1")],
      charges(["T-1"], off),
      charges(["T-1"], { ...off, force_add_to_current_statement: "false" }),
    ],
    ["unchecked beside a new one", [added("T-1")], charges(["T-1"]), charges(["T-2", "T-1"], off)],
  ])("%s", async (_how, acts, first, second) => {
    const { send } = await sentAfter(acts, first);
    expect(await send(second)).toEqual({ end: "held", sent: 0 });
  });

  test.each([
    ["in its amount", statement("S-1", "10.01")],
    ["in a text", statement("S-1", "10", ',"statement_path":"a.pdf"')],
    ["in the spelling of a text of digits", statement("S-1", "10").replace('"1"', '"1.0"')],
  ])("an item that differs %s is another item", async (_how, other) => {
    const { send } = await sentAfter([stored("S-1"), stored("S-1")], statements(one));
    expect(await send(statements(other))).toEqual({ end: "confirmed", sent: 1 });
  });

  test("a checked transaction is sent: the service recognizes it", async () => {
    const { send } = await sentAfter([added("T-1"), added("T-1")], charges(["T-1"], off));
    expect(await send(charges(["T-1"]))).toEqual({ end: "confirmed", sent: 1 });
  });
});

describe("a payment that was spelled otherwise is not sent again", () => {
  const payment = (more: object) =>
    request("payment-instructions create", {
      ...account,
      vendor: "V",
      reference: "RÉF 1",
      type: "CARD",
      ...more,
    });
  test.each([
    ["blanks", { reference: " RÉF 1 " }],
    ["a line end", { reference: "RÉF 1\r\n" }],
    ["letters in another encoding", { reference: "RE\u0301F 1" }],
    ["blanks round the account number", { external_account_number: "EXT-0000001 " }],
    ["blanks round the supplier code", { import_supplier: "ACME " }],
  ])("with %s", async (_how, more) => {
    const act: Act = { status: 201, body: { a_account_number: "A", reference: "RÉF 1" } };
    const { send } = await sentAfter([act], payment({}));
    expect(await send(payment(more))).toEqual({ end: "held", sent: 0 });
    const { send: sendFirst } = await sentAfter([act], payment(more));
    expect(await sendFirst(payment({}))).toEqual({ end: "held", sent: 0 });
  });
});

describe("an item counts by its own outcome", () => {
  const refused: Act = {
    status: 400,
    body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: "T-2" } },
  };

  test("after a 400, only those before the rejected item are held back", async () => {
    const { send } = await sentAfter(
      [refused, added("T-2"), added("T-3")],
      charges(["T-1", "T-2", "T-3"]),
    );
    expect((await send(charges(["T-1"], off))).end).toBe("held");
    expect((await send(charges(["T-2"], off))).end).toBe("confirmed");
    expect((await send(charges(["T-3"], off))).end).toBe("confirmed");
  });

  test("one that the service refused may be sent at once", async () => {
    const none: Act = { status: 404 };
    const { send } = await sentAfter([none, stored("S-1")], statements(statement("S-1", "10")));
    expect((await send(statements(statement("S-1", "10")))).end).toBe("confirmed");
  });
});

test("the message names the item and its entry", async () => {
  const { context, options } = await sentAfter([stored("S-1")], statements(statement("S-1", "10")));
  const both = statements(statement("S-2", "20"), statement("S-1", "10.0"));
  await expect(submit(context, both, options)).rejects.toThrow(
    "Statement 2 of 2 was sent before and confirmed, as entry 1.",
  );
  expect(listActivity(context.journal)).toHaveLength(1);
});

describe("when retention has removed the entry", () => {
  const years = Date.now() + 731 * dayMs;
  const none: Act = { status: 404 };

  test.each<[string, Act, WriteRequest]>([
    [
      "a payment",
      { status: 201, body: { a_account_number: "A", reference: "R-1" } },
      instruction(),
    ],
    ["a statement", stored("S-1"), statements(statement("S-1", "10"))],
    ["an unchecked transaction", added("T-1"), charges(["T-1"], off)],
  ])(
    "%s is still held back, and the message names no command for it",
    async (_what, act, write) => {
      const { context, options } = await sentAfter([act], write);
      await applyRetention(context.journal, years);
      expect(listActivity(context.journal)).toEqual([]);
      const error = await submit(context, write, options).catch((thrown) => thrown);
      expect(error).toMatchObject({ kind: "duplicate", facts: { journalId: null } });
      expect(error.message).toMatch(
        /as entry 1 of \d{4}-\d\d-\d\d \(removed from the journal\)\.$/,
      );
      const { message, journalId } = failureOf(error, { doing: "sending" });
      expect(message).toContain("--again --reason TEXT");
      expect(message).not.toContain("activity show");
      expect(journalId).toBeUndefined();
    },
  );

  test("a closed doubt is still held back", async () => {
    const { context, options } = await sentAfter(["reset"], instruction());
    await close(
      context.journal,
      1,
      { reason: "seen at the vendor", tookEffect: "unknown" },
      Date.now(),
    );
    await applyRetention(context.journal, years);
    await expect(submit(context, instruction(), options)).rejects.toThrow("an operator closed");
  });

  test("retention deletes the keys of notes and of items without effect", async () => {
    const noted = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };
    const { context, send } = await sentAfter(
      [none, noted, stored("S-1")],
      statements(statement("S-1", "10")),
      notes("one"),
    );
    await applyRetention(context.journal, years);
    expect(context.journal.read((rows) => rows.number("SELECT count(*) FROM item_key"))).toBe(0);
    expect((await send(statements(statement("S-1", "10")))).end).toBe("confirmed");
  });

  test("an item that the service refused is free, its neighbor is not", async () => {
    const refused: Act = {
      status: 400,
      body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: "T-2" } },
    };
    const { context, send } = await sentAfter([refused, added("T-2")], charges(["T-1", "T-2"]));
    await close(context.journal, 1, { reason: "seen", tookEffect: "unknown" }, Date.now());
    await applyRetention(context.journal, years);
    expect((await send(charges(["T-1"], off))).end).toBe("held");
    expect((await send(charges(["T-2"], off))).end).toBe("confirmed");
  });
});

test("a purge takes no key out", async () => {
  const { context, send } = await sentAfter([stored("S-1")], statements(statement("S-1", "10")));
  await purge(context.journal, Date.now() + 1, Date.now());
  expect((await send(statements(statement("S-1", "10.0")))).end).toBe("held");
});

test("an item that was refused counts as open while its entry is sent again", async () => {
  const refused: Act = { status: 400, body: { status: "TRANSACTION_IMPORT_ERROR" } };
  const { context, options } = await sentAfter([refused, "reset"], charges(["T-1"]));
  const { outcome } = await resend(context, 1, {
    ...options,
    override: resendOverrideFor(context, 1),
    atPoint: (point) => {
      if (point !== "attempt-committed") return;
      // As for a reader after a kill at this point.
      const rejected = "SELECT * FROM item WHERE outcome = 'rejected'";
      expect(context.journal.read((rows) => rows.all(rejected))).toEqual([]);
    },
  });
  expect(outcome).toBe("unknown");
  await expect(submit(context, charges(["T-1"], off), options)).rejects.toMatchObject({
    kind: "duplicate",
  });
});

describe("an ID that was used with other content", () => {
  const other = (finding: WriteRequest, context: WriteContext) =>
    context.journal.read((rows) => {
      const write = prepareWrite(finding);
      const found = sameIdsOf(rows, { baseUrl: context.service.baseUrl, write });
      return sameIdWords(found, write.facts.labels);
    });

  test("is named with its entry, and does not hold the item back", async () => {
    const { context, send } = await sentAfter(
      [stored("S-1"), stored("S-1")],
      statements(statement("S-1", "10")),
    );
    const changed = statements(statement("S-1", "11"));
    expect(other(changed, context)).toBe(
      "The statement ID S-1 was used on this account before with other content, in entry 1.",
    );
    expect(other(statements(statement("S-1", "10.0")), context)).toBeNull();
    expect(other(statements(statement("S-2", "11")), context)).toBeNull();
    expect((await send(changed)).end).toBe("confirmed");
  });

  test("is not named when the earlier item was refused", async () => {
    const { context } = await sentAfter([{ status: 404 }], statements(statement("S-1", "10")));
    expect(other(statements(statement("S-1", "11")), context)).toBeNull();
  });
});
