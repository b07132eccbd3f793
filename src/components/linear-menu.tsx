import { useState } from "react";
import { useKeys } from "../hooks/keys.tsx";
import { useNumbered } from "../hooks/numbered.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { SignedLine, Text } from "./text.tsx";

interface MenuItem<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: string;
}

/** A menu in words: each choice with the number that takes it, and last the one with the cursor. */
export function LinearMenu<V extends string>(props: {
  readonly items: readonly MenuItem<V>[];
  readonly onChoose: (value: V) => void;
  readonly onHighlight?: (value: V) => void;
  readonly initial?: V;
  readonly focus: boolean;
}) {
  const { items, focus } = props;
  const [held, setHeld] = useState(() =>
    Math.max(
      0,
      items.findIndex(({ value }) => value === props.initial),
    ),
  );
  const position = Math.min(held, items.length - 1);
  const moveTo = (next: number) => {
    const at = (next + items.length) % items.length;
    setHeld(at);
    const item = items[at];
    if (item) props.onHighlight?.(item.value);
  };
  const choose = (at: number) => {
    const item = items[at];
    if (item) props.onChoose(item.value);
  };
  useNumbered({ count: items.length, choose }, { focus });
  useKeys(
    {
      up: { run: () => moveTo(position - 1) },
      down: { run: () => moveTo(position + 1) },
      open: { run: () => choose(position), label: "choose" },
    },
    { active: focus, part: true },
  );
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
