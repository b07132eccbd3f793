import { accountNumberIn } from "./brand.ts";
import type {
  AccountStatus,
  Answer,
  CallOptions,
  ListBody,
  ListState,
  Service,
} from "./service.ts";
import { get, getStatus, listTimeoutMs, statusTimeoutMs, type Transport } from "./transport.ts";

/** Below the base URL, without the identifiers (INTERFACE 4.8). */
export const accountStatusPath = "v1/data-import/account-transfer-status";

/** The same of a list (INTERFACE 4.9–4.11). */
export function listPath(state: ListState): string {
  return `v1/data-import/${state}-account-import-processes`;
}

/** The calls about accounts (INTERFACE 4.8–4.11). */
export function accountCalls(transport: Transport): Service["accounts"] {
  return {
    status: (supplier, account, options = {}) => status(transport, supplier, account, options),
    list: (supplier, state, options = {}) => list(transport, supplier, state, options),
  };
}

function status(
  transport: Transport,
  supplier: string,
  account: string,
  options: CallOptions,
): Promise<Answer<AccountStatus>> {
  const read = {
    path: accountStatusPath,
    identifiers: [supplier, account],
    timeoutMs: statusTimeoutMs,
  };
  return getStatus(transport, read, options, "an account status", (body) => ({
    status: body.status,
    service_account_number: accountNumberIn(body, transport.brand) ?? "",
  }));
}

async function list(
  transport: Transport,
  supplier: string,
  state: ListState,
  options: CallOptions,
): Promise<ListBody> {
  const read = {
    path: listPath(state),
    identifiers: [supplier],
    timeoutMs: listTimeoutMs,
  };
  const begun = await get(transport, read, options, async (answer) => answer);
  const { chunks, wireBytes, facts } = begun;
  return { chunks, wireBytes, facts, brand: transport.brand, clock: transport.clock };
}
