/** Shows the task that a screen waits for. */
import { useState } from "react";
import { useApp } from "../hooks/app.tsx";
import { useNow } from "../hooks/now.ts";
import { useLinear } from "../hooks/window.tsx";
import { wholeSeconds } from "../text/durations.ts";
import { Paragraph } from "./paragraph.tsx";

/** The words for a wait. */
export interface WaitWords {
  /** The task, for example `Reading the cohorts…`. */
  readonly words: string;
  /** Epoch milliseconds of the start. Default: the time when the words were first shown. */
  readonly since?: number;
  /** The sentences after the elapsed seconds. */
  readonly more?: string;
}

/**
 * Shows the task that the screen waits for, with the elapsed seconds after the first second. A
 * linear console does not count.
 */
export function Waiting(props: WaitWords & { readonly bold?: boolean }) {
  const { words, more = "", bold = false } = props;
  const { clock } = useApp();
  const linear = useLinear();
  const [opened] = useState(() => clock.now());
  const waited = useNow(1_000) - (props.since ?? opened);
  const seconds = linear || waited < 1_000 ? "" : ` ${wholeSeconds(waited)}`;
  const end = seconds === "" || more === "" ? "" : ".";
  return <Paragraph bold={bold}>{`${words}${seconds}${end} ${more}`.trimEnd()}</Paragraph>;
}
