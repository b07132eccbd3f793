import type { SupplyPointProcess } from "../../api/service.ts";
import { supplyPointStatuses } from "../../text/describe-status.ts";
import { supplyPointFinality } from "../../watch/transitions.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import { changePrinter } from "../watch/change-lines.ts";
import { followAll } from "../watch/follow-all.ts";
import { type SupplyPoint, supplyPointJson } from "./process-json.ts";

export interface WatchSupplyPointOptions extends SupplyPoint {
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}

const unknown: SupplyPointProcess = {
  status: "",
  service_identifier: null,
  created_at: null,
  modified_at: null,
  latest_error: null,
};

/** Follows a supply point (INTERFACE 4.7) until it has the status asked for or a final one. */
export async function watchSupplyPoint(
  invocation: Invocation,
  { supplier, identifier, until, interval, wait = false }: WatchSupplyPointOptions,
): Promise<number> {
  const ids = [identifier];
  return withTarget(invocation, (target) =>
    followAll<SupplyPointProcess>(invocation, target, {
      ids,
      until,
      intervalMs: interval,
      wait,
      statuses: supplyPointStatuses,
      check: async (id, signal) => {
        // The poll itself comes back after a failure; a look need not insist.
        const options = { signal, retries: 0 };
        return (await target.service.supplyPoints.status(supplier, id, options)).value;
      },
      stateOf: ({ status }) => status,
      detailOf: ({ service_identifier: found }) => found,
      finality: supplyPointFinality,
      subject: (id) => ({ kind: "supply-point", supplier, id }),
      changed: changePrinter(invocation, {
        ids,
        json: (id, value) => {
          const shown = supplyPointJson({ supplier, identifier: id }, value ?? unknown);
          return value === null ? { ...shown, status: null } : shown;
        },
        note: ({ service_identifier: found, latest_error: error }) =>
          error === null ? (found ?? "") : `${error.code}: ${error.detail}`,
      }),
    }),
  );
}
