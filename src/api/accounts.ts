import { isRecord } from "../json/value.ts";
import { accountNumberIn } from "./brand.ts";
import { ServiceError } from "./errors.ts";
import { parseJson, readText } from "./read-body.ts";
import type {
  AccountStatus,
  Answer,
  CallOptions,
  ListBody,
  ListState,
  Service,
} from "./service.ts";
import { get, type Transport } from "./transport.ts";

const statusTimeoutMs = 30_000;
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
  const read = {
    path: "v1/data-import/account-transfer-status",
    identifiers: [supplier, account],
    timeoutMs: statusTimeoutMs,
  };
  return get(transport, read, options, async (answer) => {
    const raw = transport.authorisation.hide(await readText(answer));
    // INTERFACE 2, "Account import status": what else comes is accepted and stays in the raw text.
    const said = parseJson(raw, answer);
    if (!isRecord(said) || typeof said.status !== "string") {
      throw new ServiceError("unreadable", "The answer is not an account status.", {
        ...answer.facts,
        body: raw,
      });
    }
    return {
      value: {
        status: said.status,
        service_account_number: accountNumberIn(said, transport.brand) ?? "",
      },
      raw,
      httpStatus: answer.status,
      receivedAt: transport.clock.now(),
    };
  });
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
