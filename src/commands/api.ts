/**
 * The command `api`: sends a GET request to the service with the profile's login, and prints the
 * response.
 */

import type { Command } from "commander";
import { exactJsonOf, toJson } from "../json/exact.ts";
import { safeLines } from "../text/sanitize.ts";
import { withErrorContext } from "./command-error.ts";
import { exitCode } from "./exit-codes.ts";
import { choiceOption } from "./option-values.ts";
import { withTarget } from "./target.ts";
import { exits, type Verb } from "./verb.ts";

export const verb: Verb = {
  declare: (command: Command) =>
    command
      .argument("<method>", "GET", choiceOption(["GET"] as const))
      .argument("<path>", "path below the base URL, from its first slash; a query may follow")
      .option("--raw", "print the raw body, even if it is JSON"),
  /** Prints the body of the response: JSON with indentation, other content as text. */
  async run(invocation, _method: "GET", path: string, { raw = false }: { readonly raw?: boolean }) {
    const { io, globals, out, request } = invocation;
    return withTarget(invocation, async ({ service, context }) => {
      const { body } = await withErrorContext(context(`reading ${path}`), () =>
        service.read(path, request),
      );
      const text = raw ? body : shownBody(body, globals.format === "jsonl" ? undefined : 2);
      // Makes control characters harmless, because a terminal would execute them.
      const printed = io.stdout.isTTY ? safeLines(text) : text;
      await out.write(printed === "" || printed.endsWith("\n") ? printed : `${printed}\n`);
      return exitCode.done;
    });
  },
  exits: exits.read,
  examples: [
    "supplyline api GET /v1/data-import/pending-account-import-processes/ACME/",
    "supplyline api GET --raw /v2/data-import/supply-points/ACME/SP-ERRORED/",
  ],
};

/** Formats JSON without changing its numbers. Returns a body that is not JSON unchanged. */
function shownBody(body: string, indent: number | undefined): string {
  const value = exactJsonOf(body);
  return value === undefined ? body : toJson(value, indent);
}
