import type { Profile } from "../../settings/profile.ts";
import { SettingsError } from "../../settings/settings-error.ts";
import { checkSupplierCode } from "../../settings/validate-profile.ts";
import { plural } from "../../text/numbers.ts";
import { CommandError } from "../command-error.ts";
import { type ExitCode, exitCode } from "../exit-codes.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/** Adds codes to the profile's list; those that are on it stay once. Throws `invalid`. */
export async function addSuppliers(
  invocation: Invocation,
  codes: readonly string[],
): Promise<ExitCode> {
  for (const code of codes) {
    const problem = checkSupplierCode(code);
    if (problem) throw new SettingsError("invalid", `supplier code ${problem}`);
  }
  const profile = await storedProfile(invocation);
  const settings = await invocation.settings();
  const isNew = (code: string) => !profile.suppliers.includes(code);
  const added = [...new Set(codes)].filter(isNew);
  const known = [...new Set(codes)].filter((code) => !isNew(code));
  for (const code of added) settings.addSupplier(profile.name, code);
  say(invocation, added, `added to ${profile.name}`);
  say(invocation, known, `already listed in ${profile.name}`);
  return exitCode.done;
}

/** Removes codes from the profile's list. Throws `usage` when one is not on it; none is removed then. */
export async function removeSuppliers(
  invocation: Invocation,
  codes: readonly string[],
): Promise<ExitCode> {
  const profile = await storedProfile(invocation);
  const missing = codes.filter((code) => !profile.suppliers.includes(code));
  if (missing.length > 0)
    throw new CommandError(
      "usage",
      `${profile.name} does not list ${missing.join(", ")}`,
      profile.suppliers.length === 0
        ? "It lists no supplier."
        : `It lists ${profile.suppliers.join(", ")}.`,
    );
  const settings = await invocation.settings();
  for (const code of codes) settings.removeSupplier(profile.name, code);
  say(invocation, [...new Set(codes)], `removed from ${profile.name}`);
  return exitCode.done;
}

/** The list of any other profile ends with this process. */
async function storedProfile(invocation: Invocation): Promise<Profile> {
  const { profile, origin } = await needTarget(invocation);
  if (origin !== "sandbox" && origin !== "ad-hoc") return profile;
  throw new CommandError(
    "usage",
    `nothing is saved for ${origin === "sandbox" ? "the sandbox" : "a profile from the environment"}`,
    "Name a stored one with --profile NAME.",
  );
}

function say(invocation: Invocation, codes: readonly string[], what: string): void {
  if (codes.length === 0) return;
  const words = codes.length === 1 ? "is" : "are";
  const many = codes.length > 10 ? plural(codes.length, "supplier") : codes.join(", ");
  invocation.notice(`${many} ${words} ${what}.`);
}
