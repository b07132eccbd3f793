/** Compares an opened profile with the stored profile. */
import { isDeepStrictEqual } from "node:util";
import { adHocName } from "./sandbox-profile.ts";
import type { Profile } from "./schemas.ts";

/**
 * The change of a profile since it was opened.
 * - `relabeled`: only its environment or its read-only setting changed
 * - `moved`: a setting of the connection changed, such as the address, credentials or proxy
 * - `gone`: the profile was removed
 */
type ProfileChange =
  | { readonly kind: "same" }
  | { readonly kind: "relabeled"; readonly profile: Profile }
  | { readonly kind: "moved"; readonly profile: Profile }
  | { readonly kind: "gone" };

/** Returns the change from an opened profile to the stored one. Suppliers are ignored. */
export function profileChange(opened: Profile, stored: Profile | null): ProfileChange {
  if (stored === null) return { kind: "gone" };
  if (!isDeepStrictEqual(connectionOf(opened), connectionOf(stored))) {
    return { kind: "moved", profile: stored };
  }
  const { environment, readOnly } = stored;
  return environment === opened.environment && readOnly === opened.readOnly
    ? { kind: "same" }
    : { kind: "relabeled", profile: stored };
}

/** Returns a profile without its labels and suppliers. An undefined field counts as absent. */
function connectionOf(profile: Profile): ReadonlyMap<string, unknown> {
  const { environment: _, readOnly: __, suppliers: ___, ...connection } = profile;
  return new Map(
    Object.entries(connection)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}

export function changeWords(opened: Profile, change: ProfileChange): string | null {
  const { name } = opened;
  switch (change.kind) {
    case "same":
      return null;
    case "gone":
      return `The profile ${name} was removed.`;
    case "moved":
      return change.profile.baseUrl === opened.baseUrl
        ? `The connection settings of ${name} were changed.`
        : `The profile ${name} now points to ${change.profile.baseUrl}.`;
    case "relabeled": {
      const { environment, readOnly } = change.profile;
      const labels = [
        ...(environment === opened.environment ? [] : [`labeled ${environment}`]),
        ...(readOnly === opened.readOnly ? [] : [readOnly ? "read-only" : "writable"]),
      ];
      return `The profile ${name} is now ${labels.join(" and ")}.`;
    }
  }
}

/** Returns true if a profile is in a file. The sandbox and the environment's cannot change. */
export function isStored({ baseUrl, name }: Profile): boolean {
  return baseUrl !== null && name !== adHocName;
}
