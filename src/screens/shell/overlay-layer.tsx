import { useRef } from "react";
import { AsCommandOverlay } from "../../components/overlays/as-command.tsx";
import { CommandLogOverlay } from "../../components/overlays/command-log.tsx";
import { HelpOverlay } from "../../components/overlays/help.tsx";
import { PaletteOverlay } from "../../components/overlays/palette.tsx";
import { PromptOverlay } from "../../components/overlays/prompt.tsx";
import { ChooseOverlay, ConfirmOverlay } from "../../components/overlays/questions.tsx";
import { RawOverlay } from "../../components/overlays/raw.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useAvailableActions } from "../../hooks/keys.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { type Overlay, useOverlay, useOverlays } from "../../hooks/overlay.tsx";
import { useSessionState } from "../../hooks/session.tsx";
import type { Available } from "../../keys/scopes.ts";

/** Draws what stands in front of the screen, and gives it what worked on the screen behind it. */
export function OverlayLayer() {
  const overlay = useOverlay();
  const available = useAvailableActions();
  // As they are when it opens: an action of an earlier frame would be for an earlier row.
  const behind = useRef<readonly Available[] | null>(null);
  if (!overlay) {
    behind.current = null;
    return null;
  }
  behind.current ??= available;
  return <Front key={overlay.kind} overlay={overlay} behind={behind.current} />;
}

function Front(props: { readonly overlay: Overlay; readonly behind: readonly Available[] }) {
  const { overlay, behind } = props;
  const overlays = useOverlays();
  // An answer may open the next question, which stays.
  const close = () => {
    if (overlays.current.get() === overlay) overlays.close();
  };
  const { settings } = useConsole();
  const session = useSessionState();
  const place = useNavigation().stops.at(-1)?.place;
  switch (overlay.kind) {
    case "help":
      return place ? <HelpOverlay place={place} here={behind} onClose={close} /> : null;
    case "command-log":
      return session.kind === "open" ? (
        <CommandLogOverlay log={session.session.log} onClose={close} />
      ) : null;
    case "palette": {
      const profile = session.kind === "open" ? session.session.profile : null;
      const suppliers = profile ? (settings.find(profile.name) ?? profile).suppliers : [];
      return (
        <PaletteOverlay
          initial={overlay.text}
          actions={behind}
          suppliers={suppliers}
          onClose={close}
        />
      );
    }
    case "raw":
      return (
        <RawOverlay
          title={overlay.title}
          raw={overlay.raw}
          note={overlay.note ?? null}
          onClose={close}
        />
      );
    case "as-command":
      return (
        <AsCommandOverlay
          command={overlay.command}
          curl={overlay.curl}
          note={overlay.note}
          onClose={close}
        />
      );
    case "confirm":
      return (
        <ConfirmOverlay
          question={overlay.question}
          detail={overlay.detail}
          yes={overlay.yes}
          onYes={overlay.onYes}
          onClose={close}
        />
      );
    case "choose":
      return <ChooseOverlay title={overlay.title} choices={overlay.choices} onClose={close} />;
    case "prompt":
      return (
        <PromptOverlay
          title={overlay.title}
          label={overlay.label}
          hint={overlay.hint}
          initial={overlay.initial}
          isPath={overlay.isPath ?? false}
          onSubmit={overlay.onSubmit}
          onClose={close}
        />
      );
  }
}
