import { useEffect, useLayoutEffect, useRef } from "react";
import { Body } from "../../components/body.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { useConsole } from "../../hooks/console.tsx";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useStore } from "../../hooks/store.ts";
import { useActive } from "../../hooks/window.tsx";
import type { Place } from "../../session/places.ts";
import { describeError } from "../../text/describe-error.ts";
import type { LazyScreens } from "./lazy-screens.ts";

/**
 * The screen of a place, read from disk first when this is the first place of its kind. Until it is
 * there nothing is drawn (it takes less than a frame or two), and the keys typed meanwhile wait for it.
 */
export function PlaceScreen(props: { readonly place: Place; readonly lazyScreens: LazyScreens }) {
  const screen = props.lazyScreens.of(props.place.kind);
  const state = useStore(screen.state);
  useEffect(() => {
    void screen.load();
  }, [screen]);
  switch (state.kind) {
    case "ready": {
      const Screen = state.value;
      return <Screen {...props.place} />;
    }
    case "failed":
      return <Unreadable error={state.error} onRetry={() => void screen.load()} />;
    case "unread":
    case "reading":
      return <KeysWait />;
  }
}

/** Holds the keys back for as long as it is there and its screen is on top. */
function KeysWait() {
  const { holdKeys } = useConsole();
  const active = useActive();
  const held = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (active) held.current = holdKeys();
  }, [active, holdKeys]);
  // Let go later than held: with the effects by which a text field begins to listen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each holding has its own end
  useEffect(() => {
    const letGo = held.current;
    held.current = null;
    return () => letGo?.();
  }, [active, holdKeys]);
  return null;
}

function Unreadable(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const key = useKeyWords();
  useKeys({ refresh: { run: props.onRetry, label: "try again" } });
  const { why } = describeError(props.error, { doing: "opening this screen" });
  return (
    <Body>
      <Paragraph tone="bad" bold>
        This screen could not be opened: its part of the program could not be read.
      </Paragraph>
      {why ? <Paragraph>{why}</Paragraph> : null}
      <Paragraph tone="muted">
        {`Nothing was sent and nothing is lost. If supplyline was updated or moved while it ran, leave with ${key("quit")} and start it again; ${key("refresh")} tries once more.`}
      </Paragraph>
    </Body>
  );
}
