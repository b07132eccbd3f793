/** One payload for many accounts, made account by account on demand. */
import { AppError } from "../errors/app-error.ts";
import { forms } from "../forms/forms.ts";
import type { Validation } from "../forms/issue.ts";
import { fillBody } from "../forms/placeholders.ts";
import { validateBody } from "../forms/validate.ts";
import { isJsonArray, type JsonObject, memberOf } from "../json/exact.ts";
import { bytesOf } from "../json/print.ts";
import { operationOf } from "../writes/kinds/kinds.ts";
import { splitWrite, type WriteRequest } from "../writes/prepare.ts";
import type { PlannedRequest } from "./planned.ts";

/** A payload as it was composed; its texts can contain placeholders. */
export interface Template {
  readonly kind: "notes" | "transactions";
  readonly importSupplier: string;
  readonly body: JsonObject;
  /** Query parameters (INTERFACE 4.2). */
  readonly query: Readonly<Record<string, string>>;
  /** The user allows fields to be missing that the interface does not call required. */
  readonly allowMissing: boolean;
}

/** Notes or transactions that the template adds to each account. */
export function itemsOf({ kind, body }: Template): number {
  const items = memberOf(body, forms[kind].itemsField ?? kind);
  return isJsonArray(items) ? items.length : 1;
}

/** Requests for each account: one for each transaction, so that each has its own answer. */
export function requestsEach(template: Template): number {
  return template.kind === "transactions" ? itemsOf(template) : 1;
}

/** The payload of one account, checked as if it were composed for that account only. */
export function payloadFor(template: Template, account: string): Validation {
  const { kind, body, query, importSupplier, allowMissing } = template;
  const values = { import_supplier: importSupplier, external_account_number: account };
  return validateBody(forms[kind], fillBody(forms[kind], body, values), { query, allowMissing });
}

/**
 * Returns the requests of one account. A row is a note or a transaction. Its lines start at
 * `firstLine`. Throws a write error `invalid` if the payload cannot be sent with the account's
 * number.
 */
export function requestsFor(
  template: Template,
  account: string,
  firstLine: number,
): readonly PlannedRequest[] {
  const checked = payloadFor(template, account);
  if (!checked.ok) {
    const [issue] = checked.issues;
    throw new AppError("write", "invalid", `${account}: ${issue?.message ?? "cannot be sent."}`);
  }
  const { kind, importSupplier } = template;
  const write: WriteRequest = {
    operation: operationOf(kind),
    query: checked.query,
    body: bytesOf(checked.body),
  };
  const target = { kind: "account", importSupplier, externalAccountNumber: account } as const;
  if (requestsEach(template) === 1) {
    const lines = Array.from({ length: itemsOf(template) }, (_, at) => firstLine + at);
    return [{ lines, target, write }];
  }
  return splitWrite(write).map((one, at) => ({ lines: [firstLine + at], target, write: one }));
}

/** The requests of all accounts, in their order, made one after another and never held in memory together. */
export async function* plannedFor(
  template: Template,
  accounts: Iterable<string>,
): AsyncGenerator<PlannedRequest, void, void> {
  let line = 1;
  for (const account of accounts) {
    yield* requestsFor(template, account, line);
    line += itemsOf(template);
  }
}
