import type { Column } from "../rows/columns.ts";
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
  { name: "origin", title: "Service", type: "text", meaning: "The address of the service." },
  {
    name: "observations",
    title: "Observations",
    type: "number",
    meaning: "Complete lists that were recorded.",
  },
  {
    name: "first_at",
    title: "First at",
    type: utcText,
    meaning: "When the first list was requested.",
  },
  {
    name: "last_at",
    title: "Last at",
    type: utcText,
    meaning: "When the last list was requested.",
  },
];
