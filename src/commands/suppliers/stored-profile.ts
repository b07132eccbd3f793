import type { Profile } from "../../settings/schemas.ts";
import { plural } from "../../text/numbers.ts";
import { usageError } from "../command-error.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Returns the profile if it is stored. Throws `usage` otherwise, because the list of another
 * profile would end with this process.
 */
export async function storedProfile(invocation: Invocation): Promise<Profile> {
  const { profile, origin } = await needTarget(invocation);
  if (origin !== "sandbox" && origin !== "ad-hoc") return profile;
  throw usageError(
    `nothing is saved for ${origin === "sandbox" ? "the sandbox" : "a profile from the environment"}`,
    "Name a stored one with --profile NAME.",
  );
}

/** Reports what was done with supplier codes. */
export function reportCodes(invocation: Invocation, codes: readonly string[], what: string): void {
  if (codes.length === 0) return;
  const words = codes.length === 1 ? "is" : "are";
  const many = codes.length > 10 ? plural(codes.length, "supplier") : codes.join(", ");
  invocation.notice(`${many} ${words} ${what}.`);
}
