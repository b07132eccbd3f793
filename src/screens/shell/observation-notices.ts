import { useEffect } from "react";
import { useNotices } from "../../hooks/notices.tsx";
import { useSessionState } from "../../hooks/session.tsx";

/** Reports what an operator must know about the observations, whatever screen is shown. */
export function useObservationNotices(): void {
  const notices = useNotices();
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
