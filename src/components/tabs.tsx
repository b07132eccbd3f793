import { useLinear } from "../hooks/window.tsx";
import type { Actions } from "../keys/scopes.ts";
import { Line, type Piece } from "./text.tsx";

/** Tabs in one line; the current one is bracketed, not only colored. */
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

/** The keys that lead from tab to tab; the footer says to which. */
export function tabActions<Id extends string>(
  tabs: readonly { readonly id: Id; readonly label: string }[],
  current: Id,
  to: (id: Id) => void,
): Actions {
  const at = tabs.findIndex(({ id }) => id === current);
  const tabAt = (step: number) => tabs[(at + step + tabs.length) % tabs.length];
  const next = tabAt(1);
  const previous = tabAt(-1);
  return {
    ...(next ? { "next-tab": { run: () => to(next.id), label: next.label } } : {}),
    ...(previous ? { "previous-tab": { run: () => to(previous.id), label: previous.label } } : {}),
  };
}
