import { storedFields } from "../../triage/observations/words.ts";
import { withStoredObservations } from "../observing.ts";
import { printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";

const fields = Object.values(storedFields);

export const verb: Verb = {
  description: "the observations on this machine, by service and supplier",
  columns: fields,
  async run(invocation) {
    const stored = await withStoredObservations(invocation, (observations) =>
      observations.stored(),
    );
    if (stored.length === 0)
      invocation.notice(
        "No observations yet: each complete list of a supplier is recorded as one.",
      );
    await printRows(invocation, fields, stored);
  },
  exits: [0, 1, 2],
  examples: [
    "supplyline observations list",
    "supplyline observations list --json --columns import_supplier,last_at",
  ],
};
