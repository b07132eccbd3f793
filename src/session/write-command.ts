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
  const chosen: [string, string][] = profile === null ? [] : [["--profile", profile]];
  const allowing = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: takes } = kindOf(operation);
  if (takes === "operand" || target.kind === "supply-point") {
    return command([...words, "-"], [], chosen, [], text);
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (takes !== "from") {
    const given = takes.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return command(words, operands, [...given, ...chosen], allowing, null);
  }
  const flags = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  return command(words, operands, [["--from", "-"], ...chosen], [...allowing, ...flags], text);
}

function command(
  words: readonly string[],
  operands: readonly string[],
  options: readonly (readonly [string, string])[],
  flags: readonly string[],
  input: string | null,
): string | null {
  const values = [...operands, ...options.map(([, value]) => value), input ?? ""];
  if (!values.every(isArgument)) return null;
  const given = [
    ...options.map(([flag, value]) =>
      value.startsWith("-") && value !== "-"
        ? `${flag}=${shellQuote(value)}`
        : `${flag} ${shellQuote(value)}`,
    ),
    ...flags,
  ];
  const names = operands.map(shellQuote);
  const rest = operands.some((operand) => operand.startsWith("-"))
    ? [...given, "--", ...names]
    : [...names, ...given];
  const line = ["supplyline", ...words, ...rest].join(" ");
  return input === null ? line : `printf %s ${shellQuote(input)} | ${line}`;
}
