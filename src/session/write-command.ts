import { commandLine } from "../text/as-command.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import type { Plan } from "./write-plan.ts";

/**
 * The `supplyline` command that sends the same bytes, with the body on its standard input; null
 * when a name cannot be an argument. `profile` is null where the option makes no difference.
 */
export function writeCommand(plan: Plan, profile: string | null): string | null {
  const { operation, facts, query, body } = plan.prepared;
  const { target, payload } = facts;
  const text = new TextDecoder().decode(body);
  const allowing = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: takes } = kindOf(operation);
  if (takes === "operand" || target.kind === "supply-point") {
    return fed(text, commandLine({ words: [...words, "-"] }, profile));
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (takes !== "from") {
    const options = takes.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return commandLine({ words, operands, options, flags: allowing }, profile);
  }
  const unchecked = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  const flags = [...allowing, ...unchecked];
  return fed(text, commandLine({ words, operands, options: [["--from", "-"]], flags }, profile));
}

/** A command with its standard input; null where a shell can write one of them not. */
function fed(input: string, line: string | null): string | null {
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}
