/**
 * The facts about writes of payment instructions (INTERFACE 4.4): endpoint, retries, results,
 * duplicates.
 */
import { commonRules } from "../retry-table.ts";
import { accountBody, allItems, nameAt, refusedWhole, textAt, wholeItem } from "./bodies.ts";
import type { KindFacts } from "./kind.ts";

const where =
  "the account's payment instructions on the platform's support pages, and at the vendor";

export const paymentInstructionsKind: KindFacts<"payment-instructions"> = {
  form: "payment-instructions",
  path: "/v1/data-import/payment-instruction/create/",
  itemsField: null,
  idField: null,
  identityOf: wholeItem,
  nameOf: (instruction) => {
    const [vendor, reference] = [nameAt(instruction, "vendor"), nameAt(instruction, "reference")];
    return vendor === null || reference === null ? null : [vendor, reference];
  },
  item: "payment instruction",
  noun: "payment",
  plural: "payments",
  movesMoney: true,
  readBack: { by: "nothing", where },
  retries: {
    ...commonRules,
    "no-answer": "unknown",
    "400": "stop-and-block",
    "404": "stop",
    // The interface asks for a resend after a 500.
    "500": "resend",
    "5xx": "unknown",
  },
  readBody: (payload) =>
    accountBody(payload, null, (body) => `${String(body.vendor)}/${String(body.reference)}`),
  isDeduplicated: () => false,
  dedupe: {
    summary: () => "not safe: the service might add the payment instruction twice",
    words: () =>
      `The service does not say that it recognizes a repeated payment instruction. It cannot be read back: look at ${where}.`,
  },
  naming: {
    fields: ["reference"],
    sent: (instruction) => textAt(instruction, "reference"),
    results: () => [],
  },
  statuses: {},
  confirmed: (facts) => allItems(facts, "created"),
  refusal: refusedWhole,
  contents: { amount: null, type: null, date: null, reference: "reference" },
  isSummed: false,
  command: { options: ["vendor", "reference", "type"] },
};
