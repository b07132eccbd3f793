import type { Profile } from "../../settings/profile.ts";
import { unknownProfile } from "../../settings/profile-book.ts";
import type { Invocation } from "../invocation.ts";

/** A profile by its name. Throws `unknown-profile`, which lists those there are. */
export async function named(invocation: Invocation, name: string): Promise<Profile> {
  const settings = await invocation.settings();
  const found = settings.find(name);
  if (found === null) throw unknownProfile(name, settings.profiles());
  return found;
}
