/** Shows the tabs of a screen, and defines the keys that switch them. */
import { useLinear } from "../hooks/window.tsx";
import type { Actions } from "../keys/scopes.ts";
import { count } from "../text/numbers.ts";
import { Line, type Piece } from "./text.tsx";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | null;
  readonly note?: string;
}

export function Tabs<Id extends string>(props: {
  readonly tabs: readonly Tab<Id>[];
  readonly current: Id;
}) {
  if (useLinear()) {
    const current = props.tabs.find(({ id }) => id === props.current);
    const all = props.tabs.map((tab) => `${tab.label}${countText(tab)}`).join(", ");
    return <Line pieces={[{ text: `Tab ${current?.label ?? ""}, of ${all}` }]} />;
  }
  const pieces = props.tabs.flatMap((tab): Piece[] => {
    const name = tab.label + countText(tab);
    return [tab.id === props.current ? { text: `[${name}]`, bold: true } : { text: ` ${name} ` }];
  });
  return <Line pieces={pieces} />;
}

function countText({ count: rows = null, note }: Tab<string>): string {
  if (rows === null) return "";
  return ` ${count(rows)}${note === undefined ? "" : `, ${note}`}`;
}

export function tabActions<Id extends string>(
  tabs: readonly Tab<Id>[],
  current: Id,
  switchTo: (id: Id) => void,
): Actions {
  const at = tabs.findIndex(({ id }) => id === current);
  const tabAt = (step: number) => tabs[(at + step + tabs.length) % tabs.length];
  const next = tabAt(1);
  const previous = tabAt(-1);
  return {
    ...(next ? { "next-tab": { run: () => switchTo(next.id), label: next.label } } : {}),
    ...(previous
      ? { "previous-tab": { run: () => switchTo(previous.id), label: previous.label } }
      : {}),
  };
}
