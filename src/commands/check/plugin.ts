/** Formats the result of `check --plugin` as one line for monitoring systems. */

import { safe } from "../../text/sanitize.ts";
import {
  type CheckFacts,
  type Condition,
  conditionWords,
  isAlarming,
} from "../../triage/check/conditions.ts";
import type { Failure } from "../failure.ts";

const pluginCode = { ok: 0, critical: 2, unknown: 3 } as const;

interface PluginResult {
  readonly line: string;
  readonly exitCode: number;
}

/**
 * Returns the conditions as one line of a monitoring plugin: its state, the findings, and the
 * figures as perfdata. Conditions that are met come first.
 */
export function pluginLine(
  supplier: string,
  conditions: readonly Condition[],
  facts: CheckFacts,
): PluginResult {
  const isMet = conditions.some(({ met }) => met === true);
  const isUnknown = conditions.some(({ met }) => met === null);
  const state = isMet ? "CRITICAL" : isUnknown ? "UNKNOWN" : "OK";
  const ordered = conditions.toSorted((a, b) => rank(a) - rank(b));
  const words = ordered.map((condition) => {
    const examples =
      isAlarming(condition) && condition.sample.length > 0
        ? ` (${condition.sample.join(", ")})`
        : "";
    return conditionWords(condition, facts) + examples;
  });
  const perfdata = conditions.map(perfdataOf).join(" ");
  return {
    line: `${state} - ${oneLine(`${supplier}: ${words.join("; ")}`)}|${perfdata}`,
    exitCode: isMet ? pluginCode.critical : isUnknown ? pluginCode.unknown : pluginCode.ok,
  };
}

export function pluginFailure({ message }: Pick<Failure, "message">): PluginResult {
  return { line: `UNKNOWN - ${oneLine(message)}`, exitCode: pluginCode.unknown };
}

function rank({ met }: Condition): number {
  return met === true ? 0 : met === null ? 1 : 2;
}

/**
 * Returns the perfdata of a condition: `'label'=value[unit];warn;crit;min`. A value above the limit
 * is critical, and `U` is unknown.
 */
function perfdataOf({ condition, figure, limit }: Condition): string {
  const isDuration = condition === "no-import-for";
  const value = figure === null ? "U" : `${figure}${isDuration ? "s" : ""}`;
  return `${condition}=${value};;${isDuration ? limit : 0};0`;
}

function oneLine(text: string): string {
  return safe(text).replaceAll("|", "¦");
}
