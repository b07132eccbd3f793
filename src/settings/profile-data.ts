import { type History, openHistoryFile } from "./history-file.ts";
import { openNoteTemplates } from "./note-templates.ts";
import { isOf } from "./profile-key.ts";
import { openDrafts } from "./saved-drafts.ts";
import { dropWatchLists } from "./watch-file.ts";

/** How much data of a profile was removed, and what could not be. */
interface WipedProfileData {
  readonly drafts: number;
  readonly watched: number;
  readonly templates: number;
  readonly places: number;
  /** Why some of it could not be removed. */
  readonly problems: readonly unknown[];
}

/**
 * Removes what the folders store for one profile: its drafts, its watch lists, its note templates and
 * the places that were opened with it, so that a later profile of that name does not show them. The
 * journal stays, as a record of what was sent; filters and custom commands belong to no profile.
 */
export function wipeProfileData(
  { stateDir, configDir }: { readonly stateDir: string; readonly configDir: string },
  profile: string,
): WipedProfileData {
  const problems: unknown[] = [];
  const attempt = (wipe: () => number): number => {
    try {
      return wipe();
    } catch (error) {
      problems.push(error);
      return 0;
    }
  };
  return {
    drafts: attempt(() => wipeDrafts(stateDir, profile)),
    watched: attempt(() => dropWatchLists(stateDir, profile)),
    templates: attempt(() => openNoteTemplates(configDir).drop(profile)),
    places: attempt(() => wipePlaces(stateDir, profile)),
    problems,
  };
}

function wipeDrafts(stateDir: string, profile: string): number {
  const drafts = openDrafts({ stateDir, now: Date.now });
  const mine = drafts.list(profile);
  for (const { id } of mine) drafts.remove(id);
  return mine.length;
}

function wipePlaces(stateDir: string, profile: string): number {
  const file = openHistoryFile(stateDir);
  const count = placesOf(file.read(), profile);
  if (count > 0) file.change((history) => withoutPlaces(history, profile));
  return count;
}

/** The history without the places opened with a profile, at whichever service. */
export function withoutPlaces(history: History, profile: string): History {
  const places = Object.entries(history.places).filter(([key]) => !isOf(key, profile));
  return { ...history, places: Object.fromEntries(places) };
}

function placesOf({ places }: History, profile: string): number {
  return Object.entries(places)
    .filter(([key]) => isOf(key, profile))
    .reduce((sum, [, list]) => sum + list.length, 0);
}
