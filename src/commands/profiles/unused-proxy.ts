import { isLoopback } from "../../api/url.ts";
import type { Profile } from "../../settings/profile.ts";
import type { Invocation } from "../invocation.ts";

/** Whether a profile names a proxy that its base URL never uses. */
export function hasUnusedProxy({ baseUrl, proxy }: Profile): boolean {
  return proxy !== undefined && baseUrl !== null && isLoopback(new URL(baseUrl));
}

/** Says so where it is: a proxy that was asked for and is not used would be looked for at night. */
export function noticeUnusedProxy(invocation: Invocation, profile: Profile): void {
  if (hasUnusedProxy(profile))
    invocation.notice(
      "The proxy is not used: the base URL is on this machine, which is always reached directly.",
    );
}
