/** The fields of a profile in a list of profiles. No field has a secret. */
import { fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import type { Profile } from "./schemas.ts";

export interface ListedProfile {
  readonly profile: Profile;
  readonly inUse: boolean;
}

const field = fieldsOf<ListedProfile>();

export const profileFields = {
  name: field(["name", "Profile"], "text", "The profile.", ({ profile }) => profile.name),
  inUse: field(
    "in_use",
    "true or false",
    "True if commands without `--profile` use the profile; in the console, if it is open.",
    ({ inUse }) => inUse,
  ),
  environment: field(...sharedFields.environment, ({ profile }) => profile.environment),
  baseUrl: field(...sharedFields.baseUrl, ({ profile }) => profile.baseUrl),
  readOnly: field(...sharedFields.readOnly, ({ profile }) => profile.readOnly),
};
