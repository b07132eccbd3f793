import { safe } from "../../text/sanitise.ts";
import { type CheckFacts, type Condition, isAlarming } from "../../triage/check/conditions.ts";
import { conditionWords } from "../../triage/check/words.ts";
import type { Failure } from "../failure.ts";

/** How monitoring plugins end. */
const pluginCode = { ok: 0, critical: 2, unknown: 3 } as const;

interface PluginResult {
  readonly line: string;
  readonly exitCode: number;
}

/**
 * The conditions as one line of a monitoring plugin: its state, what was found, and the figures as
 * perfdata. Conditions that are met come first.
 */
export function pluginLine(
  supplier: string,
  conditions: readonly Condition[],
  facts: CheckFacts,
): PluginResult {
  const isMet = conditions.some(({ met }) => met === true);
  const isUnknown = conditions.some(({ met }) => met === null);
  const state = isMet ? "CRITICAL" : isUnknown ? "UNKNOWN" : "OK";
  const ordered = conditions.toSorted((one, other) => rank(one) - rank(other));
  const words = ordered.map((condition) => {
    const examples =
      isAlarming(condition) && condition.sample.length > 0
        ? ` (${condition.sample.join(", ")})`
        : "";
    return conditionWords(condition, facts) + examples;
  });
  const perfdata = conditions.map(perfdataOf).join(" ");
  return {
    line: `${state} - ${plain(`${supplier}: ${words.join("; ")}`)}|${perfdata}`,
    exitCode: isMet ? pluginCode.critical : isUnknown ? pluginCode.unknown : pluginCode.ok,
  };
}

/** The line for a check that could not be made. */
export function pluginFailure({ message }: Pick<Failure, "message">): PluginResult {
  return { line: `UNKNOWN - ${plain(message)}`, exitCode: pluginCode.unknown };
}

function rank({ met }: Condition): number {
  return met === true ? 0 : met === null ? 1 : 2;
}

/** `'label'=value[unit];warn;crit;min`: critical is what is above the limit; `U` is not known. */
function perfdataOf({ condition, figure, limit }: Condition): string {
  const isDuration = condition === "no-import-for";
  const value = figure === null ? "U" : `${figure}${isDuration ? "s" : ""}`;
  return `${condition}=${value};;${isDuration ? limit : 0};0`;
}

/** One line, in which a bar would begin the perfdata. */
function plain(text: string): string {
  return safe(text).replaceAll("|", "¦");
}
