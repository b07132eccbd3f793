import type { ErrorContext } from "../errors/app-error.ts";
import type { Session } from "../session/open-session.ts";
import { adHocName, profileFlag } from "../settings/sandbox-profile.ts";

/** Where something went wrong, as far as the words for it need to know. */
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
