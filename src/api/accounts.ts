import { accountNumberIn } from "./brand.ts";
import type {
  AccountStatus,
  Answer,
  CallOptions,
  ListBody,
  ListState,
  Service,
} from "./service.ts";
import { get, getStatus, statusTimeoutMs, type Transport } from "./transport.ts";

const listTimeoutMs = 600_000;

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
  const path = "v1/data-import/account-transfer-status";
  const read = { path, identifiers: [supplier, account], timeoutMs: statusTimeoutMs };
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
    path: `v1/data-import/${state}-account-import-processes`,
    identifiers: [supplier],
    timeoutMs: listTimeoutMs,
  };
  const { chunks, facts } = await get(transport, read, options, async (begun) => begun);
  return { chunks, facts, brand: transport.brand, clock: transport.clock };
}
