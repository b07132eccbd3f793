import { useState } from "react";
import { sortColumns } from "../accounts/sort.ts";
import { errorMessage } from "../api/errors.ts";
import type { Action } from "../keys/scopes.ts";
import { type SavedView, viewNameProblem } from "../settings/saved-view.ts";
import { useConsole } from "./console.tsx";
import { useNavigation } from "./navigation.tsx";
import { useNotices } from "./notices.tsx";
import { type Choice, useOverlays } from "./overlay.tsx";
import { useSession } from "./session.tsx";

/** The saved views, and the ways to change them. */
interface SavedViews {
  readonly views: readonly SavedView[];
  /** Replaces a view of the same name. */
  save(view: SavedView): void;
  remove(name: string): void;
}

/** The views of the account lists, saved with the preferences and shared by all profiles. */
function useSavedViews(): SavedViews {
  const { settings } = useConsole();
  const notices = useNotices();
  const [views, setViews] = useState(() => settings.preferences().views);
  const change = (patch: (views: readonly SavedView[]) => readonly SavedView[], done: string) => {
    setViews(patch(views));
    try {
      // Another console can have saved a view meanwhile.
      settings.setPreferences({ views: patch(settings.preferences().views) });
      notices.show(done, "ok");
    } catch (error) {
      const why = errorMessage(error);
      notices.show(`For this session only: ${why}`, "waiting");
    }
  };
  return {
    views,
    save: (view) =>
      change(
        (kept) => [...kept.filter(({ name }) => name !== view.name), view],
        `Saved as ${view.name}; it works for every supplier.`,
      ),
    remove: (name) =>
      change((kept) => kept.filter((one) => one.name !== name), `Removed the view ${name}.`),
  };
}

/** The chosen columns of account lists, saved across sessions. */
export function useChosenColumns(): readonly [
  readonly string[] | null,
  (columns: readonly string[] | null) => void,
] {
  const { settings } = useConsole();
  const notices = useNotices();
  const [chosen, setChosen] = useState(() => settings.preferences().accountColumns);
  const choose = (columns: readonly string[] | null) => {
    setChosen(columns);
    try {
      settings.setPreferences({ accountColumns: columns });
    } catch {
      notices.show("Chosen for this session only: it could not be saved.", "waiting");
    }
  };
  return [chosen, choose];
}

/** What a list shows, without a name. */
type ShownView = Omit<SavedView, "name">;

/**
 * The key of the saved views: apply one to the lists of this supplier, save the current one, remove
 * one. `shown` is null where no list is shown; `chooseColumns` belongs to the list that is.
 */
export function useViewAction(options: {
  readonly supplier: string;
  readonly shown: ShownView | null;
  readonly chooseColumns?: (columns: readonly string[] | null) => void;
}): Action {
  const { supplier, shown } = options;
  const session = useSession();
  const navigation = useNavigation();
  const overlays = useOverlays();
  const saved = useSavedViews();
  const [, chooseForLater] = useChosenColumns();
  const chooseColumns = options.chooseColumns ?? chooseForLater;
  const apply = (view: SavedView) => {
    const store = session.list(supplier, view.list);
    const column = sortColumns.find((id) => id === view.sort.column) ?? "wire";
    store.setFilter(view.filter);
    store.setSort(column, view.sort.descending);
    chooseColumns(view.columns);
    const place = { kind: "accounts", supplier, tab: view.list } as const;
    if (shown === null) navigation.push(place);
    else navigation.replace(place);
  };
  const applied: readonly Choice[] = saved.views.map((view) => ({
    label: view.name,
    hint: viewWords(view),
    run: () => apply(view),
  }));
  const save: readonly Choice[] =
    shown === null
      ? []
      : [
          {
            label: "Save this as a view…",
            hint: viewWords(shown),
            run: () =>
              overlays.prompt({
                title: `Save as a view: ${viewWords(shown)}`,
                label: "Name",
                hint: "Replaces a view of the same name. It works for every supplier.",
                onSubmit: (name) => {
                  const problem = viewNameProblem(name);
                  if (problem === null) saved.save({ name, ...shown });
                  return problem;
                },
              }),
          },
        ];
  const remove: readonly Choice[] =
    saved.views.length === 0
      ? []
      : [
          {
            label: "Remove a view…",
            hint: "the lists stay as they are",
            run: () =>
              overlays.choose(
                "Remove which view?",
                saved.views.map((view) => ({
                  label: view.name,
                  hint: viewWords(view),
                  run: () => saved.remove(view.name),
                })),
              ),
          },
        ];
  return {
    disabled:
      shown === null && saved.views.length === 0
        ? "No view is saved yet. Filter and sort a list of accounts, then save it there."
        : null,
    run: () => overlays.choose("Views of account lists", [...applied, ...save, ...remove]),
    choices: [
      ...applied.map((one) => ({ ...one, label: `view ${one.label}` })),
      ...save.map((one) => ({ ...one, label: "save view" })),
      ...remove.map((one) => ({ ...one, label: "remove view" })),
    ],
  };
}

/** A view in a few words: its list, filter, order and columns. */
function viewWords({ list, filter, sort, columns }: ShownView): string {
  const order =
    sort.column === "wire" ? "" : `by ${sort.column}${sort.descending ? ", last first" : ""}`;
  return [
    list === "all" ? "all accounts" : list,
    filter === "" ? "" : `/${filter}`,
    order,
    columns === null ? "" : `columns ${columns.join(" ")}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}
