/** Draws the screen of a place, after its code is loaded. */
import { useEffect, useLayoutEffect, useRef } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { errorWords } from "../../errors/error-words.ts";
import { useApp } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useActive } from "../../hooks/window.tsx";
import type { Place } from "../../session/places.ts";
import type { LazyScreens } from "./lazy-screens.ts";

/**
 * Shows the screen of a place. The first place of a kind loads the screen from disk. Meanwhile, for
 * one or two frames, nothing is drawn, and typed keys wait.
 */
export function PlaceScreen(props: { readonly place: Place; readonly lazyScreens: LazyScreens }) {
  const lazy = props.lazyScreens.of(props.place.kind);
  const state = useStore(lazy.state);
  useEffect(() => {
    void lazy.load();
  }, [lazy]);
  switch (state.kind) {
    case "ready": {
      const Screen = state.value;
      return <Screen {...props.place} />;
    }
    case "failed":
      return <Unreadable error={state.error} onRetry={() => void lazy.load()} />;
    case "unread":
    case "reading":
      return <KeysWait />;
  }
}

/** Delays all keys while it is mounted and its screen is on top. */
function KeysWait() {
  const { holdKeys } = useApp();
  const active = useActive();
  const held = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (active) held.current = holdKeys();
  }, [active, holdKeys]);
  // The keys are released in a later effect, because a text field starts to listen in such an
  // effect.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each hold is released once
  useEffect(() => {
    const release = held.current;
    held.current = null;
    return () => release?.();
  }, [active, holdKeys]);
  return null;
}

function Unreadable(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { key } = useApp();
  useKeys({ refresh: { run: props.onRetry, label: "try again" } });
  const { why } = errorWords(props.error, { doing: "opening this screen" });
  return (
    <Body>
      <Paragraph tone="bad" bold>
        This screen could not be opened: its program file could not be read.
      </Paragraph>
      {why ? <Paragraph>{why}</Paragraph> : null}
      <Paragraph tone="muted">
        {`Nothing was sent and nothing is lost. If supplyline was updated or moved while it ran, quit with ${key("quit")} and start it again; ${key("refresh")} tries again.`}
      </Paragraph>
    </Body>
  );
}
