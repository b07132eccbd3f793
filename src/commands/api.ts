import type { Command } from "commander";
import { exactJsonOf } from "../json/exact.ts";
import { toJson } from "../json/print.ts";
import { safeLines } from "../text/sanitise.ts";
import { withErrorContext } from "./command-error.ts";
import { exitCode } from "./exit-codes.ts";
import { choiceOption } from "./option-values.ts";
import { withTarget } from "./target.ts";
import { exits, type Verb } from "./verb.ts";

/** `api`: any read of the service, with the login of the profile. */
export const verb: Verb = {
  examples: [
    "supplyline api GET /v1/data-import/pending-account-import-processes/ACME/",
    "supplyline api GET --raw /v2/data-import/supply-points/ACME/SP-ERRORED/",
  ],
  exits: exits.read,
  declare: (command: Command) =>
    command
      .argument("<method>", "GET", choiceOption(["GET"] as const))
      .argument("<path>", "path below the base URL, from its first slash; a query may follow")
      .option("--raw", "print the raw body, even if it is JSON"),
  /** Prints the body of an answer: JSON readable, anything else as text. Ends as every read does. */
  async run(invocation, _method: "GET", path: string, { raw = false }: { readonly raw?: boolean }) {
    const { io, globals, out } = invocation;
    const { timeoutMs } = globals;
    return withTarget(invocation, async ({ service, context }) => {
      const { body } = await withErrorContext(context(`reading ${path}`), () =>
        service.read(path, { signal: io.signal, timeoutMs }),
      );
      const text = raw ? body : shownBody(body, globals.format === "jsonl" ? undefined : 2);
      // A terminal never gets bytes that it would act on.
      const printed = io.stdout.isTTY ? safeLines(text) : text;
      await out.write(printed === "" || printed.endsWith("\n") ? printed : `${printed}\n`);
      return exitCode.done;
    });
  },
};

/** Formats JSON with unchanged digits, made harmless. A body that is not JSON is not changed. */
function shownBody(body: string, indent: number | undefined): string {
  const value = exactJsonOf(body);
  return value === undefined ? body : toJson(value, indent);
}
