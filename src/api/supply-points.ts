import { isRecord } from "../json/value.ts";
import { identifierIn } from "./brand.ts";
import { ServiceError } from "./errors.ts";
import { parseJson, readText } from "./read-body.ts";
import type {
  Answer,
  CallOptions,
  Service,
  SupplyPointError,
  SupplyPointProcess,
} from "./service.ts";
import { get, type Transport } from "./transport.ts";

const statusTimeoutMs = 30_000;

/** The calls about supply points (INTERFACE 4.7). */
export function supplyPointCalls(transport: Transport): Service["supplyPoints"] {
  return {
    status: (supplier, identifier, options = {}) =>
      status(transport, supplier, identifier, options),
  };
}

function status(
  transport: Transport,
  supplier: string,
  identifier: string,
  options: CallOptions,
): Promise<Answer<SupplyPointProcess>> {
  const read = {
    path: "v2/data-import/supply-points",
    identifiers: [supplier, identifier],
    timeoutMs: statusTimeoutMs,
  };
  return get(transport, read, options, async (answer) => {
    const raw = transport.authorisation.hide(await readText(answer));
    const said = parseJson(raw, answer);
    // INTERFACE 2, "Supply point import process": only the status is insisted on.
    if (!isRecord(said) || typeof said.status !== "string") {
      throw new ServiceError("unreadable", "The answer is not a supply point import process.", {
        ...answer.facts,
        body: raw,
      });
    }
    return {
      value: {
        status: said.status,
        service_identifier: identifierIn(said, transport.brand),
        created_at: text(said.created_at),
        modified_at: text(said.modified_at),
        latest_error: latestError(said.latest_error),
      },
      raw,
      httpStatus: answer.status,
      receivedAt: transport.clock.now(),
    };
  });
}

/** Whatever stands there as text: of another type than the documented one, it is still said. */
function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An error of another shape than the documented one is an error all the same: its detail is all of it. */
function latestError(value: unknown): SupplyPointError | null {
  if (!isRecord(value)) {
    const detail = text(value);
    return detail === null ? null : { code: "", detail, domain: "" };
  }
  const { code, detail, domain } = value;
  return { code: text(code) ?? "", detail: text(detail) ?? "", domain: text(domain) ?? "" };
}
