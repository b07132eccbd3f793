import { isAppError } from "../../errors/app-error.ts";
import type { Profile } from "../../settings/profile.ts";
import { unknownProfile } from "../../settings/profile-book.ts";
import { findTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/**
 * The name of the profile that commands would work with now; null when none is chosen, also when
 * one is asked for that does not exist: the list of profiles is how to fix that.
 */
export async function nameInUse(invocation: Invocation): Promise<string | null> {
  try {
    return (await findTarget(invocation))?.profile.name ?? null;
  } catch (error) {
    if (isAppError(error, "settings", "unknown-profile")) return null;
    throw error;
  }
}

/** A profile by its name. Throws `unknown-profile`, which lists those there are. */
export async function named(invocation: Invocation, name: string): Promise<Profile> {
  const settings = await invocation.settings();
  const found = settings.find(name);
  if (found === null) throw unknownProfile(name, settings.profiles());
  return found;
}
