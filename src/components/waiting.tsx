import { useState } from "react";
import { useApp } from "../hooks/app.tsx";
import { useNow } from "../hooks/now.ts";
import { useLinear } from "../hooks/window.tsx";
import { wholeSeconds } from "../text/durations.ts";
import { Paragraph } from "./paragraph.tsx";

/** The words for a wait. */
export interface WaitWords {
  /** For example `Reading the cohorts…`. */
  readonly words: string;
  /** Its beginning, in epoch milliseconds. Default: when the words were first shown. */
  readonly since?: number;
  /** Sentences behind the seconds. */
  readonly more?: string;
}

/** Says what is waited for, from the second second on with how long. A linear screen does not count. */
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
