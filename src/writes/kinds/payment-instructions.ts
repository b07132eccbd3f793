/** Payment instructions (INTERFACE 4.4). */
import { isRecord, jsonOf } from "../../json/exact.ts";
import { sameForEvery } from "../retry-table.ts";
import type { KindFacts } from "./kind.ts";
import {
  accountBody,
  accountOf,
  allCreated,
  isSuccess,
  other,
  otherReference,
  refusedWhole,
  skipped,
  textAt,
  unreadable,
} from "./results.ts";

const where =
  "the account's payment instructions on the platform's support pages, and at the vendor";

export const paymentInstructionsKind: KindFacts = {
  path: "/v1/data-import/payment-instruction/create/",
  itemsField: null,
  item: "payment instruction",
  noun: "payment",
  plural: "payments",
  movesMoney: true,
  readBack: { by: "nothing", where },
  retries: {
    ...sameForEvery,
    "no-answer": "unknown",
    "400": "stop-and-block",
    "404": "stop",
    // The interface itself asks for it.
    "500": "resend",
    "5xx": "unknown",
  },
  existsCode: null,
  readBody: (payload) =>
    accountBody(payload, null, (one) => `${String(one.vendor)}/${String(one.reference)}`),
  isDeduplicated: () => false,
  dedupe: {
    summary: () => "not safe: the service might add the payment instruction twice",
    words: () =>
      `The service does not say that it recognizes a repeated payment instruction. It cannot be read back: look at ${where}.`,
  },
  confirmation: (facts, httpStatus, body) => {
    if (!isSuccess(httpStatus)) return unreadable;
    const answer = jsonOf(body);
    const difference = otherReference(facts, answer);
    if (difference !== null) return other(difference);
    const named =
      isRecord(answer) &&
      Object.keys(answer).some(
        (field) => field.endsWith("_account_number") && textAt(answer, field) !== null,
      );
    return named && textAt(answer, "reference") !== null ? allCreated(facts) : unreadable;
  },
  refusal: refusedWhole,
  existing: skipped,
  movedDates: null,
  contents: { amount: null, type: null, date: null, reference: "reference" },
  amounts: null,
  command: { options: ["vendor", "reference", "type"] },
  openApi: {
    id: "createPaymentInstruction",
    answers: {
      201: "PaymentInstructionResult",
      400: "ValidationErrors",
      404: "NotFound",
      500: null,
    },
  },
  sameRow: {
    key: (row) => [...accountOf(row), row.vendor, row.reference, row.type],
    words: (line) =>
      `The same payment instruction as line ${line}: it is sent again only with --again.`,
  },
};
