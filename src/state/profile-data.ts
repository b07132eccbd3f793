import { type History, openHistoryFile } from "../settings/history-file.ts";
import { openNoteTemplates } from "../settings/note-templates.ts";
import { isOf } from "../settings/profile-key.ts";
import { dropWatchLists } from "../settings/watch-file.ts";
import { openDrafts } from "./drafts.ts";
import { withState } from "./open-state.ts";

/** The amounts of data of a profile that were removed, and the problems. */
interface WipedProfileData {
  readonly drafts: number;
  readonly watched: number;
  readonly templates: number;
  readonly places: number;
  /** The reasons that some of it could not be removed. */
  readonly problems: readonly unknown[];
}

/**
 * Removes what the folders store for one profile: its drafts, its watch lists, its note templates and
 * the places that were opened with it, so that a later profile of that name does not show them. The
 * journal stays, as a record of what was sent; filters and custom commands belong to no profile.
 */
export async function wipeProfileData(
  { stateDir, configDir }: { readonly stateDir: string; readonly configDir: string },
  profile: string,
): Promise<WipedProfileData> {
  const problems: unknown[] = [];
  const attempt = async (wipe: () => number | Promise<number>): Promise<number> => {
    try {
      return await wipe();
    } catch (error) {
      problems.push(error);
      return 0;
    }
  };
  return {
    drafts: await attempt(() => wipeDrafts(stateDir, profile)),
    watched: await attempt(() => dropWatchLists(stateDir, profile)),
    templates: await attempt(() => openNoteTemplates(configDir).drop(profile)),
    places: await attempt(() => wipePlaces(stateDir, profile)),
    problems,
  };
}

async function wipeDrafts(stateDir: string, profile: string): Promise<number> {
  const wiped = await withState(stateDir, (state) => {
    const drafts = openDrafts(state, Date.now);
    const mine = drafts.list(profile);
    for (const { id } of mine) drafts.remove(id);
    if (mine.length > 0) state.compact();
    return mine.length;
  });
  return wiped ?? 0;
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
