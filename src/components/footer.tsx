import { Box } from "ink";
import { useAvailableActions, useShownKeys } from "../hooks/keys.tsx";
import { useLinear } from "../hooks/linear.ts";
import { useNotice } from "../hooks/notices.tsx";
import { useTypedNumber } from "../hooks/numbered.tsx";
import { bindingOf } from "../keys/bindings.ts";
import { linearSigns } from "../text/linear-signs.ts";
import { widthOf } from "../text/width.ts";
import { Line, type Piece, SignedLine, Text } from "./text.tsx";

/** The place in the footer of what is always told, and up to which a key leads on or out. */
const essential = 70;
const leadingOn = 11;

/**
 * The last two lines: what just happened, and the keys that work here now. Keys that do not fit are
 * left out from the end; help and quit always stay.
 */
export function Footer(props: { readonly columns: number }) {
  const notice = useNotice();
  const number = useTypedNumber();
  const linear = useLinear();
  if (linear) {
    return (
      <>
        <LinearKeys />
        {notice ? <Text>{notice.text}</Text> : null}
        {number === "" ? null : (
          <SignedLine sign={linearSigns.typed}>{`Number: ${number}`}</SignedLine>
        )}
      </>
    );
  }
  return (
    <Box flexDirection="column" height={2} flexShrink={0}>
      <Text tone={notice?.tone ?? "plain"}>{notice?.text ?? " "}</Text>
      <FooterKeys columns={props.columns} />
    </Box>
  );
}

/** What leads on and out, and the key that tells the others; all of them each time would be noise. */
function LinearKeys() {
  const found = useAvailableActions();
  const keyOf = useShownKeys();
  const told = found
    .map(({ id, action }) => ({ ...bindingOf(id), id, label: action.label ?? bindingOf(id).label }))
    .filter(({ footer }) => footer !== null && (footer <= leadingOn || footer >= essential))
    .map(({ id, label }) => `${keyOf(id)} ${label}`);
  return <Text>{`Keys: ${told.join(", ")}.`}</Text>;
}

function FooterKeys(props: { readonly columns: number }) {
  const found = useAvailableActions();
  const keyOf = useShownKeys();
  const entries = found
    .map(({ id, action }) => {
      const binding = bindingOf(id);
      return {
        key: keyOf(id),
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
  const kept = entries.filter((entry) => (entry.order ?? 0) >= essential);
  let room = props.columns - kept.reduce((sum, entry) => sum + width(entry), 0);
  const shown = entries.filter((entry) => {
    if ((entry.order ?? 0) >= essential) return true;
    room -= width(entry);
    return room >= 0;
  });
  const pieces: Piece[] = shown.flatMap((entry) => [
    { text: entry.key, tone: entry.disabled ? "muted" : "accent" } as const,
    { text: ` ${entry.label}  `, tone: entry.disabled ? "muted" : "plain" } as const,
  ]);
  return <Line pieces={pieces} />;
}
