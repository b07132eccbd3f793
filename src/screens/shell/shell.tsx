import { Box } from "ink";
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { Body } from "../../components/body.tsx";
import { Footer, useMoreNoticeRows } from "../../components/footer.tsx";
import { Header } from "../../components/header.tsx";
import { boxRows } from "../../components/overlays/frame.tsx";
import { firstPageLines } from "../../components/overlays/help.tsx";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { Text } from "../../components/text.tsx";
import {
  SessionProvider,
  useApp,
  useLock,
  useOpenSession,
  useOverlay,
  usePlace,
  useSessionState,
  useStops,
  useSuppliers,
  useTour,
} from "../../hooks/app.tsx";
import { useRememberPlace } from "../../hooks/history.tsx";
import { useKeysWaitForSession } from "../../hooks/in-flight.tsx";
import { KeyListener, useKeys } from "../../hooks/keys.tsx";
import {
  minTerminalSize,
  ScreenProvider,
  useLinear,
  useTooSmall,
  useWindow,
} from "../../hooks/window.tsx";
import { KeyLevel } from "../../session/key-registry.ts";
import type { Session } from "../../session/open-session.ts";
import { trailOf } from "../../session/place-words.ts";
import { type Place, supplierOf } from "../../session/places.ts";
import { runUntilCleanup } from "../../session/run-until-cleanup.ts";
import type { SessionState } from "../../session/sessions.ts";
import { tourSteps } from "../../session/tour.ts";
import type { ReloadPace } from "../../watch/pace.ts";
import { CustomCommands } from "./custom-commands.tsx";
import { type LazyScreens, PlaceScreen, readAhead } from "./lazy-screens.tsx";
import { NextNeed } from "./next-need.ts";
import { OverlayLayer } from "./overlay-layer.tsx";
import { useRootKeys } from "./root-keys.ts";
import {
  useNoticesOfScreen,
  useObservationNotices,
  useSettingsNotice,
  useWatchAlerts,
} from "./shell-notices.ts";

/** Columns and rows of a linear console. Lines can be longer. */
const linearRoom = { columns: 100, rows: 24 } as const;

const frameRows = 4;

const tourRows = 3;

interface ShellProps {
  readonly lazyScreens: LazyScreens;
  readonly onLoaded?: (() => void) | undefined;
}

/**
 * Draws the console: header, top screen, dialogs and footer. The screens below the top one stay
 * mounted.
 */
export function Shell(props: ShellProps) {
  return (
    <>
      <WholeScreen {...props} />
      <KeyListener />
    </>
  );
}

function WholeScreen({ lazyScreens, onLoaded }: ShellProps) {
  const window = useWindow();
  const { clock, firstNotice = null, notices } = useApp();
  useEffect(() => {
    if (firstNotice !== null) notices.show(firstNotice, "waiting");
  }, [firstNotice, notices]);
  useRememberPlace(usePlace() ?? null);
  useSettingsNotice();
  useObservationNotices();
  useWatchAlerts();
  useEffect(() => {
    return runUntilCleanup((signal) => readAhead(lazyScreens, clock, signal).then(onLoaded));
  }, [lazyScreens, clock, onLoaded]);
  if (useLinear()) {
    const columns = Math.max(
      minTerminalSize.columns,
      Math.min(linearRoom.columns, window.columns - 1),
    );
    return <Frame columns={columns} rows={linearRoom.rows} lazyScreens={lazyScreens} />;
  }
  const isTooSmall = window.columns < minTerminalSize.columns || window.rows < minTerminalSize.rows;
  // On a small window the screens stay mounted but invisible, so that no typed text is lost.
  return (
    <>
      {isTooSmall ? <TooSmall {...window} /> : null}
      <ScreenProvider tooSmall={isTooSmall}>
        <Frame
          columns={Math.max(window.columns, minTerminalSize.columns)}
          rows={Math.max(window.rows, minTerminalSize.rows)}
          lazyScreens={lazyScreens}
        />
      </ScreenProvider>
    </>
  );
}

interface FrameProps {
  readonly columns: number;
  readonly rows: number;
  readonly lazyScreens: LazyScreens;
}

/**
 * Replaces the console on a terminal that is too small. Keys are ignored, because their effect
 * would be invisible. Only pasted text is inserted into the field with the cursor.
 */
function TooSmall(props: { readonly columns: number; readonly rows: number }) {
  const { keys } = useApp();
  const [wasPasteIgnored, setPasteIgnored] = useState(false);
  const onPaste = (text: string) => setPasteIgnored(!keys.pasteIntoField(text));
  useKeys({}, { level: KeyLevel.front, modal: true, onPaste });
  return (
    <>
      <Text>
        {`${props.columns}×${props.rows} is too small: ${minTerminalSize.columns}×${minTerminalSize.rows} or more`}
      </Text>
      {wasPasteIgnored && props.rows > 1 ? (
        <Text tone="waiting">The paste was ignored.</Text>
      ) : null}
    </>
  );
}

