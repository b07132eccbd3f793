/** Removes the data that is stored for one profile. */
import { openNoteTemplates } from "../settings/note-templates.ts";
import { openDrafts } from "./drafts.ts";
import { type StatePlace, withState } from "./open-state.ts";
import { dropPlaces } from "./used.ts";

interface WipedProfileData {
  readonly drafts: number;
  readonly watched: number;
  readonly templates: number;
  readonly places: number;
  readonly problems: readonly unknown[];
}

/**
 * Removes the stored data of one profile: its drafts, watch lists, note templates and recent
 * places, so that a later profile of that name does not show them. The journal is not changed,
 * because it records the sent requests. Filters and custom commands belong to no profile.
 */
export async function wipeProfileData(
  place: StatePlace,
  configDir: string,
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
    ...(await attempt(nothingWiped, () => wipeState(place, profile))),
    templates: await attempt(0, () => openNoteTemplates(configDir).removeAll(profile)),
    problems,
  };
}

const nothingWiped = { drafts: 0, watched: 0, places: 0 };

async function wipeState(place: StatePlace, profile: string) {
  const wiped = await withState(place, (state) => {
    const drafts = openDrafts(state, Date.now);
    const ownDrafts = drafts.ofProfile(profile);
    for (const { id } of ownDrafts) drafts.remove(id);
    const dropped = state.commit((rows) => ({
      watched: rows.run("DELETE FROM watched WHERE profile = ?", profile),
      places: dropPlaces(rows, profile),
    }));
    if (ownDrafts.length + dropped.watched + dropped.places > 0) state.erase();
    return { drafts: ownDrafts.length, ...dropped };
  });
  return wiped ?? nothingWiped;
}
