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
      .argument("<path>", "path below the base URL, with a leading slash and an optional query")
      .option("--raw", "print the body unchanged, without formatting JSON"),
  /**
   * Prints the body of the response. JSON is indented, or is in one line for `--format jsonl`. With
   * `--raw`, and if it is not JSON, the body is not formatted.
   */
  async run(invocation, _method: "GET", path: string, { raw = false }: { readonly raw?: boolean }) {
    const { io, globals, out, request } = invocation;
    return withTarget(invocation, async ({ service, context }) => {
      const { body } = await withErrorContext(context(`reading ${path}`), () =>
        service.read(path, request),
      );
      const text = raw ? body : formatBody(body, globals.format === "jsonl" ? undefined : 2);
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

/**
 * Formats JSON without changing its numbers, in one line if `indent` is undefined. Returns a body
 * that is not JSON unchanged.
 */
function formatBody(body: string, indent: number | undefined): string {
  const value = exactJsonOf(body);
  return value === undefined ? body : toJson(value, indent);
}
