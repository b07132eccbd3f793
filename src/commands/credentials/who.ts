import { expiryOf } from "../../api/jwt.ts";
import type { CredentialFacts } from "../../settings/credentials.ts";
import type { ResolvedProfile } from "../../settings/resolve.ts";
import type { Secrets } from "../../settings/secrets.ts";
import { formatDuration } from "../../text/durations.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { type Field, printEntry } from "../present.ts";

const fields = [
  { name: "profile", title: "Profile" },
  { name: "chosen_by", title: "Chosen by" },
  { name: "environment", title: "Environment" },
  { name: "base_url", title: "Base URL" },
  { name: "read_only", title: "Read-only" },
  { name: "credential_source", title: "Credentials from" },
  { name: "key_saved", title: "Key saved" },
  { name: "token_cached", title: "Token cached" },
  { name: "token_expires_at", title: "Token expires at" },
  { name: "authorization_form", title: "Authorization form" },
  { name: "kept_in", title: "Kept in" },
] as const satisfies readonly Field[];

/** Prints who this program would be for the service; never a secret. Nothing is sent. */
export async function tellWho(invocation: Invocation): Promise<number> {
  const resolved = await needTarget(invocation);
  const { profile, origin } = resolved;
  const facts = await credentialFactsOf(invocation, resolved);
  const expiresAt = facts.tokenExpiresAt;
  await printEntry(invocation, fields, {
    profile: profile.name,
    chosen_by: origin,
    environment: profile.environment,
    base_url: profile.baseUrl,
    read_only: profile.readOnly || invocation.globals.readOnly,
    credential_source: origin === "sandbox" ? "sandbox" : facts.source,
    key_saved: facts.keySaved,
    token_cached: facts.tokenCached,
    token_expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    authorization_form: profile.authForm === "auto" ? (facts.form ?? "auto") : profile.authForm,
    kept_in: facts.keptIn,
  });
  if (expiresAt !== null) {
    const left = expiresAt - invocation.io.clock.now();
    invocation.notice(
      left > 0
        ? `The token lasts for another ${formatDuration(left)}.`
        : "The token has expired; the next call obtains another.",
    );
  }
  return 0;
}

/** Where the credentials of a place come from; what the environment says needs no disk. */
export async function credentialFactsOf(
  invocation: Invocation,
  { profile, origin }: ResolvedProfile,
): Promise<CredentialFacts> {
  if (origin !== "ad-hoc" && origin !== "sandbox")
    return (await invocation.settings()).credentialFacts(profile, invocation.secrets);
  return passingFacts(origin === "sandbox" ? null : invocation.secrets);
}

function passingFacts(secrets: Secrets | null): CredentialFacts {
  const token = secrets?.token ?? null;
  const hasKey = secrets !== null && secrets.apiKey !== null;
  return {
    source: token !== null ? "environment-token" : hasKey ? "environment-key" : "none",
    keptIn: null,
    keySaved: false,
    tokenCached: false,
    tokenExpiresAt: token === null ? null : expiryOf(token),
    form: null,
  };
}
