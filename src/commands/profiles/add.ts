import { type ProfileInput, profileFrom } from "../../settings/validate-profile.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import type { Invocation } from "../invocation.ts";

/** Keeps a new profile, and says where and what comes next. Throws `invalid` and `exists`. */
export async function addProfile(
  invocation: Invocation,
  input: Omit<ProfileInput, "readOnly">,
): Promise<number> {
  const profile = profileFrom({ ...input, readOnly: invocation.globals.readOnly });
  const settings = await invocation.settings();
  settings.add(profile);
  invocation.notice(
    `${profile.name} is added (${profile.environment}${profile.readOnly ? ", read-only" : ""}), kept in ${settings.file}.`,
  );
  if (profile.credentialHelper === undefined)
    invocation.notice(
      `Next: supplyline login --profile ${shellQuote(profile.name)} --api-key-stdin`,
    );
  return 0;
}
