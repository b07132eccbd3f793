import { Option } from "commander";
import { defaultPreferences } from "../../settings/preferences.ts";
import { durationOption } from "../option-values.ts";
import type { StopCondition } from "./watch-end.ts";

/** The options of every watch. */
export interface WatchOptions extends StopCondition {
  readonly until: string;
  /** Milliseconds. */
  readonly interval: number;
  readonly wait?: boolean;
}

/** `--interval`, with its default. */
export function intervalOption(description: string): Option {
  return new Option("--interval <duration>", description)
    .argParser(durationOption)
    .default(defaultPreferences.pollIntervalMs, "5s");
}
