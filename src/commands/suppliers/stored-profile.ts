/** Finds the stored profile for commands that change it. */

import type { Profile } from "../../settings/schemas.ts";
import { plural } from "../../text/numbers.ts";
import { usageError } from "../command-error.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Returns the selected profile if it is stored. Throws `usage` for the sandbox or a profile from
 * the environment, because changes to it would be lost.
 */
export async function storedProfile(invocation: Invocation): Promise<Profile> {
  const { profile, origin } = await needTarget(invocation);
  if (origin !== "sandbox" && origin !== "ad-hoc") return profile;
  throw usageError(
    `nothing is saved for ${origin === "sandbox" ? "the sandbox" : "a profile from the environment"}`,
    "Name a stored one with --profile NAME.",
  );
}

/** Prints a notice about changed supplier codes. */
export function reportCodes(invocation: Invocation, codes: readonly string[], what: string): void {
  if (codes.length === 0) return;
  const words = codes.length === 1 ? "is" : "are";
  const many = codes.length > 10 ? plural(codes.length, "supplier") : codes.join(", ");
  invocation.notice(`${many} ${words} ${what}.`);
}
