import { isRecord } from "../json/value.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
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
  if (target.kind === "supply-point") {
    return command(["supply-points", "create", "-"], [], chosen, [], text);
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  const words = operation.split(" ");
  if (operation === "payment-instructions create" && isRecord(payload)) {
    const given = ["vendor", "reference", "type"].flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return command(words, operands, [...given, ...chosen], allowing, null);
  }
  const flags = [
    ...allowing,
    ...(query.check_previously_added === "false" ? ["--no-check-previously-added"] : []),
    ...(query.force_add_to_current_statement === "false"
      ? ["--no-force-add-to-current-statement"]
      : []),
  ];
  return command(words, operands, [["--from", "-"], ...chosen], flags, text);
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
