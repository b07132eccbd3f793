import { forms } from "../../forms/forms.ts";
import type { Invocation } from "../invocation.ts";
import { bodyFromFile } from "../writes/body-from-file.ts";
import { makeWrite } from "../writes/make-write.ts";
import { againOf, type WriteOptions } from "../writes/write-options.ts";

/** Creates the supply point of a file (INTERFACE 4.6). */
export async function createSupplyPoint(
  invocation: Invocation,
  file: string,
  options: WriteOptions,
): Promise<number> {
  const { settle, dryRun } = options;
  const payload = await bodyFromFile(invocation, forms["supply-points"], file);
  return makeWrite(invocation, {
    request: { operation: "supply-points create", body: payload.bytes },
    again: againOf(options),
    explain: payload.explain,
    settle,
    dryRun,
  });
}
