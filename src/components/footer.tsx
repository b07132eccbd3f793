import { Box } from "ink";
import { useSyncExternalStore } from "react";
import { useApp, useNotices } from "../hooks/app.tsx";
import { useStore } from "../hooks/context.ts";
import { useAvailableActions, useTypedNumber, useWorkingCommands } from "../hooks/keys.tsx";
import { useLinear } from "../hooks/window.tsx";
import { bindingOf } from "../keys/bindings.ts";
import { keyLabel, shownKey } from "../keys/key-name.ts";
import type { Notice } from "../session/notices.ts";
import { linearSigns } from "../text/linear-signs.ts";
import { count } from "../text/numbers.ts";
import { widthOf } from "../text/width.ts";
import { Line, type Piece, SignedLine, Text } from "./text.tsx";

const gap = "  ";

/**
 * Limits of the footer order of a key (see `Binding.footer`). A key with at least `essentialFrom`
 * is always shown. The linear console lists these keys, and the keys with at most `leadingTo`,
 * which open or leave a place.
 */
const essentialFrom = 70;
const leadingTo = 11;
/** The number of custom commands that come before the keys of the screen, and the two orders. */
const maxLeadingCommands = 3;
const leadingOrder = 12;
const trailingOrder = 59;

/** Returns the number of lines for notices beyond the first line, which is always reserved. */
export function useMoreNoticeRows(): number {
  const { shown } = useApp().notices;
  const more = () => Math.max(0, shown.get().length - 1);
  return useSyncExternalStore(shown.subscribe, more, more);
}

/**
 * Shows the notices, and the keys that work here now. Keys that do not fit are left out, disabled
 * keys first. Help and quit always stay. A notice about data that was left out, rejected or failed
 * stays on a separate line while another notice is shown.
 */
export function Footer(props: { readonly columns: number }) {
  const notices = useShownNotices();
  const number = useTypedNumber();
  const linear = useLinear();
  if (linear) {
    return (
      <>
        <LinearKeys />
        {notices.map(({ id, text }) => (
          <Text key={id}>{text}</Text>
        ))}
        {number === "" ? null : (
          <SignedLine sign={linearSigns.typed}>{`Number: ${number}`}</SignedLine>
        )}
      </>
    );
  }
  return (
    <Box flexDirection="column" flexShrink={0}>
      {notices.length === 0 ? <Text> </Text> : null}
      {notices.map(({ id, text, tone }) => (
        <Text key={id} tone={tone}>
          {text}
        </Text>
      ))}
      <FooterKeys columns={props.columns} />
    </Box>
  );
}

function useShownNotices(): readonly Notice[] {
  const shown = useNotices();
  const staying = useStore(useApp().notices.staying);
  return shown.map((notice) =>
    staying.length > 1 && notice.id === staying[0]?.id
      ? { ...notice, text: `1 of ${count(staying.length)}: ${notice.text}` }
      : notice,
  );
}

/**
 * Lists the main keys for a linear console. A screen reader would read a full list again in every
 * frame, so the other keys are in the help.
 */
function LinearKeys() {
  const available = useAvailableActions();
  const shown = available
    .filter(({ keys }) => keys.length > 0)
    .map(({ id, action, keys }) => ({
      ...bindingOf(id),
      key: shownKey(keys),
      label: action.label ?? bindingOf(id).label,
    }))
    .filter(({ footer }) => footer !== null && (footer <= leadingTo || footer >= essentialFrom))
    .map(({ key, label }) => `${key} ${label}`);
  return <Text>{`Keys: ${shown.join(", ")}.`}</Text>;
}

function FooterKeys(props: { readonly columns: number }) {
  const available = useAvailableActions();
  const custom = useWorkingCommands()
    .filter(({ key }) => key !== null)
    .map(({ name, key, disabled }, index) => ({
      key: keyLabel(key ?? ""),
      label: name,
      order: index < maxLeadingCommands ? leadingOrder : trailingOrder,
      disabled: disabled !== null,
    }));
  const entries = available
    // An action whose key the user removed is only in the palette.
    .filter(({ keys }) => keys.length > 0)
    .map(({ id, action, keys }) => {
      const binding = bindingOf(id);
      return {
        key: shownKey(keys),
        label: action.label ?? binding.label,
        order: action.isMain
          ? leadingOrder
          : action.footer === undefined
            ? binding.footer
            : action.footer,
        disabled: Boolean(action.disabled) && action.override === undefined,
      };
    })
    .filter((entry) => entry.order !== null)
    .concat(custom)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    // If two actions have the same label, the footer shows the first. The help lists both.
    .filter((entry, index, all) => all.findIndex(({ label }) => label === entry.label) === index);
  const width = (entry: (typeof entries)[number]) => widthOf(`${entry.key} ${entry.label}${gap}`);
  const isEssential = (entry: (typeof entries)[number]) => (entry.order ?? 0) >= essentialFrom;
  // The last entry has no gap after it.
  let room = props.columns + gap.length;
  const fitting = new Set<(typeof entries)[number]>();
  for (const entry of [
    ...entries.filter(isEssential),
    ...entries.filter((entry) => !isEssential(entry) && !entry.disabled),
    ...entries.filter((entry) => !isEssential(entry) && entry.disabled),
  ]) {
    if (width(entry) > room && !isEssential(entry)) continue;
    room -= width(entry);
    fitting.add(entry);
  }
  const pieces: Piece[] = entries
    .filter((entry) => fitting.has(entry))
    .flatMap((entry, index) => [
      { text: (index === 0 ? "" : gap) + entry.key, tone: entry.disabled ? "muted" : "accent" },
      { text: ` ${entry.label}`, tone: entry.disabled ? "muted" : "plain" },
    ]);
  return <Line pieces={pieces} />;
}
