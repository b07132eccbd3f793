import { useState } from "react";
import type { SavedView } from "../settings/saved-view.ts";
import { useConsole } from "./console.tsx";
import { useNotices } from "./notices.tsx";

/** The saved views, and the ways to change them for good. */
export interface SavedViews {
  readonly views: readonly SavedView[];
  /** In the place of one of the same name. */
  save(view: SavedView): void;
  remove(name: string): void;
}

/** The views of the account lists, kept with the preferences and shared by all profiles. */
export function useSavedViews(): SavedViews {
  const { settings } = useConsole();
  const notices = useNotices();
  const [views, setViews] = useState(() => settings.preferences().views);
  const change = (patch: (views: readonly SavedView[]) => readonly SavedView[], done: string) => {
    setViews(patch(views));
    try {
      // Another console may have saved one since.
      settings.setPreferences({ views: patch(settings.preferences().views) });
      notices.show(done, "ok");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
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
