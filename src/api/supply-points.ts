import * as z from "zod/mini";
import { identifierIn } from "./brand.ts";
import { ServiceError } from "./errors.ts";
import { parseJson, readText } from "./read-body.ts";
import type { Answer, CallOptions, Service, SupplyPointProcess } from "./service.ts";
import { get, type Transport } from "./transport.ts";

const statusTimeoutMs = 30_000;

const instant = z.catch(z.nullable(z.string()), null);
const words = z.catch(z.string(), "");

/** INTERFACE 2, "Supply point import process"; only the status is insisted on. */
const processSchema = z.looseObject({
  status: z.string(),
  created_at: z.optional(instant),
  modified_at: z.optional(instant),
  latest_error: z.optional(
    z.catch(z.nullable(z.looseObject({ code: words, detail: words, domain: words })), null),
  ),
});

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
    const raw = await readText(answer);
    const parsed = processSchema.safeParse(parseJson(raw, answer));
    if (!parsed.success) {
      throw new ServiceError("unreadable", "The answer is no supply point import process.", {
        ...answer.facts,
        body: raw,
      });
    }
    const process = parsed.data;
    const error = process.latest_error ?? null;
    return {
      value: {
        status: process.status,
        service_identifier: identifierIn(process, transport.brand),
        created_at: process.created_at ?? null,
        modified_at: process.modified_at ?? null,
        latest_error: error && { code: error.code, detail: error.detail, domain: error.domain },
      },
      raw,
      httpStatus: answer.status,
      receivedAt: transport.clock.now(),
    };
  });
}
