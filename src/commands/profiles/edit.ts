import type { ProfilePatch } from "../../settings/profile-book.ts";
import { type ProfileInput, profileFrom, profileSettings } from "../../settings/schemas.ts";
import { checkTeam } from "../../settings/team-address.ts";
import { isSameLedger } from "../../writes/refuse-team.ts";
import { usageError } from "../command-error.ts";
import { profileNamed } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import type { Verb } from "../verb.ts";
import { addProfileOptions, noticeUnusedProxy, type ProfileOptions } from "./profile-entry.ts";

export const verb: Verb = {
  description: "change settings of a profile; an empty value goes back to the default",
  declare: (command) =>
    addProfileOptions(command)
      .argument("<name>")
      .option("--writable", "let a read-only profile write again"),
  /**
   * Changes only the given settings. An empty value restores the default. Throws `unknown-profile`
   * and `invalid`.
   */
  async run(invocation, name: string, { supplier, writable = false, ...options }: EditOptions) {
    const { readOnly } = invocation.globals;
    if (readOnly && writable) throw usageError("--read-only and --writable contradict each other");
    const changes = {
      ...Object.fromEntries(
        Object.entries(options).map(([key, value]) => [key, value === "" ? undefined : value]),
      ),
      ...(supplier === undefined ? {} : { suppliers: supplier.filter((code) => code !== "") }),
      ...(readOnly || writable ? { readOnly } : {}),
    };
    if (Object.keys(changes).length === 0)
      throw usageError(
        "profiles edit needs at least one setting to change",
        "`supplyline profiles edit --help` lists them.",
      );
    if (options.baseUrl === "") throw usageError("base URL must not be empty");
    const left = leftProfile(invocation, name, options.team);
    // Imported on first use, because it opens the journal.
    const leaving = left === null ? null : await import("./leave-team.ts");
    if (left !== null) {
      // A setting that is not valid changes nothing, so the profile does not leave either.
      profileFrom({ ...left, ...changes });
      await leaving?.confirmLeaving(invocation, left);
      if (options.team !== "") await leaving?.leaveForOther(invocation, left);
    }
    await changeProfile(invocation, name, changes);
    if (left !== null && options.team === "") await leaving?.recordLeaving(invocation, left);
  },
  exits: [0, 2, 3, 6, 130],
  examples: [
    "supplyline profiles edit acme-test --proxy http://gate:3128",
    "supplyline profiles edit acme-test --proxy ''   # HTTPS_PROXY again",
    "supplyline profiles edit live --read-only",
  ],
};

/** Returns the profile before a change of its team to none or to another ledger, or null if it stays. */
function leftProfile(invocation: Invocation, name: string, team: string | undefined) {
  if (team === undefined) return null;
  const before = profileNamed(invocation, name);
  if (before.team === undefined) return null;
  const isStaying = team !== "" && (checkTeam(team) !== null || isSameLedger(before.team, team));
  return isStaying ? null : before;
}

interface EditOptions extends ProfileOptions {
  readonly writable?: boolean;
}

/** Changes settings of a profile. A change to undefined restores the default. */
export async function changeProfile(
  invocation: Invocation,
  name: string,
  changes: Partial<Omit<ProfileInput, "name">>,
): Promise<void> {
  const changed = Object.keys(changes) as (keyof ProfilePatch)[];
  const before = profileNamed(invocation, name);
  // Settings without a value get the defaults of a new profile.
  const { name: _, ...after } = profileFrom({ ...before, ...changes });
  const patch = Object.fromEntries(changed.map((key) => [key, after[key]]));
  const profile = invocation.settings().update(name, patch);
  const words = changed.map((key) =>
    key === "readOnly" && !profile.readOnly ? "no longer read-only" : profileSettings[key].name,
  );
  invocation.notice(`${name} is changed: ${words.join(", ")}.`);
  noticeUnusedProxy(invocation, profile);
}
