import { openNoteTemplates } from "../settings/note-templates.ts";
import { dropWatchLists } from "../settings/watch-file.ts";
import { openDrafts } from "./drafts.ts";
import { withState } from "./open-state.ts";
import { dropPlaces } from "./used.ts";

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
  const attempt = async <T>(none: T, wipe: () => T | Promise<T>): Promise<T> => {
    try {
      return await wipe();
    } catch (error) {
      problems.push(error);
      return none;
    }
  };
  return {
    ...(await attempt(nothing, () => wipeState(stateDir, profile))),
    watched: await attempt(0, () => dropWatchLists(stateDir, profile)),
    templates: await attempt(0, () => openNoteTemplates(configDir).drop(profile)),
    problems,
  };
}

const nothing = { drafts: 0, places: 0 };

async function wipeState(stateDir: string, profile: string) {
  const wiped = await withState(stateDir, (state) => {
    const drafts = openDrafts(state, Date.now);
    const mine = drafts.list(profile);
    for (const { id } of mine) drafts.remove(id);
    const places = state.commit((rows) => dropPlaces(rows, profile));
    if (mine.length + places > 0) state.compact();
    return { drafts: mine.length, places };
  });
  return wiped ?? nothing;
}
