import { Line, type Piece } from "./text.tsx";

/** Tabs in one line; the current one is bracketed, not only coloured. */
export function Tabs<Id extends string>(props: {
  readonly tabs: readonly { readonly id: Id; readonly label: string }[];
  readonly current: Id;
}) {
  const pieces: Piece[] = props.tabs.map((tab) =>
    tab.id === props.current
      ? { text: `[${tab.label}]`, tone: "accent" }
      : { text: ` ${tab.label} `, tone: "muted" },
  );
  return <Line pieces={pieces} />;
}
