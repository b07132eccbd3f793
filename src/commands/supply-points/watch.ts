/**
 * The command `supply-points watch`: follows a supply point until it reaches a status (INTERFACE
 * 4.7).
 */

import type { SupplyPointProcess } from "../../api/service.ts";
import { supplyPointStatuses } from "../../text/describe-status.ts";
import { supplierArgument, supplyPointArgument } from "../option-values.ts";
import { column, processColumns, supplierColumn, supplyPointColumn } from "../rows/columns.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";
import { watchByStatus } from "../watch/by-status.ts";
import { changeColumns, changePrinter } from "../watch/change-lines.ts";
import { intervalOption, type WatchOptions } from "../watch/watch.ts";
import { supplyPointJson } from "./status.ts";

/** The fields of a change. The status is null if the service does not know the supply point. */
interface ChangedSupplyPoint extends Omit<ReturnType<typeof supplyPointJson>, "status"> {
  readonly status: string | null;
}

const columns = changeColumns<ChangedSupplyPoint>([
  supplierColumn,
  supplyPointColumn,
  ...processColumns,
  column(
    "latest_error",
    "object or null",
    "`code`, `detail` and `domain` of the latest error, as sent.",
  ),
]);

export const verb: Verb = {
  description: "follow a supply point until it reaches a status; a line for each change",
  declare: (command) =>
    command
      .argument(...supplierArgument)
      .argument(...supplyPointArgument)
      .option(
        "--until <status>",
        `the status to wait for: ${supplyPointStatuses.join(", ")}, or an undocumented one`,
        "PROCESSED",
      )
      .addOption(intervalOption("time between two checks, such as 5s or 1m"))
      .option("--wait", "also wait for a supply point that the service does not have yet"),
  columns,
  async run(invocation, supplier: string, identifier: string, options: WatchOptions) {
    const ids = [identifier];
    const changed = changePrinter(invocation, {
      ids,
      columns,
      row: (id, value: SupplyPointProcess | null): ChangedSupplyPoint => {
        const json = supplyPointJson({ supplier, identifier: id }, value ?? noProcess);
        return value === null ? { ...json, status: null } : json;
      },
      note: ({ service_identifier: identifier, latest_error: error }) =>
        error === null ? (identifier ?? "") : `${error.code}: ${error.detail}`,
    });
    return withTarget(invocation, (target) =>
      watchByStatus<SupplyPointProcess>(invocation, target, ids, {
        kind: "supply-point",
        supplier,
        statuses: supplyPointStatuses,
        changed,
        ...options,
      }),
    );
  },
  exits: exits.watch,
  examples: [
    "supplyline supply-points watch ACME SP-MOVING",
    "supplyline supply-points watch ACME SP-FAILING --until ERRORED --timeout 10m",
  ],
};

const noProcess: SupplyPointProcess = {
  status: "",
  service_identifier: null,
  created_at: null,
  modified_at: null,
  latest_error: null,
};
