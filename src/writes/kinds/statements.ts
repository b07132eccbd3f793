/**
 * The facts about writes of historical statements (INTERFACE 4.3): endpoint, retries, results,
 * duplicates.
 */
import { commonRules } from "../retry-table.ts";
import {
  accountBody,
  allItems,
  listIn,
  nameAt,
  refusedWhole,
  textAt,
  wholeItem,
  withId,
} from "./bodies.ts";
import type { KindFacts } from "./kind.ts";

const where = "the account's statements on the platform's support pages";

export const statementsKind: KindFacts<"statements"> = {
  form: "statements",
  path: "/v1/data-import/historical-statements/create/",
  itemsField: "statements",
  idField: "statement_id",
  identityOf: wholeItem,
  nameOf: (statement) => nameAt(statement, "statement_id"),
  item: "statement",
  noun: "statements",
  plural: "statements",
  movesMoney: false,
  readBack: { by: "nothing", where },
  retries: {
    ...commonRules,
    "no-answer": "unknown",
    "400": "stop",
    "404": "stop",
    "500": "unknown",
    "5xx": "unknown",
  },
  readBody: (payload) => accountBody(payload, "statements", (item) => item.statement_id),
  isDeduplicated: () => false,
  dedupe: {
    summary: () => "not safe: the service might add the statement twice",
    words: () =>
      `The service does not say that it recognizes a repeated statement. It cannot be read back: look at ${where}.`,
  },
  naming: {
    fields: ["statement_id"],
    sent: (statement) => textAt(statement, "statement_id"),
    // The response is the validated request, or only its array of statements.
    results: (response) => listIn(response, "statements"),
  },
  statuses: {},
  confirmed: (facts, { results }) => (results === null ? null : allItems(facts, "created")),
  refusal: refusedWhole,
  contents: { amount: "gross_amount", type: null, date: "issued_date", reference: null },
  isSummed: false,
  command: "from",
  sameRow: {
    key: (row) => withId(row, "statement_id"),
    words: (line) => `The same account and statement_id as line ${line}.`,
  },
};
