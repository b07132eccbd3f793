import { useLinear } from "../hooks/linear.ts";
import { Line, type Piece } from "./text.tsx";

/** Tabs in one line; the current one is bracketed, not only coloured. */
export function Tabs<Id extends string>(props: {
  readonly tabs: readonly { readonly id: Id; readonly label: string }[];
  readonly current: Id;
}) {
  if (useLinear()) {
    const current = props.tabs.find(({ id }) => id === props.current);
    const all = props.tabs.map(({ label }) => label).join(", ");
    return <Line pieces={[{ text: `Tab ${current?.label ?? ""}, of ${all}` }]} />;
  }
  const pieces: Piece[] = props.tabs.map((tab) =>
    tab.id === props.current
      ? { text: `[${tab.label}]`, tone: "accent" }
      : { text: ` ${tab.label} `, tone: "muted" },
  );
  return <Line pieces={pieces} />;
}
