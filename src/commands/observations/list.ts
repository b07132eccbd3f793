import { utcInstant } from "../../text/dates.ts";
import { withStored } from "../observing.ts";
import { type Column, column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { type Observed, observedColumns } from "./observed-columns.ts";

interface Stored extends Observed {
  readonly accounts: number;
  readonly bytes: number;
}

const columns: readonly Column<Stored>[] = [
  ...observedColumns,
  column("accounts", "Accounts", "number", "Accounts that are known, listed or not."),
  column("bytes", "Bytes", "number", "Room on the disk, about."),
];

export const verb: Verb = {
  description: "what is stored on this machine, by service and supplier",
  examples: [
    "supplyline observations list",
    "supplyline observations list --json --columns import_supplier,last_at",
  ],
  exits: [0, 1, 2],
  columns,
  /** Prints one line for each service and supplier; no profile is needed. */
  async run(invocation) {
    const stored = (await withStored(invocation, (observations) => observations.stored())) ?? [];
    if (stored.length === 0)
      invocation.notice(
        "Nothing is stored yet: each complete list of a supplier is an observation.",
      );
    await printRows(
      invocation,
      columns,
      stored.map((one) => ({
        import_supplier: one.supplier,
        origin: one.origin,
        observations: one.observations,
        first_at: utcInstant(one.firstAt),
        last_at: utcInstant(one.lastAt),
        accounts: one.accounts,
        bytes: one.bytes,
      })),
    );
  },
};
