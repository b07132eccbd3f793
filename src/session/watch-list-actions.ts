/** The keys of the watch list and its rows. */
import { readPaths } from "../api/url.ts";
import type { Actions } from "../keys/scopes.ts";
import { plural } from "../text/numbers.ts";
import type { WatchSnapshot } from "../watch/watch-list.ts";
import type { Watched } from "../watch/watched.ts";
import type { Here } from "./app.ts";
import { showAsCommand, showListAsCommand } from "./show-as-command.ts";
import { savedWords, subjectName, subjectsIn, watchAll } from "./watch-subjects.ts";

interface WatchedRow {
  readonly watched: Watched;
}

interface WatchedRows {
  readonly current: WatchedRow | null;
  chosen(): readonly WatchedRow[];
  marked(): readonly WatchedRow[];
  unmark(): void;
}

export function watchListActions(here: Here, watched: WatchSnapshot, list: WatchedRows): Actions {
  const { profile, watch } = here.session;
  const { overlays, notices } = here.app;
  const row = list.current;
  const chosen = list.chosen();
  const name =
    chosen.length === 1
      ? subjectName((chosen[0] as WatchedRow).watched)
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
            watchAll(here, subjects);
            return null;
          }
          const { added, beyond } = watch.add(subjects);
          if (beyond > 0) return `The list is full: it has ${watched.entries.length} entries.`;
          const words =
            added > 0 ? `Watching ${subject.number}.` : `${subject.number}: already on the list.`;
          notices.show(`${words}${savedWords(watch)}`);
          return null;
        },
      }),
  };
  const listActions: Actions = {
    add,
    pause: {
      run: () => watch.togglePause(),
      label: watched.pause.kind === "none" ? "pause" : "resume",
      disabled: watched.open === 0 ? "Nothing on the list is open, so nothing is checked." : null,
    },
    refresh: () => watch.refresh(row ? [row.watched] : []),
  };
  if (!row) return listActions;
  const { kind, supplier, number } = row.watched;
  return {
    ...listActions,
    watch: { run: remove, label: "unwatch" },
    remove: () =>
      overlays.confirm({
        question: `Stop watching ${name}?`,
        detail: "Their stored checks are deleted. Nothing changes at the service.",
        yes: "Stop watching",
        onYes: remove,
      }),
    "as-command": () => {
      const others = list
        .marked()
        .map(({ watched }) => watched)
        .filter(
          (other) =>
            other.kind === "account" && other.supplier === supplier && other.number !== number,
        )
        .map((other) => other.number);
      switch (kind) {
        case "account":
          return showAsCommand(
            here,
            { kind: "account-watch", supplier, account: number, others },
            readPaths.accountStatus(supplier, number),
          );
        case "supply-point":
          return showAsCommand(
            here,
            { kind: "supply-point-watch", supplier, id: number },
            readPaths.supplyPointStatus(supplier, number),
          );
        case "cohort":
          return showListAsCommand(
            here,
            { kind: "cohort-watch", supplier, cohort: number },
            supplier,
          );
      }
    },
  };
}
