import { profileFrom } from "../../settings/schemas.ts";
import { shellQuote } from "../../text/shell-quote.ts";
import { usageError } from "../command-error.ts";
import { exits, type Verb } from "../verb.ts";
import { addProfileOptions, noticeUnusedProxy, type ProfileOptions } from "./profile-entry.ts";

export const verb: Verb = {
  description: "set up a profile",
  declare: (command) =>
    addProfileOptions(command).argument("<name>", "letters, digits, dots, dashes and underscores"),
  /** Saves a new profile, and prints its file and the next step. Throws `invalid` and `exists`. */
  async run(
    invocation,
    name: string,
    { baseUrl, supplier: suppliers, ...options }: ProfileOptions,
  ) {
    if (baseUrl === undefined)
      throw usageError(
        "required option '--base-url <url>' not specified",
        "`supplyline profiles add --help` has examples.",
      );
    const { readOnly } = invocation.globals;
    const profile = profileFrom({ name, baseUrl, suppliers, readOnly, ...options });
    const settings = invocation.settings();
    settings.add(profile);
    invocation.notice(
      `${profile.name} is added (${profile.environment}${profile.readOnly ? ", read-only" : ""}), saved in ${settings.file}.`,
    );
    noticeUnusedProxy(invocation, profile);
    const profileOption = `--profile ${shellQuote(profile.name)}`;
    if (profile.credentialHelper === undefined)
      invocation.notice(
        // At a terminal, login asks for the key.
        `Next: supplyline login ${profileOption}${invocation.io.stdin.isTTY ? "" : " --api-key-stdin"}`,
      );
    if (profile.suppliers.length === 0)
      invocation.notice(
        `The profile lists no supplier yet: supplyline suppliers add CODE ${profileOption}. The service has no list of suppliers.`,
      );
  },
  exits: exits.local,
  examples: [
    "supplyline profiles add acme-test --environment test \\",
    "  --base-url https://api.example.com --supplier ACME",
    "supplyline profiles add live --base-url https://api.example.com --read-only",
    "supplyline profiles add acme --base-url https://api.example.com \\",
    "  --credential-helper '/usr/local/bin/acme-key'",
  ],
};