function Frame(props: FrameProps) {
  const app = useApp();
  const state = useSessionState();
  const lock = useLock();
  const tour = useTour();
  useRootKeys(props.lazyScreens);
  const tooSmall = useTooSmall();
  const overlay = useOverlay();
  const linear = useLinear();
  const stops = useStops();
  const top = stops.at(-1);
  useNoticesOfScreen(top?.id, overlay);
  const moreNotices = useMoreNoticeRows();
  useBoardRun(top?.place.kind === "suppliers" ? "shown" : "covered");
  const session = state.kind === "open" ? state.session : null;
  const cohort = useListedCohort(session, top?.place);
  if (!top) return null;
  const below = (tour.current === null ? 0 : tourRows) + moreNotices;
  const hasCommands = (app.custom?.commands.length ?? 0) > 0;
  const room = { columns: props.columns, rows: props.rows - frameRows - below };
  const keyLines =
    overlay?.kind === "help" ? firstPageLines(app, overlay.filterWords, room.columns) : 0;
  const coveredRows = overlay === null || linear ? 0 : boxRows(overlay, room, keyLines);
  const profile = state.kind === "opening" || state.kind === "failed" ? state.profile : null;
  return (
    <ScreenProvider room={room}>
      {/* After a resize, Ink draws the old frame again. It is cut to the new width, because
          wrapped lines would shift the next frame. */}
      <Box
        display={tooSmall ? "none" : "flex"}
        flexDirection="column"
        width="100%"
        height={props.rows}
        overflow="hidden"
      >
        <NextNeed />
        <Header
          trail={trailOf(top.place, cohort)}
          supplier={supplierOf(top.place)}
          session={session}
          profile={profile}
          locked={lock.locked}
          unlockedUntil={lock.until}
          columns={props.columns}
        />
        <Box height={1} flexShrink={0} />
        <Box width={room.columns} height={room.rows} flexDirection="column">
          <Box
            height={room.rows - coveredRows}
            flexShrink={0}
            flexDirection="column"
            overflow="hidden"
          >
            {stops.map((stop) => (
              <ScreenProvider key={stop.id} active={stop.id === top.id} coveredRows={coveredRows}>
                {props.lazyScreens.needsSession(stop.place) ? (
                  <WithSession state={state}>
                    <PlaceScreen place={stop.place} lazyScreens={props.lazyScreens} />
                  </WithSession>
                ) : (
                  <PlaceScreen place={stop.place} lazyScreens={props.lazyScreens} />
                )}
              </ScreenProvider>
            ))}
          </Box>
          <OverlayLayer rows={coveredRows} lazyScreens={props.lazyScreens} />
        </Box>
        {hasCommands ? <CustomCommands /> : null}
        <TourStrip />
        <Footer columns={props.columns} />
      </Box>
    </ScreenProvider>
  );
}

function useListedCohort(session: Session | null, place: Place | undefined): string | null {
  const list =
    session !== null && place?.kind === "accounts" ? session.list(place.supplier, place.tab) : null;
  return useSyncExternalStore(
    useCallback((listener) => list?.subscribe(listener) ?? (() => {}), [list]),
    () => list?.getSnapshot().filter.cohort ?? null,
  );
}

/**
 * Loads the suppliers of the board on every screen, because the header shows the suppliers that
 * need attention.
 */
function useBoardRun(pace: ReloadPace): void {
  const session = useOpenSession();
  const suppliers = useSuppliers();
  useEffect(() => {
    if (session === null) return;
    return runUntilCleanup((signal) => session.board.run({ suppliers, pace, signal }));
  }, [session, suppliers, pace]);
}

function WithSession(props: { readonly state: SessionState; readonly children: ReactNode }) {
  const { state } = props;
  const { key } = useApp();
  switch (state.kind) {
    case "open":
      // Each session has a different React key, so that no row of another profile stays visible.
      return (
        <SessionProvider key={state.session.id} session={state.session}>
          {props.children}
        </SessionProvider>
      );
    case "failed":
      return (
        <Body>
          <Problem
            error={state.error}
            context={{ doing: `opening the profile ${state.profile}`, profile: state.profile }}
          />
          <Text> </Text>
          <Text tone="muted">{`${key("profiles")} shows the profiles.`}</Text>
        </Body>
      );
    case "opening":
      return <Opening profile={state.profile} />;
    case "none":
      return (
        <Body>
          <Text tone="muted">{`No profile is open. ${key("profiles")} shows the profiles.`}</Text>
        </Body>
      );
  }
}

function Opening(props: { readonly profile: string }) {
  useKeysWaitForSession();
  return (
    <Body>
      <Waiting words={`Opening ${props.profile}…`} />
    </Body>
  );
}

function TourStrip() {
  const { current } = useTour();
  const { key } = useApp();
  if (current === null) return null;
  const words = current.step.words(key);
  return (
    <Box flexDirection="column" height={tourRows} flexShrink={0} justifyContent="flex-end">
      <Paragraph tone="accent" most={tourRows}>
        {`Tour ${current.number} of ${tourSteps.length}: ${words}`}
      </Paragraph>
    </Box>
  );
}
