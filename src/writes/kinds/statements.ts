/** Historical statements (INTERFACE 4.3). */
import { isRecord, jsonOf } from "../../json/exact.ts";
import { sameForEvery } from "../retry-table.ts";
import type { KindFacts } from "./kind.ts";
import {
  accountBody,
  accountOf,
  allCreated,
  isSuccess,
  listed,
  other,
  otherTarget,
  placedByName,
  refusedWhole,
  skipped,
  unreadable,
} from "./results.ts";

const where = "the account's statements on the platform's support pages";

export const statementsKind: KindFacts = {
  path: "/v1/data-import/historical-statements/create/",
  itemsField: "statements",
  item: "statement",
  noun: "statements",
  plural: "statements",
  movesMoney: false,
  readBack: { by: "nothing", where },
  retries: {
    ...sameForEvery,
    "no-answer": "unknown",
    "400": "stop",
    "404": "stop",
    "500": "unknown",
    "5xx": "unknown",
  },
  existsCode: null,
  readBody: (payload) => accountBody(payload, "statements", (one) => one.statement_id),
  isDeduplicated: () => false,
  dedupe: {
    summary: () => "not safe: the service might add the statement twice",
    words: () =>
      `The service does not say that it recognizes a repeated statement. It cannot be read back: look at ${where}.`,
  },
  /** The body is the validated data, with or without what is around it. */
  confirmation: (facts, httpStatus, body) => {
    if (!isSuccess(httpStatus)) return unreadable;
    const answer = jsonOf(body);
    const target = otherTarget(facts, answer);
    if (target !== null) return other(target);
    const statements = listed(facts, isRecord(answer) ? answer.statements : answer);
    if (statements === null || !statements.every(isRecord)) return unreadable;
    const placed = placedByName(facts.items, statements, {
      field: "statement_id",
      item: "statement",
      unnamed: null,
      itemIn: (result) => result,
    });
    return "difference" in placed ? other(placed.difference) : allCreated(facts);
  },
  refusal: refusedWhole,
  existing: skipped,
  movedDates: null,
  contents: { amount: "gross_amount", type: null, date: "issued_date", reference: null },
  amounts: null,
  command: "from",
  openApi: {
    id: "createHistoricalStatements",
    // The interface leaves open which of the two successes it is.
    answers: {
      200: "ValidatedData",
      201: "ValidatedData",
      400: "ValidationErrors",
      404: "NotFound",
    },
  },
  sameRow: {
    key: (row) => [...accountOf(row), row.statement_id],
    words: (line) => `The same account and statement_id as line ${line}.`,
  },
};
