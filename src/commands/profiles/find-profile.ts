/** Finds a profile by its name, and the name of the profile in use. */

import { isAppError } from "../../errors/app-error.ts";
import { unknownProfile } from "../../settings/profile-book.ts";
import type { Profile } from "../../settings/schemas.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Returns the name of the profile that commands use now, or null if none is chosen. It is also null
 * if the chosen profile does not exist, so that `profiles list` can show the existing ones.
 */
export async function nameInUse(invocation: Invocation): Promise<string | null> {
  try {
    return (await findTarget(invocation))?.profile.name ?? null;
  } catch (error) {
    if (isAppError(error, "settings", "unknown-profile")) return null;
    throw error;
  }
}

/** Returns a profile by its name. Throws `unknown-profile`, with the names of all profiles. */
export async function named(invocation: Invocation, name: string): Promise<Profile> {
  const settings = await invocation.settings();
  const found = settings.find(name);
  if (found === null) throw unknownProfile(name, settings.profiles());
  return found;
}
