/** An answer that names another item than the one that was sent confirms nothing. */
import type { Socket } from "node:net";
import type { WriteRequest } from "../../src/writes/prepare.ts";
import { planResend } from "../../src/writes/resend.ts";
import { submit } from "../../src/writes/submit.ts";
import { planVerification } from "../../src/writes/verify.ts";
import { type Act, openService, openSocketService } from "../helpers/service.ts";
import {
  account,
  contextFor,
  hurried,
  instruction,
  notes,
  request,
  sent,
  statement,
  transaction,
  transactions,
} from "./writing.ts";

const payment = (reference: unknown) => ({
  status: 201,
  body: { service_account_number: "A-OTHER", ...(reference === undefined ? {} : { reference }) },
});
const answered = (body: unknown, status = "NOTE_CREATION_SUCCESS") => ({
  status: 201,
  body: [{ created_at: "2026-01-01T00:00:00Z", body, status }],
});
const added = (data: object, status = "TRANSACTION_ADDED_TO_ACCOUNT") => ({
  status: 201,
  body: { results: [{ status, transaction_data: data }] },
});

describe("an answer for another item leaves the outcome unknown, with the reason", () => {
  const one = request("transactions create", { ...account, transactions: [transaction("T-1")] });
  test.each<[string, WriteRequest, Act, string, number]>([
    [
      "a payment with another reference",
      instruction("GOODPAY", "REF-MINE"),
      payment("REF-OTHER"),
      "The response names payment instruction REF-OTHER, not REF-MINE.",
      1,
    ],
    [
      "a note with another body",
      notes("mine"),
      answered("ANOTHER NOTE"),
      "The response names note ANOTHER NOTE, not mine.",
      4,
    ],
    [
      "statements of another account",
      statement(),
      {
        status: 201,
        body: { ...account, external_account_number: "EXT-1001", statements: [{}] },
      },
      "The response names account EXT-1001, not EXT-0000001.",
      1,
    ],
    [
      "another statement",
      statement(),
      { status: 201, body: { ...account, statements: [{ statement_id: "ST-9" }] } },
      "The response names statement ST-9, not ST-1.",
      1,
    ],
    [
      "another transaction",
      one,
      added({ transaction_id: "T-9", amount: "12.50" }),
      "The response names transaction T-9, not T-1.",
      4,
    ],
    [
      "another amount",
      one,
      added({ transaction_id: "T-1", amount: "999.00" }),
      "The response gives the amount 999.00 for transaction T-1, not 12.5.",
      4,
    ],
  ])("%s", async (_what, write, act, reason, attempts) => {
    const { result, server, shown } = await sent([act], write);
    expect(result).toMatchObject({ outcome: "unknown", mayHaveTakenEffect: true });
    expect(result.error?.message).toBe(reason);
    expect(server.writes()).toHaveLength(attempts);
    expect(shown).toMatchObject({ outcome: "unknown" });
    expect(shown.attempts.map(({ detail }) => detail)).toEqual(Array(attempts).fill(reason));
  });

  test("the checked resend settles a note and a checked transaction", async () => {
    const mine = answered("mine", "NOTE_ALREADY_EXISTS");
    const note = await sent([answered("other"), mine], notes("mine"));
    expect(note.result).toMatchObject({ outcome: "confirmed", attempts: 2 });
    const exists = added({ transaction_id: "T-1" }, "TRANSACTION_ALREADY_EXISTS");
    const refused = {
      status: 400,
      body: { status: "TRANSACTION_IMPORT_ERROR", transaction_data: { transaction_id: "T-2" } },
    };
    for (const first of [added({ transaction_id: "T-2" }), refused]) {
      const again = await sent([first, exists], transactions(["T-1"]));
      expect(again.result).toMatchObject({ outcome: "confirmed", attempts: 2 });
    }
    const { context, result } = await sent([refused], transactions(["T-1"]));
    expect(planVerification(context, result.journalId).kind).toBe("checked-resend");
    expect(planResend(context, result.journalId).kind).not.toBe("refused-before");
  });
});

