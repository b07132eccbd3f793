import { jsonOf } from "../../json/exact.ts";
import type { Preferences, ProfileInput } from "../../settings/schemas.ts";
import { usageError } from "../command-error.ts";
import { storedProfile } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { changeProfile } from "../profiles/edit.ts";
import type { Verb } from "../verb.ts";
import { configKey, isPreference, type PreferenceKey, type ProfileKey } from "./config-rows.ts";

export const verb: Verb = {
  description: "change one setting; an empty value goes back to the default",
  declare: (command) =>
    command
      .argument("<key>", "setting, as `config list` names it")
      .argument("<value>", "text, number, true or false, or names with commas between them"),
  /**
   * Changes a preference, or a setting of the profile in use. Throws `invalid` with the name of the
   * setting if the value is not accepted.
   */
  async run(invocation, typed: string, value: string) {
    const key = configKey(typed);
    if (isPreference(key)) await setPreference(invocation, key, value);
    else {
      const { name } = storedProfile(invocation);
      await changeProfile(invocation, name, profilePatch(key, value));
    }
  },
  exits: [0, 2, 3],
  examples: [
    "supplyline config set pollIntervalMs 10000",
    "supplyline config set compression off --profile live",
    "supplyline config set watchBell ''   # the default again",
  ],
};

async function setPreference(
  invocation: Invocation,
  key: PreferenceKey,
  value: string,
): Promise<void> {
  const settings = invocation.settings();
  if (value === "") settings.resetPreference(key);
  else settings.setPreferences({ [key]: preferenceValue(key, value) } as Partial<Preferences>);
  invocation.notice(`${key} is ${value === "" ? "the default again" : "changed"}.`);
}

/**
 * Converts typed text to a value of the settings file. The settings check the value later.
 */
function preferenceValue(key: PreferenceKey, value: string): unknown {
  if (key === "accountColumns" && !/^(?:null|\[.*\])$/s.test(value)) return namesIn(value);
  const parsed = jsonOf(value);
  return parsed === undefined ? value : parsed;
}

/** Converts typed text to a change of a profile. Throws `usage` for some invalid values. */
function profilePatch(key: ProfileKey, value: string): Partial<Omit<ProfileInput, "name">> {
  if (value === "") {
    if (key === "baseUrl") throw usageError("base URL must not be empty");
    return { [key]: undefined };
  }
  if (key === "suppliers") return { suppliers: namesIn(value) };
  if (key !== "readOnly") return { [key]: value };
  if (value === "true" || value === "false") return { readOnly: value === "true" };
  throw usageError("readOnly must be true or false");
}

function namesIn(value: string): readonly string[] {
  return value.split(",").map((name) => name.trim());
}
