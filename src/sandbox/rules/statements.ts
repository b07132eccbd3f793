/**
 * The rules of the endpoint for historical statements (INTERFACE 4.3). The interface does not
 * mention duplicates, so a duplicate is added again.
 */
import type { Answer, Check } from "../checks.ts";
import {
  allOf,
  date,
  documentPath,
  isObject,
  list,
  name,
  number,
  object,
  optional,
  problem,
  required,
} from "../checks.ts";
import { addEffect, type Service } from "../service.ts";
import type { AccountPayload } from "./account-payload.ts";
import { accountFields, onAccount } from "./account-payload.ts";

interface Statement {
  readonly statement_id: string;
  readonly number: string;
}

interface StatementsPayload extends AccountPayload {
  readonly statements: readonly Statement[];
}

const statementFields = object({
  bill_period_from_date: required(date),
  bill_period_to_date: required(date),
  statement_id: required(name),
  issued_date: required(date),
  number: required(name),
  gross_amount: required(number),
  statement_path: optional(documentPath),
});

const endsAfterStart: Check = (value, path) => {
  const statement = isObject(value) ? value : {};
  return String(statement.bill_period_from_date) <= String(statement.bill_period_to_date)
    ? []
    : problem(
        [...path, "bill_period_to_date"],
        "period_ends_before_it_begins",
        "The bill period ends before it begins.",
      );
};

const check = object({
  ...accountFields,
  statements: required(list(allOf(statementFields, endsAfterStart), 1)),
});

export function createStatements(service: Service, payload: unknown): Answer {
  return onAccount<StatementsPayload>(service, payload, check, ({ owner }, { statements }) => {
    for (const statement of statements) {
      const { statement_id: key, number } = statement;
      addEffect(service, owner, {
        kind: "statement",
        endpoint: "statements",
        key,
        record: statement,
        detail: { number },
      });
    }
    return { status: service.faults.settings().statementsStatus, body: payload };
  });
}