describe("what is absent, or written differently, is no difference", () => {
  const of = (amount: unknown) =>
    request("transactions create", {
      ...account,
      transactions: [transaction("T-1", { amount })],
    });
  const raw = (amount: string) =>
    request(
      "transactions create",
      `{"import_supplier":"ACME","external_account_number":"EXT-0000001","transactions":[{"transaction_id":"T-1","amount":${amount}}]}`,
    );
  test.each<[string, WriteRequest, Act]>([
    ["a note whose line ends differ", notes("one \r\ntwo\n"), answered("one\ntwo")],
    ["a note without its body", notes("one"), answered(undefined)],
    ["a transaction without its data", of(12.5), added({})],
    ["an amount with two places", of(12.5), added({ transaction_id: "T-1", amount: "12.50" })],
    ["an amount as a number", of(-3), added({ transaction_id: "T-1", amount: -3 })],
    [
      "an amount beyond a float",
      raw("12345678901234567890.12"),
      added({ transaction_id: "T-1", amount: "12345678901234567890.12" }),
    ],
    ["an amount rounded to two places", raw("10.005"), added({ amount: "10.01" })],
    ["statements alone", statement(), { status: 200, body: [{ statement_id: "ST-1" }] }],
    ["a payment with its reference", instruction("GOODPAY", "R-1"), payment("R-1")],
  ])("%s is confirmed", async (_what, write, act) => {
    expect((await sent([act], write)).result.outcome).toBe("confirmed");
  });

  test("an amount that a float would take for the same is another amount", async () => {
    const act = added({ transaction_id: "T-1", amount: "12345678901234567890.13" });
    expect((await sent([act], raw("12345678901234567890.12"))).result.outcome).toBe("unknown");
    expect((await sent([added({ amount: "10.02" })], raw("10.005"))).result.outcome).toBe(
      "unknown",
    );
  });
});

/** Answers each request on a connection with the answer to the one before it, and carries out none but the first. */
async function shiftedServer(answerTo: (body: string) => string) {
  const connections: Socket[] = [];
  const carriedOut: string[] = [];
  const answer = (socket: Socket) => {
    connections.push(socket);
    let first: string | null = null;
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("utf8");
      for (;;) {
        const head = received.indexOf("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
        if (head === -1 || received.length < head + 4 + length) return;
        const body = received.slice(head + 4, head + 4 + length);
        received = received.slice(head + 4 + length);
        if (first === null) carriedOut.push(body);
        first ??= answerTo(body);
        socket.write(
          `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(first)}\r\n\r\n${first}`,
        );
      }
    });
  };
  const { baseUrl } = await openSocketService(answer, { speaksFirst: true });
  return { baseUrl, connections, carriedOut };
}

test("a connection that answers for another item is not used again: the note is then sent on a new one", async () => {
  const server = await shiftedServer((body) => {
    const [note] = JSON.parse(body).notes;
    return JSON.stringify([{ body: note.body, status: "NOTE_CREATION_SUCCESS" }]);
  });
  const context = await contextFor(server.baseUrl);
  const first = await submit(context, notes("one"), hurried().options);
  const second = await submit(context, notes("two"), hurried().options);
  expect(first).toMatchObject({ outcome: "confirmed", attempts: 1 });
  expect(second).toMatchObject({ outcome: "confirmed", attempts: 2 });
  expect(server.connections).toHaveLength(2);
  expect(server.carriedOut.map((body) => JSON.parse(body).notes[0].body)).toEqual(["one", "two"]);
});

test("payments each have a connection of their own, so that no answer is taken for another's", async () => {
  const server = await shiftedServer((body) => {
    const { reference } = JSON.parse(body);
    return JSON.stringify({ service_account_number: "A-1", reference });
  });
  const context = await contextFor(server.baseUrl);
  const one = await submit(context, instruction("GOODPAY", "R-1"), hurried().options);
  const two = await submit(context, instruction("GOODPAY", "R-2"), hurried().options);
  expect([one.outcome, two.outcome]).toEqual(["confirmed", "confirmed"]);
  expect(server.carriedOut).toHaveLength(2);
  expect(server.connections).toHaveLength(2);
});

/** Resets a connection at its second request, as a proxy does with one that was idle for too long. */
test("a proxy that drops idle connections leaves no payment and no statement unknown", async () => {
  const server = await openService({
    writes: [payment("R-1"), payment("R-2"), payment("R-3"), { status: 200, body: [{}] }],
  });
  const used = new Set<number | undefined>();
  server.onSocket = (socket) => {
    if (used.has(socket.remotePort)) socket.resetAndDestroy();
    used.add(socket.remotePort);
  };
  const context = await contextFor(server.baseUrl);
  for (const reference of ["R-1", "R-2", "R-3"]) {
    const result = await submit(context, instruction("GOODPAY", reference), hurried().options);
    expect(result).toMatchObject({ outcome: "confirmed", attempts: 1 });
  }
  const last = await submit(context, statement(), hurried().options);
  expect(last).toMatchObject({ outcome: "confirmed", attempts: 1 });
  expect(used.size).toBe(4);
});
