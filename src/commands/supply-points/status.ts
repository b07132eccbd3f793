/**
 * The command `supply-points status`: prints the import process of a supply point (INTERFACE 4.7).
 */

import type { SupplyPointProcess } from "../../api/service.ts";
import { supplyPointStatusWords } from "../../text/describe-status.ts";
import { withErrorContext } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import { supplierArgument, supplyPointArgument } from "../option-values.ts";
import {
  type Column,
  column,
  processColumns,
  supplierColumn,
  supplyPointColumn,
  withStatusText,
} from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";

const columns: readonly Column<ReturnType<typeof rowOf>>[] = [
  { ...supplierColumn, title: "Import supplier" },
  supplyPointColumn,
  ...processColumns,
  column(["latest_error_code", "Latest error"], "text or null", "The code of the latest error."),
  column(
    ["latest_error_domain", "Error domain"],
    "text or null",
    "The domain of the latest error.",
  ),
  column(
    ["latest_error_detail", "Error detail"],
    "text or null",
    "The detail of the latest error.",
  ),
];

export const verb: Verb = {
  description: "the import process of a supply point",
  declare: (command) => command.argument(...supplierArgument).argument(...supplyPointArgument),
  columns,
  async run(invocation, supplier: string, identifier: string) {
    return withTarget(invocation, async ({ service, context }) => {
      const subject = { kind: "supply-point", supplier, id: identifier } as const;
      const { value } = await withErrorContext(
        context(`reading the status of supply point ${identifier}`, subject),
        () => service.supplyPoints.status(supplier, identifier, invocation.request),
      );
      const json = supplyPointJson({ supplier, identifier }, value);
      const shown = value.latest_error === null ? columns.slice(0, 6) : columns;
      await printRow(invocation, columns, rowOf(value, json), {
        json: () => json,
        brief: withStatusText(shown, ({ status }) => supplyPointStatusWords(status)),
      });
      return exitCode.done;
    });
  },
  exits: exits.read,
  examples: [
    "supplyline supply-points status ACME SP-PROCESSED",
    "supplyline supply-points status ACME SP-PROCESSED --json",
  ],
};

function rowOf(
  { latest_error: error }: SupplyPointProcess,
  json: ReturnType<typeof supplyPointJson>,
) {
  return {
    ...json,
    latest_error_code: error?.code ?? null,
    latest_error_domain: error?.domain ?? null,
    latest_error_detail: error?.detail ?? null,
  };
}

/** The supplier and the identifier of a supply point (INTERFACE 1.5). */
interface SupplyPoint {
  readonly supplier: string;
  readonly identifier: string;
}

/**
 * Returns a supply point and its import process as JSON, with the values that the service sent.
 */
export function supplyPointJson(
  { supplier, identifier }: SupplyPoint,
  process: SupplyPointProcess,
) {
  const { status, service_identifier, created_at, modified_at, latest_error } = process;
  return {
    import_supplier: supplier,
    external_identifier: identifier,
    status,
    service_identifier,
    created_at,
    modified_at,
    latest_error,
  };
}
