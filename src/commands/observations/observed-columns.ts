import { type Column, column } from "../rows/columns.ts";
import { supplierColumn, utcText } from "../rows/shared-columns.ts";

/** Of which supplier, where, since when: what `list` and `show` have in common. */
export interface Observed {
  readonly import_supplier: string;
  readonly origin: string;
  readonly observations: number;
  readonly first_at: string;
  readonly last_at: string;
}

export const observedColumns: readonly Column<Observed>[] = [
  supplierColumn,
  column("origin", "Service", "text", "The address of the service."),
  column("observations", "Observations", "number", "Complete lists that were recorded."),
  column("first_at", "First at", utcText, "When the first list was requested."),
  column("last_at", "Last at", utcText, "When the last list was requested."),
];
