/** Words for attempts and outcomes, which the console and the commands share. */

import { readErrorBody } from "../../src/api/error-body.ts";
import { ServiceError } from "../../src/api/errors.ts";
import { errorWords } from "../../src/errors/error-words.ts";
import { rejectionRemedy } from "../../src/errors/rejection-remedy.ts";
import { linkAfter } from "../../src/session/connection.ts";
import type { ActivityDetail } from "../../src/writes/activity-detail.ts";
import { submit } from "../../src/writes/submit.ts";
import { eventWords } from "../../src/writes/words/events.ts";
import {
  existsWords,
  meaningWords,
  movedWords,
  noticeTone,
} from "../../src/writes/words/outcomes.ts";
import { type Act, openService } from "../helpers/service.ts";
import { contextFor, hurried, instruction, notes } from "./writing.ts";

const lost = new ServiceError("unreachable", "No connection (ECONNRESET).", {
  method: "POST",
  url: "http://service.test/v1/data-import/notes/create/",
  sent: true,
  systemCode: "ECONNRESET",
});

describe("what happened says how each attempt ended", () => {
  const created = { status: 201, body: [{ body: "one", status: "NOTE_CREATION_SUCCESS" }] };
  test.each<[string, readonly Act[], Parameters<typeof submit>[1], readonly RegExp[]]>([
    ["confirmed", [created], notes("one"), [/^Attempt 1: answered 201 after \d+ m?s\.$/]],
    [
      "rejected",
      [{ status: 400, body: { detail: "No.", code: "refused" } }],
      notes("one"),
      [/^Attempt 1: answered 400 \(refused\) after \d+ m?s\.$/],
    ],
    [
      "unknown",
      ["reset"],
      instruction(),
      [
        /^Attempt 1: no answer after \d+ m?s: the connection broke before the response arrived \(ECONNRESET\)\.$/,
      ],
    ],
    [
      "confirmed at the second attempt",
      [{ status: 503 }, created],
      notes("one"),
      [/^Attempt 1: answered 503 after/, /^Attempt 2: answered 201 after/],
    ],
  ])("%s", async (_outcome, acts, write, expected) => {
    const server = await openService({ writes: acts });
    const { options, events } = hurried();
    await submit(await contextFor(server.baseUrl), write, options);
    const lines = events.map((event) => eventWords(event, null));
    const attempts = lines.filter((line) => /^Attempt \d: (?!sen)/.test(line ?? ""));
    expect(attempts).toHaveLength(expected.length);
    for (const [at, words] of expected.entries()) expect(attempts[at]).toMatch(words);
  });
});

describe("a connection that broke after the request left", () => {
  test("is not said to be unreachable", () => {
    const { sentence, why } = errorWords(lost, {
      doing: "adding a note",
      baseUrl: "http://service.test",
    });
    expect(sentence).toBe(
      "Adding a note: the connection to http://service.test broke before the response arrived.",
    );
    expect(why).toBe("The connection was broken off (ECONNRESET)");
  });

  test("does not turn the header offline, as one that was never made does", () => {
    const online = { kind: "online" } as const;
    expect(linkAfter(online, lost, 5)).toEqual(online);
    const refused = new ServiceError("unreachable", "No connection.", { sent: false });
    expect(linkAfter(online, refused, 5)).toEqual({ kind: "offline", since: 5 });
  });
});

describe("what an outcome means is said once", () => {
  const at = "2026-01-01T00:00:00Z";
  const sent = { attempts: [], operation: "notes create", http_status: null };
  test.each([
    ["confirmed", "answered", "The service confirmed it."],
    ["rejected", "answered", "The service rejected it."],
    ["unknown", "no-answer", "It is unknown whether it took effect. No usable response arrived."],
  ] as const)("%s", (outcome, reason, words) => {
    expect(meaningWords({ ...sent, outcome, reason, doubt: "unknown", remarks: [] })).toMatch(
      outcome === "rejected" ? new RegExp(`^${words}`) : words,
    );
    const sure = meaningWords({ ...sent, outcome, reason, doubt: "none", remarks: [] });
    expect(sure).toBe(words);
  });

  test("a rejection has the reason that matters first, and no doubled full stop", () => {
    const response = JSON.stringify({
      detail: "The payload failed validation.",
      code: "account_failed_validation",
      errors: [
        { attr: "reference", code: "instruction_not_found", detail: "No such instruction." },
      ],
    });
    const attempts = [{ response }] as unknown as ActivityDetail["attempts"];
    const words = meaningWords({
      attempts,
      operation: "payment-instructions create",
      http_status: 400,
      outcome: "rejected",
      reason: "answered",
      doubt: "none",
      remarks: [],
    });
    expect(words).toBe(
      "The service rejected it: reference: No such instruction (instruction_not_found); The payload failed validation.",
    );
  });

  test("an operator's reason for closing stands first", () => {
    const remarks = [{ at, kind: "closed", text: "seen at the vendor, reference R-88" }];
    const doubt = "unknown";
    expect(
      meaningWords({ ...sent, outcome: "closed", reason: "closed-by-operator", doubt, remarks }),
    ).toMatch(
      /^seen at the vendor, reference R-88\. Closed by an operator; the service never confirmed it\./,
    );
  });
});

