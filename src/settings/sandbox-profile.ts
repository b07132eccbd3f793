import type { Profile } from "./profile.ts";

/** The name of a profile made from the environment; no stored one may have it. */
export const adHocName = "ad-hoc";

/** The built-in profile of the embedded sandbox; it is never stored. */
export const sandboxProfile: Profile = Object.freeze({
  name: "sandbox",
  baseUrl: null,
  environment: "sandbox",
  readOnly: false,
  authForm: "auto",
  brand: "service",
  suppliers: Object.freeze(["ACME", "PAUSED", "DONE"]),
});
