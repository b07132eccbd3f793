/** Draws the open dialog in front of the screen: help, palette, question and others. */
import { useRef } from "react";
import { OverlayFrame } from "../../components/overlays/frame.tsx";
import { HelpOverlay } from "../../components/overlays/help.tsx";
import { PaletteBody } from "../../components/overlays/palette.tsx";
import { ChooseBody, ConfirmBody, PromptBody } from "../../components/overlays/questions.tsx";
import { AsCommandBody, RawLines } from "../../components/overlays/texts.tsx";
import { useApp, useOverlay, usePlace, useSessionState } from "../../hooks/app.tsx";
import { useAvailableActions } from "../../hooks/keys.tsx";
import type { Available } from "../../keys/scopes.ts";
import { KeyLevel } from "../../session/key-registry.ts";
import type { Overlay } from "../../session/overlays.ts";
import type { LazyScreens } from "./lazy-screens.tsx";

interface LayerProps {
  readonly rows: number;
  readonly lazyScreens: LazyScreens;
}

export function OverlayLayer(props: LayerProps) {
  const overlay = useOverlay();
  const available = useAvailableActions(KeyLevel.overlay);
  // The user's answer can open another question of the same kind, which must not inherit the state
  // of the first.
  const remountKey = useRemountKey(overlay);
  // The actions are from the time when the dialog opened, so that they belong to the visible row.
  const behind = useRef<readonly Available[] | null>(null);
  if (!overlay) {
    behind.current = null;
    return null;
  }
  behind.current ??= available;
  const now = withCurrentDisabled(behind.current, available);
  return <OpenOverlay key={remountKey} {...props} overlay={overlay} behind={now} />;
}

/**
 * Returns the earlier actions. An action that was disabled is replaced by its current state,
 * because the load that disabled the action might have ended.
 */
function withCurrentDisabled(
  before: readonly Available[],
  now: readonly Available[],
): readonly Available[] {
  return before.map((earlier) => {
    if (!earlier.action.disabled) return earlier;
    return now.find(({ id }) => id === earlier.id) ?? earlier;
  });
}

/** Returns a React key that changes with `subject`, so that no earlier subtree is reused. */
function useRemountKey(subject: unknown): number {
  const last = useRef({ subject, key: 0 });
  if (!Object.is(last.current.subject, subject)) {
    last.current = { subject, key: last.current.key + 1 };
  }
  return last.current.key;
}

function OpenOverlay(
  props: LayerProps & { readonly overlay: Overlay; readonly behind: readonly Available[] },
) {
  const { overlay, rows, behind } = props;
  const { overlays, settings } = useApp();
  // The answer can open the next question, which must stay open.
  const close = () => {
    if (overlays.current.get() === overlay) overlays.close();
  };
  const session = useSessionState();
  const place = usePlace();
  switch (overlay.kind) {
    case "help":
      return place ? (
        <HelpOverlay
          rows={rows}
          topic={props.lazyScreens.help(place)}
          here={behind}
          filterWords={overlay.filterWords}
          onClose={close}
        />
      ) : null;
    case "palette": {
      const profile = session.kind === "open" ? session.session.profile : null;
      const suppliers = profile ? (settings.find(profile.name) ?? profile).suppliers : [];
      return (
        <OverlayFrame rows={rows} title="Go to a place or run an action">
          <PaletteBody
            initial={overlay.text}
            actions={behind}
            suppliers={suppliers}
            onClose={close}
          />
        </OverlayFrame>
      );
    }
    case "raw":
      return (
        <OverlayFrame rows={rows} title={`Raw: ${overlay.title}`}>
          <RawLines {...overlay} onClose={close} />
        </OverlayFrame>
      );
    case "as-command":
      return (
        <OverlayFrame rows={rows} title="As command and curl">
          <AsCommandBody {...overlay} onClose={close} />
        </OverlayFrame>
      );
    case "confirm":
      return (
        <OverlayFrame rows={rows} title={overlay.question} isQuestion>
          <ConfirmBody {...overlay} onClose={close} />
        </OverlayFrame>
      );
    case "choose":
      return (
        <OverlayFrame rows={rows} title={overlay.title} isQuestion>
          <ChooseBody choices={overlay.choices} onClose={close} />
        </OverlayFrame>
      );
    case "prompt":
      return (
        <OverlayFrame rows={rows} title={overlay.title} isQuestion>
          <PromptBody {...overlay} onClose={close} />
        </OverlayFrame>
      );
  }
}
