import { Box } from "ink";
import SelectInput from "ink-select-input";
import { useKeys } from "../hooks/keys.tsx";
import { useKeysWaitForListeners } from "../hooks/keys-wait.ts";
import { useLinear } from "../hooks/linear.ts";
import { useUnseen } from "../hooks/window.tsx";
import { useTheme } from "../theme.tsx";
import { useBodyFocus } from "./body.tsx";
import { LinearMenu } from "./linear-menu.tsx";
import { Text } from "./text.tsx";

/** One choice. */
export interface MenuItem<V extends string> {
  readonly value: V;
  readonly label: string;
  /** A quieter remark after the label. */
  readonly hint?: string;
}

/**
 * A short list of choices: arrows or `j` `k`, Enter, or the number of the choice. For menus only;
 * lists of rows are a DataTable.
 */
export function Menu<V extends string>(props: {
  readonly items: readonly MenuItem<V>[];
  readonly onChoose: (value: V) => void;
  readonly onHighlight?: (value: V) => void;
  readonly initial?: V;
  /** Set inside an overlay, where the body has no focus. */
  readonly focus?: boolean;
}) {
  const bodyFocus = useBodyFocus();
  const unseen = useUnseen();
  const focus = (props.focus ?? bodyFocus) && !unseen;
  const linear = useLinear();
  useKeysWaitForListeners();
  // SelectInput hears Enter itself; this entry is what makes the footer and the help tell it.
  useKeys({ open: { run: () => {}, label: "choose" } }, { active: focus && !linear, part: true });
  if (linear) return <LinearMenu {...props} focus={focus} />;
  const initial = props.items.findIndex((item) => item.value === props.initial);
  return (
    <SelectInput
      items={props.items.map((item) => ({
        key: item.value,
        value: item.value,
        label: item.hint ? `${item.label}\u0000${item.hint}` : item.label,
      }))}
      isFocused={focus}
      initialIndex={Math.max(0, initial)}
      indicatorComponent={Indicator}
      itemComponent={Item}
      onSelect={(item) => props.onChoose(item.value)}
      {...(props.onHighlight
        ? { onHighlight: (item: { value: V }) => props.onHighlight?.(item.value) }
        : {})}
    />
  );
}

function Indicator(props: { readonly isSelected?: boolean }) {
  const theme = useTheme();
  return (
    <Box width={2} flexShrink={0}>
      <Text tone="accent">{props.isSelected ? theme.glyphs.cursor : " "}</Text>
    </Box>
  );
}

function Item(props: { readonly isSelected?: boolean; readonly label: string }) {
  const [label = "", hint] = props.label.split("\u0000");
  return (
    <Text>
      <Text {...(props.isSelected ? { bold: true } : {})}>{label}</Text>
      {hint ? <Text tone="muted">{`  ${hint}`}</Text> : null}
    </Text>
  );
}
