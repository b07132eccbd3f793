/** The command `supply-points create`: creates a supply point and its accounts (INTERFACE 4.6). */

import { forms } from "../../forms/forms.ts";
import { exits, type Verb } from "../verb.ts";
import { bodyFromFile } from "../writes/body.ts";
import { makeWrite } from "../writes/make-write.ts";
import { itemColumns } from "../writes/outcome.ts";
import { addWriteOptions, type WriteOptions } from "../writes/write-options.ts";

export const verb: Verb = {
  description: "create a supply point and its accounts; the creation is scheduled",
  declare: (command) =>
    addWriteOptions(command.argument("<file>", "the payload as JSON, or - for standard input")),
  columns: itemColumns,
  run: async (invocation, file: string, options: WriteOptions) => {
    const payload = await bodyFromFile(invocation, forms["supply-points"], file);
    return makeWrite(invocation, {
      request: { operation: "supply-points create", body: payload.bytes },
      explain: payload.explain,
      options,
    });
  },
  exits: exits.write,
  examples: [
    "supplyline supply-points create supply-point.json --dry-run",
    "supplyline supply-points create supply-point.json --json",
  ],
};
