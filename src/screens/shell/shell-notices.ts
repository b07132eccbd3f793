import { useEffect, useRef } from "react";
import { useApp, useSessionState } from "../../hooks/app.tsx";
import { plural } from "../../text/numbers.ts";

/** Removes the notices about a screen when the user leaves the screen. */
export function useNoticesOfScreen(id: number | undefined): void {
  const { notices } = useApp();
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    notices.screenChanged();
  }, [id, notices]);
}

/** Reports the issues of the user's files at the start. The help lists all of them. */
export function useSettingsNotice(): void {
  const app = useApp();
  const { issues } = app.keys;
  const { custom, notices, key } = app;
  useEffect(() => {
    const others = custom?.issues ?? [];
    const [first] = [...issues, ...others];
    if (first === undefined) return;
    const many = issues.length + others.length;
    const what =
      others.length === 0
        ? plural(many, "invalid line")
        : plural(many, "invalid entry", "invalid entries");
    // A single issue is shown without the hint at the list, so that the line has room for its
    // remedy.
    notices.announce(many === 1 ? first : `${what}; ${key("help")} lists all. ${first}`, "bad");
  }, [issues, custom, key, notices]);
}

/** Reports notices about the observations on every screen. */
export function useObservationNotices(): void {
  const { notices } = useApp();
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  useEffect(() => {
    if (session === null) return;
    const { observationNotice } = session;
    const report = () => {
      const text = observationNotice.get();
      if (text !== null) notices.announce(text, "waiting");
    };
    report();
    return observationNotice.subscribe(report);
  }, [notices, session]);
}
