import { Box } from "ink";
import { useAvailableActions, useUsedKeys } from "../hooks/keys.tsx";
import { useNotice } from "../hooks/notices.tsx";
import { bindingOf, keyLabel } from "../keys/bindings.ts";
import { widthOf } from "../text/width.ts";
import { Line, type Piece, Text } from "./text.tsx";

/**
 * The last two lines: what just happened, and the keys that work here now. Keys that do not fit are
 * left out from the end; help and quit always stay.
 */
export function Footer(props: { readonly columns: number }) {
  const notice = useNotice();
  return (
    <Box flexDirection="column" height={2} flexShrink={0}>
      <Text tone={notice?.tone ?? "plain"}>{notice?.text ?? " "}</Text>
      <FooterKeys columns={props.columns} />
    </Box>
  );
}

function FooterKeys(props: { readonly columns: number }) {
  const found = useAvailableActions();
  const { keymap } = useUsedKeys();
  const entries = found
    .map(({ id, action }) => {
      const binding = bindingOf(id);
      return {
        key: keyLabel(keymap.keysOf(id)[0] ?? ""),
        label: action.label ?? binding.label,
        order: binding.footer,
        disabled: Boolean(action.disabled),
      };
    })
    .filter((entry) => entry.order !== null)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    // Two keys for one thing: the help tells both, the footer the first.
    .filter((entry, at, all) => all.findIndex(({ label }) => label === entry.label) === at);
  const width = (entry: (typeof entries)[number]) => widthOf(`${entry.key} ${entry.label}  `);
  const essential = entries.filter((entry) => (entry.order ?? 0) >= 70);
  let room = props.columns - essential.reduce((sum, entry) => sum + width(entry), 0);
  const shown = entries.filter((entry) => {
    if ((entry.order ?? 0) >= 70) return true;
    room -= width(entry);
    return room >= 0;
  });
  const pieces: Piece[] = shown.flatMap((entry) => [
    { text: entry.key, tone: entry.disabled ? "muted" : "accent" } as const,
    { text: ` ${entry.label}  `, tone: entry.disabled ? "muted" : "plain" } as const,
  ]);
  return <Line pieces={pieces} />;
}