describe("only what is known is said", () => {
  const sent = {
    operation: "transactions create" as const,
    items: [{ transaction_id: "T-1", transaction_date: "2020-01-01" }],
  };
  const answer = (date: string) =>
    JSON.stringify({
      results: [{ transaction_data: { transaction_id: "T-1", transaction_date: date } }],
    });

  test("a date was moved only where the answer shows another date", () => {
    expect(movedWords(sent, {}, answer("2020-01-01"))).toEqual([null]);
    expect(movedWords(sent, {}, answer("2026-01-02"))).toEqual([
      expect.stringContaining("Added with the date 2026-01-02"),
    ]);
    const strict = { force_add_to_current_statement: "false" };
    expect(movedWords(sent, strict, answer("2026-01-02"))).toEqual([]);
  });

  test("the pin of a note that already exists was not applied, unless an earlier attempt added it", () => {
    const note = {
      operation: "notes create" as const,
      items: [{ body: "one", is_pinned: true }],
    };
    expect(existsWords(note, 0, { attempts: 1 })).toMatch(
      /^Already exists; the pin was not applied\./,
    );
    expect(existsWords(note, 0, { attempts: 2 })).not.toContain("pin");
    const plain = { operation: "notes create" as const, items: [{ body: "one" }] };
    expect(existsWords(plain, 0, { attempts: 1 })).not.toContain("pin");
    expect(existsWords(plain, 0, { attempts: 1 })).toContain("give the note a created_at");
    const timed = { ...plain, items: [{ body: "one", created_at: "2026-01-01T00:00:00Z" }] };
    expect(existsWords(timed, 0, { attempts: 1 })).toContain("give the note another created_at");
  });
});

describe("a rejection that no correction helps has a remedy of its own", () => {
  const rejected = (body: object) => {
    const { code, detail, errors, supplyPointIdentifier } = readErrorBody(JSON.stringify(body));
    return new ServiceError("rejected", "refused", {
      httpStatus: 400,
      ...(code === undefined ? {} : { code }),
      ...(errors.length === 0 ? {} : { errors }),
      ...(detail === undefined ? {} : { detail }),
      ...(supplyPointIdentifier === undefined ? {} : { supplyPointIdentifier }),
    });
  };
  const context = { subject: { supplier: "ACME" } };

  test.each([
    [
      "a duplicate supply point",
      {
        non_field_errors: {
          detail: "Exists.",
          code: "supply_point_import_process_already_imported",
        },
        supply_point_identifier: "SP-1",
      },
      /already has an import process: `supplyline supply-points status ACME SP-1`/,
    ],
    ["a paused supplier", { detail: "The supplier is paused.", code: "x" }, /might be paused/],
    ["a paused supplier, by its code", { code: "import_supplier_paused" }, /might be paused/],
    [
      "a complete supplier",
      { detail: "Migrations of this supplier are complete." },
      /might be complete/,
    ],
  ])("%s", (_what, body, words) => {
    expect(rejectionRemedy(rejected(body), context)).toMatch(words);
  });

  const complete = "The migration payload is not complete; this supplier is paused.";
  test.each([
    ["names a field", { detail: complete, errors: [{ attr: "notes.0.body", detail: "No." }] }],
    ["mirrors a field", { detail: complete, transactions: [{ amount: ["No."] }] }],
    ["has the code of a validation", { detail: complete, code: "account_failed_validation" }],
    ["has another known code", { detail: complete, code: "invalid_phone_number" }],
    ["is about a transaction", { status: "TRANSACTION_IMPORT_ERROR", error_detail: complete }],
  ])("a rejection that %s is never put down to the supplier", (_what, body) => {
    expect(rejectionRemedy(rejected(body), context)).toBeNull();
  });

  test("any other is to be corrected", () => {
    expect(rejectionRemedy(rejected({ detail: "Field is incomplete." }), context)).toBeNull();
    expect(rejectionRemedy(rejected({ code: "account_failed_validation" }), context)).toBeNull();
  });
});

test("a notice about an outcome has its color, and stays unless it is confirmed", () => {
  const tones = (["confirmed", "rejected", "unknown", "retryable", "unsent"] as const).map(
    noticeTone,
  );
  expect(tones).toEqual(["ok", "bad", "unknown", "waiting", "waiting"]);
});
