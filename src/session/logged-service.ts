/** Adds the reads of a service to the command log. */
import { isServiceError } from "../api/errors.ts";
import { accountStatusPath, listPath, supplyPointStatusPath } from "../api/read-calls.ts";
import type { ListBody, Service } from "../api/service.ts";
import { asCommand, type CommandPlace, commandLine } from "../text/as-command.ts";
import { bytes } from "../text/numbers.ts";
import { validateSupplyPointPath } from "../writes/kinds/kind.ts";
import type { CommandLog, LoggedEnd } from "./command-log.ts";

/**
 * Returns the service with a log of its reads and of the validations of supply points. Writes are
 * logged elsewhere, with their subject, which the service does not know.
 */
export function loggedService(service: Service, log: CommandLog, profile: string | null): Service {
  const begin = (place: CommandPlace, path: string, ...identifiers: readonly string[]) => {
    // A name that cannot be an argument is percent-encoded in the address.
    const names = identifiers.map((one) => encodeURIComponent(one.toWellFormed()));
    const line = asCommand(place, profile) ?? `GET /${[path, ...names].join("/")}/`;
    return log.begin("read", line);
  };
  const { accounts, supplyPoints } = service;
  return {
    ...service,
    accounts: {
      status(supplier, account, options) {
        const place = { kind: "account-status", supplier, account } as const;
        const end = begin(place, accountStatusPath, supplier, account);
        return logged(end, accounts.status(supplier, account, options));
      },
      async list(supplier, state, options) {
        const end = begin({ kind: "accounts-list", supplier, state }, listPath(state), supplier);
        try {
          return loggedList(await accounts.list(supplier, state, options), end);
        } catch (error) {
          end(failed(error));
          throw error;
        }
      },
    },
    supplyPoints: {
      status(supplier, id, options) {
        const place = { kind: "supply-point-status", supplier, id } as const;
        const end = begin(place, supplyPointStatusPath, supplier, id);
        return logged(end, supplyPoints.status(supplier, id, options));
      },
    },
    post(request, options) {
      const validation = commandLine({ words: ["supply-points", "validate", "-"] }, profile);
      const isValidation = request.path === validateSupplyPointPath && validation !== null;
      const line = isValidation ? validation : `POST ${request.path}`;
      return logged(log.begin("read", line), service.post(request, options));
    },
  };
}

async function logged<T extends { readonly httpStatus: number }>(
  end: (end: LoggedEnd) => void,
  call: Promise<T>,
): Promise<T> {
  try {
    const value = await call;
    end({ text: `${value.httpStatus}`, tone: "ok" });
    return value;
  } catch (error) {
    end(failed(error));
    throw error;
  }
}

/** Returns a list that logs its end after the last byte, or when the reading stops early. */
function loggedList(list: ListBody, end: (end: LoggedEnd) => void): ListBody {
  async function* chunks(): ListBody["chunks"] {
    let ended: LoggedEnd = failed(null);
    try {
      yield* list.chunks;
      ended = { text: bytes(list.wireBytes()), tone: "plain" };
    } catch (error) {
      ended = failed(error);
      throw error;
    } finally {
      end(ended);
    }
  }
  return { ...list, chunks: chunks() };
}

/** Returns the end of a failed call. A null error is a call that was canceled. */
function failed(error: unknown): LoggedEnd {
  if (error !== null && !isServiceError(error)) return { text: "failed", tone: "bad" };
  const kind = error?.kind ?? "cancelled";
  if (kind === "cancelled") return { text: "canceled", tone: "waiting" };
  const status = error?.facts.httpStatus ?? 200;
  return { text: status < 200 || status >= 300 ? `${status}` : kind, tone: "bad" };
}
