import { storedProfile } from "../find-target.ts";
import { exits, type Verb } from "../verb.ts";
import { sourceWords } from "./whoami.ts";

export const verb: Verb = {
  /**
   * Wipes the saved key and token of the selected profile. Throws `usage` for the sandbox or a
   * profile from the environment.
   */
  async run(invocation) {
    const profile = storedProfile(invocation);
    const settings = invocation.settings();
    const saved = settings.credentialFacts(profile, invocation.secrets);
    settings.forget(profile.name);
    const wiped = [saved.keySaved ? "key" : null, saved.tokenCached ? "token" : null];
    const names = wiped.filter((part) => part !== null).join(" and ");
    invocation.notice(
      names === ""
        ? `Nothing was saved for ${profile.name}.`
        : `The ${names} of ${profile.name} ${names.includes("and") ? "are" : "is"} wiped.`,
    );
    const { source } = settings.credentialFacts(profile, invocation.secrets);
    if (source !== "none") invocation.notice(`From now on it uses ${sourceWords[source]}.`);
  },
  exits: exits.local,
  examples: ["supplyline logout", "supplyline logout --profile acme-test"],
};
