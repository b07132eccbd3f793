import type { ErrorContext } from "../errors/app-error.ts";
import type { Session } from "../session/open-session.ts";
import { adHocName, profileFlag } from "../settings/sandbox-profile.ts";

/** Returns the profile and the address that the explanation of an error needs. */
export function errorPlace({
  profile,
  baseUrl,
}: Pick<Session, "profile" | "baseUrl">): Pick<
  ErrorContext,
  "profile" | "fromEnvironment" | "baseUrl"
> {
  return {
    profile: profile.baseUrl === null ? undefined : (profileFlag(profile) ?? undefined),
    fromEnvironment: profile.name === adHocName,
    baseUrl,
  };
}
