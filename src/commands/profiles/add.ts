import { profileFrom } from "../../settings/validate-profile.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import type { ProfileOptions } from "./place-options.ts";
import { noticeUnusedProxy } from "./unused-proxy.ts";

/** Saves a new profile, and says where and what comes next. Throws `invalid` and `exists`. */
export async function addProfile(
  invocation: Invocation,
  name: string,
  { baseUrl, supplier: suppliers, ...options }: ProfileOptions,
): Promise<number> {
  if (baseUrl === undefined)
    throw new CommandError(
      "usage",
      "required option '--base-url <url>' not specified",
      "`supplyline profiles add --help` has examples.",
    );
  const { readOnly } = invocation.globals;
  const profile = profileFrom({ name, baseUrl, suppliers, readOnly, ...options });
  const settings = await invocation.settings();
  settings.add(profile);
  invocation.notice(
    `${profile.name} is added (${profile.environment}${profile.readOnly ? ", read-only" : ""}), saved in ${settings.file}.`,
  );
  noticeUnusedProxy(invocation, profile);
  const named = `--profile ${shellQuote(profile.name)}`;
  if (profile.credentialHelper === undefined)
    invocation.notice(`Next: supplyline login ${named} --api-key-stdin`);
  if (profile.suppliers.length === 0)
    invocation.notice(
      `It lists no supplier yet: supplyline suppliers add CODE ${named}. The service has no list of them.`,
    );
  return 0;
}
