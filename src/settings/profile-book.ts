/** Finds, adds, changes and removes the stored profiles. */
import * as z from "zod/mini";
import { AppError } from "../errors/app-error.ts";
import { isRecord } from "../json/exact.ts";
import { ownCertificates } from "./ca-file.ts";
import { corrupt, type JsonFileContent, jsonFile } from "./json-file.ts";
import { checkSupplierCode, refuseProxyPassword } from "./profile-checks.ts";
import { adHocName, sandboxProfile } from "./sandbox-profile.ts";
import { type Profile, type ProfileInput, profileFrom, profileSchema } from "./schemas.ts";

/** The fields of a profile to change. A field with the value undefined is removed. */
export type ProfilePatch = {
  readonly [K in keyof Omit<Profile, "name">]?: Profile[K] | undefined;
};

const reserved: readonly string[] = [sandboxProfile.name, adHocName];

/** The profiles of this user. Errors are those of `Settings`. */
export interface Profiles {
  /** Returns the stored profiles in the order in which they were added, without the sandbox. */
  profiles(): readonly Profile[];
  /**
   * Returns a stored or held profile or the built-in `sandbox`, or null if there is no such
   * profile.
   */
  find(name: string): Profile | null;
  /**
   * Returns the name of the profile chosen with `use`, or null if none was chosen or it no longer
   * exists.
   */
  currentName(): string | null;
  /** Makes a profile the current one. Throws `unknown-profile`. */
  use(name: string): void;
  /** Adds a profile. Throws `exists` and `invalid`. */
  add(profile: Profile): void;
  /**
   * Changes fields of a stored profile. A field with the value undefined is removed. Credentials
   * stored for other addresses are not used at the new addresses. Throws `unknown-profile` and
   * `invalid`.
   */
  update(name: string, patch: ProfilePatch): Profile;
  /** Removes a profile with its credentials. Throws `unknown-profile`. */
  remove(name: string): void;
  /**
   * Adds a profile from the environment in memory, so that `find` and the suppliers work for it.
   * Nothing of it is written.
   */
  hold(profile: Profile): void;
  /**
   * Adds a supplier code at the end if it is new. The codes of a profile that is not stored are
   * only in memory.
   */
  addSupplier(profile: string, code: string): void;
  removeSupplier(profile: string, code: string): void;
}

/** The profiles file. Removing a profile here does not remove its credentials. */
interface ProfileBook extends Profiles {
  readonly file: string;
  /** Returns a stored profile. Throws `unknown-profile`. */
  get(name: string): Profile;
  /** Returns true if the file has a profile with this name and this address. */
  stores(profile: Profile): boolean;
  isHeld(name: string): boolean;
}

export function profileBook(folder: string): ProfileBook {
  const file = jsonFile(folder, "profiles");
  const held = new Map([[sandboxProfile.name, sandboxProfile]]);
  const profilesIn = (kept: JsonFileContent) => storedProfiles(kept, file.path);
  const list = () => profilesIn(file.read());

  /** Changes one profile in the file. Fields of a later version of the program stay. */
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
    file: file.path,
    profiles: list,
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
        throw new AppError(
          "settings",
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
      if (problem) throw new AppError("settings", "invalid", `supplier code ${problem}`);
      changeSuppliers(profile, (codes) => [...new Set([...codes, code])]);
    },
    removeSupplier(profile, code) {
      changeSuppliers(profile, (codes) => codes.filter((known) => known !== code));
    },
  };
}

/**
 * Refuses values that were added to the file by hand and must not be passed to a command or a form.
 * Throws `invalid`.
 */
function refuseUnusable({ proxy, caFile }: Pick<ProfilePatch, "proxy" | "caFile">): void {
  if (proxy !== undefined) refuseProxyPassword(proxy);
  if (caFile !== undefined) ownCertificates(caFile);
}

function named(list: readonly Profile[], name: string): Profile | undefined {
  return list.find((profile) => profile.name === name);
}

/** Returns the error for an unknown profile name. It lists the known profiles. */
export function unknownProfile(name: string, list: readonly Profile[]): AppError<"settings"> {
  const known = [...list.map((profile) => profile.name), sandboxProfile.name].join(", ");
  return new AppError(
    "settings",
    "unknown-profile",
    `there is no profile named ${JSON.stringify(name)}; known: ${known}`,
    { fix: "choose one of those, or add it with: supplyline profiles add NAME --base-url URL" },
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

/** Returns a record without its undefined values, which JSON cannot express. */
function defined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

function taken(name: string): AppError<"settings"> {
  return new AppError("settings", "exists", `a profile named ${name} already exists`, {
    fix: `choose another name, or change it with: supplyline profiles edit ${name}`,
  });
}

function noAddress(): AppError<"settings"> {
  return new AppError("settings", "invalid", "a saved profile needs a base URL");
}

/**
 * Returns the profiles of a profiles file in its order. Throws `corrupt` with the profile and the
 * field.
 */
function storedProfiles(kept: JsonFileContent, path: string): readonly Profile[] {
  const names = new Set<string>();
  return rawProfiles(kept, path).map((raw, index) => {
    const profile = storedProfile(raw, `profile ${index + 1}`, path);
    if (names.has(profile.name)) throw corrupt(path, `has two profiles named ${profile.name}`);
    names.add(profile.name);
    return profile;
  });
}

/**
 * Returns the profiles of a profiles file as records, with the fields of a later version of the
 * program.
 */
function rawProfiles(kept: JsonFileContent, path: string): readonly Record<string, unknown>[] {
  const list = kept.profiles ?? [];
  if (!Array.isArray(list)) throw corrupt(path, "has profiles that are not a list");
  return list.map((raw: unknown, index) => {
    if (!isRecord(raw)) throw corrupt(path, `has a profile ${index + 1} that is not an object`);
    return raw;
  });
}

function storedProfile(raw: Record<string, unknown>, which: string, path: string): Profile {
  const found = z.safeParse(profileSchema, raw);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw corrupt(
    path,
    issue?.code === "invalid_type"
      ? `has a wrong or missing ${String(issue.path[0])} in ${which}`
      : `has a ${which} whose ${issue?.message}`,
  );
}
