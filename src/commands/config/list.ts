import { printRows } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { configColumns, configRows } from "./config-rows.ts";

export const verb: Verb = {
  description: "every setting of the profile in use and every preference: value, source, default",
  columns: configColumns,
  async run(invocation) {
    const rows = configRows(invocation);
    await printRows(invocation, configColumns, rows, { brief });
    if (rows.every(({ profile }) => profile === null))
      invocation.notice("No profile is chosen, so these are the preferences alone.");
  },
  exits: [0, 2, 3],
  examples: [
    "supplyline config list",
    "supplyline config list --profile live --columns key,value,source",
  ],
};

const brief = configColumns.filter(({ name }) => name !== "type" && name !== "profile");
