import { toJson } from "../../json/exact.ts";
import { usageError } from "../command-error.ts";
import { printRow } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { configColumns, configKey, configRows } from "./config-rows.ts";

export const verb: Verb = {
  description: "the value of one setting; with --json also its source",
  declare: (command) => command.argument("<key>", "setting, as `config list` names it"),
  columns: configColumns,
  /**
   * Prints only the value, for scripts. Prints nothing if the setting has no value and no default.
   */
  async run(invocation, typed: string) {
    const { globals, out } = invocation;
    const key = configKey(typed);
    const row = configRows(invocation).find((setting) => setting.key === key);
    if (row === undefined)
      throw usageError(
        `${key} is a setting of a profile, and none is chosen`,
        "Choose one with --profile NAME.",
      );
    if (globals.format !== "table" || globals.columns !== undefined)
      await printRow(invocation, configColumns, row);
    else if (row.value !== null)
      await out.line(typeof row.value === "string" ? row.value : toJson(row.value));
  },
  exits: [0, 2, 3],
  examples: ["supplyline config get pollIntervalMs", "supplyline config get baseUrl --json"],
};
