import { useEffect, useRef, useState } from "react";
import { useConsole } from "../../hooks/console.tsx";
import { useLockNow } from "../../hooks/lock.tsx";
import { useNotices } from "../../hooks/notices.tsx";
import { useOpenWork } from "../../hooks/open-work.ts";
import { useSessionState } from "../../hooks/session.tsx";
import type { Session } from "../../session/open-session.ts";
import {
  createHooks,
  type HookItem,
  type Hooks,
  programEnvironment,
} from "../../settings/custom/own-programs.ts";
import { meOf } from "../../settings/custom/values.ts";
import { utcInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import { useWatchAlerts } from "./watch-alerts.ts";

/** Reports what has ended or needs someone: in notices, and to the user's hooks. Draws nothing. */
export function Alerts() {
  const state = useSessionState();
  const session = state.kind === "open" ? state.session : null;
  const hooks = useHooks(session);
  useWatchAlerts(hooks);
  if (session === null || !hooks?.has("on-alert")) return null;
  return <AlertHooks key={session.id} session={session} hooks={hooks} />;
}

/** The user's hooks for as long as a session is open; null where there are none. */
function useHooks(session: Session | null): Hooks | null {
  const { custom, env, settings, clock, end, killGroup } = useConsole();
  const notices = useNotices();
  const lockNow = useLockNow();
  const [hooks, setHooks] = useState<Hooks | null>(null);
  useEffect(() => {
    const given = custom?.hooks;
    if (session === null || !given || Object.values(given).every((list) => list.length === 0))
      return;
    const closing = new AbortController();
    const { name, environment } = session.profile;
    setHooks(
      createHooks({
        hooks: given,
        env: programEnvironment(env, settings.profiles()),
        values: () => ({
          profile: name,
          environment,
          base_url: session.baseUrl,
          now: utcInstant(clock.now()),
          me: meOf(env),
        }),
        writeLock: lockNow,
        onProblem: (words) => notices.announce(words, "bad"),
        end: AbortSignal.any([end, closing.signal]),
        killGroup,
      }),
    );
    return () => {
      closing.abort();
      setHooks(null);
    };
  }, [session, custom, env, settings, clock, end, killGroup, notices, lockNow]);
  return hooks;
}

/** A condition of the board with its figure. */
interface Alert extends HookItem {
  readonly condition: string;
  readonly figure: number;
  readonly text: string;
}

/**
 * Fires `on-alert` when what needs someone grows: entries in doubt, failed watches, gone accounts,
 * stopped runs. What was so when the console first found out is no news. Drawn only where there is
 * such a hook.
 */
function AlertHooks(props: { readonly session: Session; readonly hooks: Hooks }) {
  const { session, hooks } = props;
  const { open, isCounted } = useOpenWork(session);
  const { entries, runs, watched, lists } = open;
  const known = useRef(new Map<string, number>());
  const alerts: Alert[] = [
    ...(!isCounted || entries === null
      ? []
      : [alert("unknown-writes", entries.unknown, plural(entries.unknown, "entry", "entries"))]),
    ...(!isCounted || runs === null ? [] : [alert("runs-stopped", runs, plural(runs, "run"))]),
    ...(watched === null
      ? []
      : [alert("watched-failed", watched.failed, `${count(watched.failed)} watched`)]),
    ...lists.flatMap(({ supplier, gone }) => {
      if (gone === null) return [];
      const words = `${plural(gone.count, "account")} of ${supplier}`;
      return [{ ...alert("gone", gone.count, words), import_supplier: supplier }];
    }),
  ];
  useEffect(() => {
    const grown = alerts.filter((one) => {
      const id = `${one.condition} ${String(one.import_supplier ?? "")}`;
      const before = known.current.get(id);
      known.current.set(id, one.figure);
      return before !== undefined && one.figure > before;
    });
    if (grown.length === 0) return;
    hooks.fire("on-alert", {
      text: `Needs someone: ${grown.map(({ text }) => text).join(", ")}`,
      items: grown,
    });
  });
  return null;
}

const states: Readonly<Record<string, string>> = {
  "unknown-writes": "unknown",
  "runs-stopped": "stopped",
  "watched-failed": "failed",
  gone: "gone",
};

function alert(condition: string, figure: number, words: string): Alert {
  return { condition, figure, text: `${words} ${states[condition] ?? ""}`.trim() };
}
