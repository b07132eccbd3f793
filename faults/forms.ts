/** The same items in other requests: grouped, in another order, one by one, with other digits and flags. */
import type { Operation } from "../src/writes/kinds/kind.ts";
import type { WriteRequest } from "../src/writes/prepare.ts";
import { accountName, supplier } from "./writes.ts";

/** The form in which a client repeats the writes of an earlier client. */
export type Form = "grouped" | "reordered" | "single";

interface Writing {
  readonly statementAmount: string;
  readonly transactionAmount: string;
  readonly query: WriteRequest["query"];
  /** The places of the two items in each request. */
  readonly requests: readonly (readonly number[])[];
}

const writings: Readonly<Record<Form, Writing>> = {
  grouped: {
    statementAmount: "10.00",
    transactionAmount: "12.50",
    query: { check_previously_added: "true" },
    requests: [[1, 2]],
  },
  reordered: {
    statementAmount: "10.0",
    transactionAmount: "12.5",
    query: { check_previously_added: "false" },
    requests: [[2, 1]],
  },
  single: {
    statementAmount: "10",
    transactionAmount: "12.500",
    query: { check_previously_added: "false", is_historical: "true" },
    requests: [[1], [2]],
  },
};

/** Returns the requests for the items of number `n`, which are the same in every form. */
export function requestsIn(form: Form, mark: string, n: number): readonly WriteRequest[] {
  const { statementAmount, transactionAmount, query, requests } = writings[form];
  const name = `${mark}-${n}`;
  const target = `"import_supplier":"${supplier.code}","external_account_number":"${accountName(n)}"`;
  const write = (operation: Operation, fields: string, own?: WriteRequest["query"]) => ({
    operation,
    body: new TextEncoder().encode(`{${target},${fields}}`),
    ...(own === undefined ? {} : { query: own }),
  });
  const statement = (part: number) =>
    `{"statement_id":"${name}/s${part}","number":"${name}/s${part}","bill_period_from_date":"2026-10-01","bill_period_to_date":"2026-10-31","issued_date":"2026-11-01","gross_amount":${statementAmount}}`;
  const transaction = (part: number) =>
    `{"transaction_id":"${name}/t${part}","transaction_date":"2026-11-20","amount":${transactionAmount},"type":"CHARGE","reason":"IMPORTED_CHARGE"}`;
  const payment = ['"vendor":"GOODPAY"', `"reference":"${name}"`, '"type":"CARD"'];
  return [
    ...requests.flatMap((parts) => [
      write("statements create", `"statements":[${parts.map(statement)}]`),
      write("transactions create", `"transactions":[${parts.map(transaction)}]`, query),
    ]),
    write(
      "payment-instructions create",
      (form === "grouped" ? payment : payment.toReversed()).join(),
    ),
  ];
}
