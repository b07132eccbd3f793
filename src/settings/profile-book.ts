import { ownCertificates } from "./ca-file.ts";
import { type JsonFileContent, jsonFile } from "./json-file.ts";
import type { Profile } from "./profile.ts";
import { refuseProxyPassword } from "./proxy-login.ts";
import { adHocName, sandboxProfile } from "./sandbox-profile.ts";
import { SettingsError } from "./settings-error.ts";
import { rawProfiles, storedProfiles } from "./stored-profile.ts";
import { checkSupplierCode, type ProfileInput, profileFrom } from "./validate-profile.ts";

/** Fields of a profile to change; one given as undefined is taken away. */
export type ProfilePatch = {
  readonly [K in keyof Omit<Profile, "name">]?: Profile[K] | undefined;
};

const reserved: readonly string[] = [sandboxProfile.name, adHocName];

/** The profiles file. Errors are those of `Settings`. */
interface ProfileBook {
  readonly path: string;
  list(): readonly Profile[];
  find(name: string): Profile | null;
  /** A stored profile; throws `unknown-profile`. */
  get(name: string): Profile;
  /** Whether this very profile, by name and address, is in the file. */
  stores(profile: Profile): boolean;
  /** Knows a profile that is not stored for as long as this object lives. */
  hold(profile: Profile): void;
  isHeld(name: string): boolean;
  currentName(): string | null;
  use(name: string): void;
  add(profile: Profile): void;
  update(name: string, patch: ProfilePatch): Profile;
  remove(name: string): void;
  addSupplier(profile: string, code: string): void;
  removeSupplier(profile: string, code: string): void;
}

export function profileBook(folder: string): ProfileBook {
  const file = jsonFile(folder, "profiles");
  const held = new Map([[sandboxProfile.name, sandboxProfile]]);
  const profilesIn = (kept: JsonFileContent) => storedProfiles(kept, file.path);
  const list = () => profilesIn(file.read());

  /** Changes one profile in the file; what a later version wrote into it stays. */
  const change = (name: string, patchOf: (profile: Profile) => ProfilePatch): Profile => {
    let changed: Profile | null = null;
    file.change((kept) => {
      const before = oneOf(profilesIn(kept), name);
      const patch = patchOf(before);
      const after = profileFrom(withPatch(before, patch));
      if (after.baseUrl === null) throw noAddress();
      changed = after;
      const merged = rawProfiles(kept, file.path).map((raw) =>
        raw.name === name ? defined({ ...raw, ...patch }) : raw,
      );
      return { ...kept, profiles: merged };
    });
    return changed ?? oneOf(list(), name);
  };
  const changeSuppliers = (name: string, next: (codes: readonly string[]) => string[]) => {
    const passing = held.get(name);
    if (passing) held.set(name, { ...passing, suppliers: next(passing.suppliers) });
    else change(name, (profile) => ({ suppliers: next(profile.suppliers) }));
  };

  return {
    path: file.path,
    list,
    find: (name) => held.get(name) ?? named(list(), name) ?? null,
    get: (name) => oneOf(list(), name),
    stores: (profile) =>
      profile.baseUrl !== null && named(list(), profile.name)?.baseUrl === profile.baseUrl,
    hold: (profile) => void held.set(profile.name, profile),
    isHeld: (name) => held.has(name),
    currentName() {
      const kept = file.read();
      const { current } = kept;
      if (typeof current !== "string") return null;
      return current === sandboxProfile.name || named(profilesIn(kept), current) ? current : null;
    },
    use(name) {
      file.change((kept) => {
        if (name !== sandboxProfile.name) oneOf(profilesIn(kept), name);
        return kept.current === name ? kept : { ...kept, current: name };
      });
    },
    add(profile) {
      const complete = profileFrom(profile);
      refuseUnusable(complete);
      if (reserved.includes(complete.name)) throw taken(complete.name);
      if (complete.baseUrl === null) throw noAddress();
      file.change((kept) => {
        if (named(profilesIn(kept), complete.name)) throw taken(complete.name);
        return { ...kept, profiles: [...rawProfiles(kept, file.path), complete] };
      });
    },
    update: (name, patch) => {
      if (held.has(name))
        throw new SettingsError(
          "invalid",
          `profile ${name} is not saved in the settings; it cannot be changed`,
        );
      refuseUnusable(patch);
      return change(name, () => patch);
    },
    remove(name) {
      file.change((kept) => {
        oneOf(profilesIn(kept), name);
        const left = rawProfiles(kept, file.path).filter((raw) => raw.name !== name);
        const current = kept.current === name ? undefined : kept.current;
        return defined({ ...kept, profiles: left, current });
      });
    },
    addSupplier(profile, code) {
      const problem = checkSupplierCode(code);
      if (problem) throw new SettingsError("invalid", `supplier code ${problem}`);
      changeSuppliers(profile, (codes) => [...new Set([...codes, code])]);
    },
    removeSupplier(profile, code) {
      changeSuppliers(profile, (codes) => codes.filter((known) => known !== code));
    },
  };
}

/** What a profile may hold that was added by hand, and must not be given to a command or a form. */
function refuseUnusable({ proxy, caFile }: Pick<ProfilePatch, "proxy" | "caFile">): void {
  if (proxy !== undefined) refuseProxyPassword(proxy);
  if (caFile !== undefined) ownCertificates(caFile);
}

function named(list: readonly Profile[], name: string): Profile | undefined {
  return list.find((profile) => profile.name === name);
}

/** The error for a name that no profile has; it lists those there are. */
export function unknownProfile(name: string, list: readonly Profile[]): SettingsError {
  const known = [...list.map((profile) => profile.name), sandboxProfile.name].join(", ");
  return new SettingsError(
    "unknown-profile",
    `there is no profile named ${JSON.stringify(name)}; known: ${known}`,
    "choose one of those, or add it with: supplyline profiles add NAME --base-url URL",
  );
}

function oneOf(list: readonly Profile[], name: string): Profile {
  const profile = named(list, name);
  if (!profile) throw unknownProfile(name, list);
  return profile;
}

function withPatch(before: Profile, patch: ProfilePatch): ProfileInput {
  const { baseUrl = before.baseUrl, ...rest } = patch;
  return { ...before, ...rest, name: before.name, baseUrl };
}

/** Without the keys that hold undefined, which JSON has no word for. */
function defined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

function taken(name: string): SettingsError {
  return new SettingsError(
    "exists",
    `a profile named ${name} already exists`,
    `choose another name, or change it with: supplyline profiles edit ${name}`,
  );
}

function noAddress(): SettingsError {
  return new SettingsError("invalid", "a saved profile needs a base URL");
}
