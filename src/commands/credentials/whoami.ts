import type { CredentialFacts } from "../../settings/credentials.ts";
import type { ResolvedProfile } from "../../settings/resolve.ts";
import { formatDuration } from "../../text/durations.ts";
import { credentialFactsOf, needTarget, unusedSecretWords } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { type Column, column, serviceColumns } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import type { Verb } from "../verb.ts";

const columns: readonly Column<ReturnType<typeof rowOf>>[] = [
  column("profile", "text", "The profile."),
  {
    ...column("chosen_by", "text", "The source of the choice."),
    shown: ({ chosen_by }) => originWords[chosen_by],
  },
  ...serviceColumns,
  {
    ...column(["credential_source", "Credentials from"], "text", "The source of the credentials."),
    shown: ({ credential_source }) => sourceWords[credential_source],
  },
  column("key_saved", "true or false", "True if the API key is saved."),
  column("token_cached", "true or false", "True if a token is saved."),
  column("token_expires_at", "text or null", "The time at which the token expires."),
  column("authorization_form", "text", "`token`, `bare` or `auto`."),
  column(["kept_in", "Stored in"], "text or null", "The file of the credentials."),
];

export const verb: Verb = {
  columns,
  /** Prints the profile and facts about its credentials, never a secret. Sends nothing. */
  async run(invocation) {
    const resolved = needTarget(invocation);
    const facts = credentialFactsOf(invocation, resolved);
    const expiresAt = facts.tokenExpiresAt;
    await printRow(invocation, columns, rowOf(invocation, resolved, facts));
    const unused = unusedSecretWords(invocation, resolved.profile, facts);
    if (unused !== null) invocation.notice(unused);
    if (expiresAt !== null) {
      const left = expiresAt - invocation.io.clock.now();
      invocation.notice(
        left > 0
          ? `The token is valid for another ${formatDuration(left)}.`
          : "The token has expired; the next call obtains another one if it has a key.",
      );
    }
  },
  exits: [0, 2, 3],
  examples: ["supplyline whoami", "supplyline whoami --profile live --json"],
};

const originWords: Readonly<Record<ResolvedProfile["origin"], string>> = {
  flag: "--profile",
  environment: "SUPPLYLINE_PROFILE",
  current: "profiles use",
  "ad-hoc": "SUPPLYLINE_BASE_URL",
  only: "the only profile",
  sandbox: "the embedded sandbox",
};

export const sourceWords: Readonly<Record<CredentialFacts["source"] | "sandbox", string>> = {
  "environment-token": "a token in SUPPLYLINE_TOKEN",
  "environment-key": "an API key in SUPPLYLINE_API_KEY",
  helper: "the credential helper of the profile",
  "saved-key": "the saved API key",
  "cached-token": "a saved token; no key is saved, so it cannot be renewed",
  none: "nothing yet: supplyline login --api-key-stdin",
  sandbox: "the sandbox itself",
};

function rowOf(
  { globals }: Invocation,
  { profile, origin }: ResolvedProfile,
  facts: CredentialFacts,
) {
  const { tokenExpiresAt } = facts;
  return {
    profile: profile.name,
    chosen_by: origin,
    environment: profile.environment,
    base_url: profile.baseUrl,
    read_only: profile.readOnly || globals.readOnly,
    credential_source: origin === "sandbox" ? origin : facts.source,
    key_saved: facts.keySaved,
    token_cached: facts.tokenCached,
    token_expires_at: tokenExpiresAt === null ? null : new Date(tokenExpiresAt).toISOString(),
    authorization_form: profile.authForm === "auto" ? (facts.form ?? "auto") : profile.authForm,
    kept_in: facts.storedIn,
  };
}
