import { accountStatusPath, listPath } from "../api/accounts.ts";
import { isServiceError } from "../api/errors.ts";
import type { ListBody, Service } from "../api/service.ts";
import { supplyPointStatusPath } from "../api/supply-points.ts";
import { asCommand, type CommandPlace, commandLine } from "../text/as-command.ts";
import { bytes } from "../text/numbers.ts";
import { validateSupplyPointPath } from "../writes/kinds/kind.ts";
import type { CommandLog, LoggedEnd } from "./command-log.ts";

/**
 * The service with its reads, and the validations of supply points, in a log. Writes go past it:
 * they are logged as what they are about, and a service does not know that.
 */
export function loggedService(service: Service, log: CommandLog, profile: string | null): Service {
  const begin = (place: CommandPlace, path: string, identifiers: readonly string[]) =>
    log.begin(
      "read",
      // What no argument can be is percent-encoded in the address.
      asCommand(place, profile) ??
        `GET /${[path, ...identifiers.map((one) => encodeURIComponent(one.toWellFormed()))].join("/")}/`,
    );
  const { accounts, supplyPoints } = service;
  return {
    ...service,
    accounts: {
      status: (supplier, account, options) =>
        logged(
          begin({ kind: "account-status", supplier, account }, accountStatusPath, [
            supplier,
            account,
          ]),
          accounts.status(supplier, account, options),
          answered,
        ),
      async list(supplier, state, options) {
        const end = begin({ kind: "accounts-list", supplier, state }, listPath(state), [supplier]);
        try {
          return loggedList(await accounts.list(supplier, state, options), end);
        } catch (error) {
          end(failed(error));
          throw error;
        }
      },
    },
    supplyPoints: {
      status: (supplier, id, options) =>
        logged(
          begin({ kind: "supply-point-status", supplier, id }, supplyPointStatusPath, [
            supplier,
            id,
          ]),
          supplyPoints.status(supplier, id, options),
          answered,
        ),
    },
    post(request, options) {
      const validation = commandLine({ words: ["supply-points", "validate", "-"] }, profile);
      const isValidation = request.path === validateSupplyPointPath && validation !== null;
      const line = isValidation ? validation : `POST ${request.path}`;
      return logged(log.begin("read", line), service.post(request, options), answered);
    },
  };
}

async function logged<T>(
  end: (end: LoggedEnd) => void,
  call: Promise<T>,
  words: (value: T) => LoggedEnd,
): Promise<T> {
  try {
    const value = await call;
    end(words(value));
    return value;
  } catch (error) {
    end(failed(error));
    throw error;
  }
}

/** A list whose end is logged when its last byte has arrived, or when it is not read to its end. */
function loggedList(list: ListBody, end: (end: LoggedEnd) => void): ListBody {
  async function* chunks(): ListBody["chunks"] {
    let ended: LoggedEnd = failed(null);
    try {
      yield* list.chunks;
      ended = { text: bytes(list.wireBytes()), tone: "ok" };
    } catch (error) {
      ended = failed(error);
      throw error;
    } finally {
      end(ended);
    }
  }
  return { ...list, chunks: chunks() };
}

function answered({ httpStatus }: { readonly httpStatus: number }): LoggedEnd {
  return { text: `${httpStatus}`, tone: "ok" };
}

/** How a call failed, in a word; null for one that was given up. */
function failed(error: unknown): LoggedEnd {
  if (error !== null && !isServiceError(error)) return { text: "failed", tone: "bad" };
  const kind = error?.kind ?? "cancelled";
  if (kind === "cancelled") return { text: "canceled", tone: "waiting" };
  if (kind === "not-found") return { text: "404", tone: "waiting" };
  const status = error?.facts.httpStatus ?? 200;
  return { text: status < 200 || status >= 300 ? `${status}` : kind, tone: "bad" };
}
