/** The rules that the four requests for imported accounts have in common (INTERFACE 4.1–4.4). */
import type { Answer, Check } from "../checks.ts";
import { failedValidation, name, notFound, required } from "../checks.ts";
import type { Service } from "../service.ts";
import type { Owner } from "../store/store.ts";

export const accountFields = {
  import_supplier: required(name),
  external_account_number: required(name),
};

export interface AccountPayload {
  readonly import_supplier: string;
  readonly external_account_number: string;
}

interface ImportedAccount {
  readonly owner: Owner;
  readonly serviceNumber: string;
}

/**
 * Checks a payload, finds its account and runs `apply` as a transaction. An invalid payload gets
 * 400, even if the account does not exist. A missing account gets 404.
 */
export function onAccount<Payload extends AccountPayload>(
  service: Service,
  payload: unknown,
  check: Check,
  apply: (account: ImportedAccount, payload: Payload) => Answer,
): Answer {
  const problems = check(payload, []);
  if (problems.length > 0) return failedValidation(problems);
  // The check covers every field of this type.
  const valid = payload as Payload;
  const account = importedAccount(service, valid.import_supplier, valid.external_account_number);
  if (account === undefined) {
    return notFound("No imported account has this external account number at this supplier.");
  }
  return service.store.atomically(() => apply(account, valid));
}

/**
 * Returns the account, or undefined for an unknown supplier, an account that was never staged, or
 * one that is still pending.
 */
function importedAccount(
  service: Service,
  supplierCode: string,
  externalNumber: string,
): ImportedAccount | undefined {
  const world = service.suppliers.get(supplierCode)?.accounts;
  const row = world?.rowOf(externalNumber);
  if (world === undefined || row === undefined) return undefined;
  const now = service.clock.now();
  if (world.status(row, now) !== "COMPLETED") return undefined;
  return {
    owner: { supplier: supplierCode, identifier: externalNumber },
    serviceNumber: world.serviceNumber(row, now),
  };
}
