import { useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import type { List } from "../../components/list-screen/use-list.ts";
import { useApp, useHere } from "../../hooks/app.tsx";
import { savedWords, watchAll } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { placeOf, subjectsIn } from "../../session/watch-subjects.ts";
import { plural } from "../../text/numbers.ts";
import type { WatchSnapshot } from "../../watch/watch-list.ts";
import type { WatchRow } from "./watch-row.ts";

/** Whether the bell is muted, and the way to change that for good. */
export function useMuted(): readonly [boolean, () => void] {
  const { settings, notices } = useApp();
  const [muted, setMuted] = useState(() => !settings.preferences().watchBell);
  const toggle = () => {
    setMuted(!muted);
    try {
      settings.setPreferences({ watchBell: muted });
      notices.show(muted ? "The bell is on." : "Muted: no bell and no desktop notification.");
    } catch (error) {
      const why = errorMessage(error);
      notices.show(`It could not be saved: ${why}`, "bad");
      setMuted(muted);
    }
  };
  return [muted, toggle];
}

/** What can be done with the watch list and its rows, besides what every list can do. */
export function useWatchListActions(watched: WatchSnapshot, list: List<WatchRow>): Actions {
  const here = useHere();
  const { profile, watch } = here.session;
  const { key, overlays, notices, navigation } = here.app;
  const row = list.current;
  const chosen = list.chosen();
  const name =
    chosen.length === 1
      ? (chosen[0]?.watched.number ?? "")
      : plural(chosen.length, "entry", "entries");
  const remove = () => {
    watch.remove(chosen.map(({ watched }) => watched));
    list.unmark();
    notices.show(`${name} no longer watched.${savedWords(watch)}`);
  };
  const add: Actions["add"] = {
    run: () =>
      overlays.prompt({
        title: "Watch accounts or supply points",
        label: "What",
        hint: "SUPPLIER/NUMBER for an account, sp SUPPLIER/IDENTIFIER for a supply point; several with spaces or commas.",
        onSubmit: (typed) => {
          const subjects = subjectsIn(typed, profile.suppliers);
          const [subject, second] = subjects ?? [];
          if (!subjects || !subject) return "Type ACME/EXT-1, or sp ACME/ID.";
          if (second) {
            watchAll(watch, notices, key, subjects);
            return null;
          }
          const { added, left } = watch.add(subjects);
          if (left > 0) return `The list is full: it has ${watched.entries.length} entries.`;
          const well =
            added > 0 ? `Watching ${subject.number}.` : `${subject.number}: already on the list.`;
          notices.show(`${well}${savedWords(watch)}`);
          return null;
        },
      }),
  };
  const all: Actions = {
    add,
    pause: {
      run: () => watch.togglePause(),
      label: watched.pause.kind === "none" ? "pause" : "resume",
      disabled: watched.open === 0 ? "Nothing on the list is open, so nothing is checked." : null,
    },
    refresh: () => watch.refresh(row ? [row.watched] : []),
  };
  if (!row) return all;
  const { kind, supplier, number } = row.watched;
  return {
    ...all,
    open: () => navigation.push(placeOf(row.watched)),
    watch: { run: remove, label: "unwatch" },
    remove: () =>
      overlays.confirm({
        question: `Stop watching ${name}?`,
        detail: "Its observations are deleted. Nothing changes at the service.",
        yes: "Stop watching",
        onYes: remove,
      }),
    "as-command": () => {
      const others = list
        .marked()
        .map(({ watched }) => watched)
        .filter(
          (one) => one.kind === "account" && one.supplier === supplier && one.number !== number,
        )
        .map((one) => one.number);
      showAsCommand(
        here,
        kind === "account"
          ? { kind: "account-watch", supplier, account: number, others }
          : { kind: "supply-point-watch", supplier, id: number },
        [
          kind === "account"
            ? "v1/data-import/account-transfer-status"
            : "v2/data-import/supply-points",
          supplier,
          number,
        ],
      );
    },
  };
}
