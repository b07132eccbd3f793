import { useNumbered } from "../hooks/numbered.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import type { MenuItem } from "./menu-item.ts";
import { SignedLine, Text } from "./text.tsx";

/** A menu in words: each choice with the number that takes it, and last the one with the cursor. */
export function LinearMenu<V extends string>(props: {
  readonly items: readonly MenuItem<V>[];
  readonly position: number;
  readonly choose: (at: number) => void;
  readonly focus: boolean;
}) {
  const { items, position, choose, focus } = props;
  useNumbered({ count: items.length, choose }, { focus });
  const words = ({ label, hint }: MenuItem<V>, at: number) =>
    `${at + 1}. ${label}${hint ? `, ${hint}` : ""}`;
  const current = items[position];
  return (
    <>
      {items.map((item, at) => (
        <Text key={item.value}>{words(item, at)}</Text>
      ))}
      {current ? (
        <SignedLine sign={linearSigns.current}>{words(current, position)}</SignedLine>
      ) : null}
    </>
  );
}
