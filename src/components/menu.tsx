/** Shows a short menu in which the user selects one choice. */
import { Box } from "ink";
import SelectInput from "ink-select-input";
import { useState } from "react";
import { useKeysWaitForListeners } from "../hooks/in-flight.tsx";
import { useKeys, useNumbered } from "../hooks/keys.tsx";
import { useLinear, useRoom, useTooSmall } from "../hooks/window.tsx";
import { linearSigns } from "../text/linear-signs.ts";
import { padOrTruncate, widest, widthOf } from "../text/width.ts";
import { useTheme } from "../theme.tsx";
import { useBodyFocus } from "./body.tsx";
import { Line, SignedLine, Text } from "./text.tsx";

export interface MenuItem<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly key?: string;
  readonly hint?: string;
}

/**
 * Shows a short list of choices. The arrow keys, `j` and `k`, and the number of a choice move the
 * cursor. Enter selects. A digit alone selects nothing, because it can be the end of a number that
 * was typed before the menu opened. Lists of rows use DataTable instead.
 */
export function Menu<V extends string>(props: {
  readonly items: readonly MenuItem<V>[];
  readonly onChoose: (value: V) => void;
  readonly focus?: boolean;
}) {
  const bodyFocus = useBodyFocus();
  const isHidden = useTooSmall();
  const focus = (props.focus ?? bodyFocus) && !isHidden;
  const linear = useLinear();
  const [cursor, setCursor] = useState(0);
  useKeysWaitForListeners();
  const { items } = props;
  const position = Math.min(cursor, items.length - 1);
  const moveTo = (next: number) => setCursor((next + items.length) % items.length);
  const choose = (index: number) => {
    const item = items[index];
    if (item) props.onChoose(item.value);
  };
  useKeys(
    {
      up: () => moveTo(position - 1),
      down: () => moveTo(position + 1),
      open: { run: () => choose(position), label: "choose" },
    },
    {
      active: focus,
      part: true,
      onKey(name) {
        const isChoice = !linear && /^[1-9]$/.test(name) && Number(name) <= items.length;
        if (isChoice) moveTo(Number(name) - 1);
        return isChoice;
      },
    },
  );
  if (linear) {
    return <LinearMenu items={items} position={position} choose={choose} focus={focus} />;
  }
  const labelWidth = widest(items.map(({ label }) => label));
  // SelectInput only draws: its keys would select at the first digit and ignore the key table.
  return (
    <SelectInput
      key={position}
      items={items.map(({ value, label, hint = "", key = "" }) => ({
        key: value,
        value,
        label: [hint === "" ? label : padOrTruncate(label, labelWidth), hint, key].join("\u0000"),
      }))}
      isFocused={false}
      initialIndex={Math.max(0, position)}
      indicatorComponent={Indicator}
      itemComponent={Item}
    />
  );
}

function Indicator(props: { readonly isSelected?: boolean }) {
  const theme = useTheme();
  return (
    <Box width={2} flexShrink={0}>
      <Text tone="accent" selected={props.isSelected ?? false}>
        {props.isSelected ? `${theme.cursor} ` : " "}
      </Text>
    </Box>
  );
}

function Item(props: { readonly isSelected?: boolean; readonly label: string }) {
  const { isSelected = false } = props;
  const { columns } = useRoom();
  const [label = "", hint = "", key = ""] = props.label.split("\u0000");
  const hintText = hint === "" ? "" : `  ${hint}`;
  const name = key === "" ? "" : `${key}  `;
  const rest = columns - 2 - widthOf(name + label + hintText);
  return (
    <Line
      selected={isSelected}
      pieces={[
        { text: name, tone: "accent" },
        { text: label, bold: isSelected },
        { text: hintText },
        { text: isSelected ? " ".repeat(Math.max(0, rest)) : "" },
      ]}
    />
  );
}

function LinearMenu<V extends string>(props: {
  readonly items: readonly MenuItem<V>[];
  readonly position: number;
  readonly choose: (index: number) => void;
  readonly focus: boolean;
}) {
  const { items, position, choose, focus } = props;
  useNumbered({ count: items.length, choose }, { focus });
  const words = ({ label, hint, key }: MenuItem<V>, index: number) =>
    `${index + 1}. ${label}${hint ? `, ${hint}` : ""}${key ? `, ${key}` : ""}`;
  const current = items[position];
  return (
    <>
      {items.map((item, index) => (
        <Text key={item.value}>{words(item, index)}</Text>
      ))}
      {current ? (
        <SignedLine sign={linearSigns.current}>{words(current, position)}</SignedLine>
      ) : null}
    </>
  );
}
