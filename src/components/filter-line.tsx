import { Box } from "ink";
import type { FilterField } from "../hooks/filter-field.ts";
import { Text } from "./text.tsx";
import { TextField } from "./text-field.tsx";

/** The text of a filter behind its sign, as it is typed or was saved. */
export function FilterLine(props: { readonly field: FilterField; readonly focus: boolean }) {
  const { field, focus } = props;
  return (
    <Box flexGrow={1}>
      <Box flexShrink={0}>
        <Text tone="accent">/ </Text>
      </Box>
      <TextField value={field.text} focus={field.typing && focus} onChange={field.set} />
    </Box>
  );
}
