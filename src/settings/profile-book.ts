/** Finds, adds, changes and removes profiles in the file `profiles.json`. */
import * as z from "zod/mini";
import { AppError } from "../errors/app-error.ts";
import { isRecord } from "../json/exact.ts";
import { profileCertificates } from "./ca-file.ts";
import { invalidSetting } from "./invalid-setting.ts";
import { corrupt, type JsonFileContent, jsonFile } from "./json-file.ts";
import { checkSupplierCode, refuseProxyPassword } from "./profile-checks.ts";
import { adHocName, sandboxProfile } from "./sandbox-profile.ts";
import { type Profile, type ProfileInput, profileFrom, profileSchema } from "./schemas.ts";

/** The fields of a profile to change. A field with the value undefined is removed. */
export type ProfilePatch = {
  readonly [K in keyof Omit<Profile, "name">]?: Profile[K] | undefined;
};

const reservedNames: readonly string[] = [sandboxProfile.name, adHocName];

export interface Profiles {
  profiles(): readonly Profile[];
  /** Returns a stored profile, one in memory, the built-in `sandbox`, or null. */
  find(name: string): Profile | null;
  /** Returns the name of the profile chosen with `use`, or null if there is none any more. */
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
   * The profile is never written.
   */
  addInMemory(profile: Profile): void;
  /** Adds a new supplier code at the end, only in memory for a profile that is not stored. */
  addSupplier(profile: string, code: string): void;
  removeSupplier(profile: string, code: string): void;
}

/** The profiles file. Removing a profile here does not remove its credentials. */
interface ProfileBook extends Profiles {
  readonly file: string;
  /** Returns a stored profile. Throws `unknown-profile`. */
  get(name: string): Profile;
  stores(profile: Profile): boolean;
  /** Returns true for the sandbox, and for a profile that is only in memory. */
  isInMemory(name: string): boolean;
}

export function profileBook(folder: string): ProfileBook {
  const file = jsonFile(folder, "profiles");
  const inMemory = new Map([[sandboxProfile.name, sandboxProfile]]);
  const profilesIn = (content: JsonFileContent) => storedProfiles(content, file.path);
  const list = () => profilesIn(file.read());

  /** Changes one profile in the file. Fields of a later version of the program stay. */
  const change = (name: string, patchOf: (profile: Profile) => ProfilePatch): Profile => {
    let changed: Profile | null = null;
    file.change((content) => {
      const current = requireProfile(profilesIn(content), name);
      const patch = patchOf(current);
      const next = profileFrom(withPatch(current, patch));
      if (next.baseUrl === null) throw noAddress();
      changed = next;
      const profiles = rawProfiles(content, file.path).map((raw) =>
        raw.name === name ? withoutUndefined({ ...raw, ...patch }) : raw,
      );
      return { ...content, profiles };
    });
    return changed ?? requireProfile(list(), name);
  };
  const changeSuppliers = (name: string, next: (codes: readonly string[]) => string[]) => {
    const profile = inMemory.get(name);
    if (profile) inMemory.set(name, { ...profile, suppliers: next(profile.suppliers) });
    else change(name, ({ suppliers }) => ({ suppliers: next(suppliers) }));
  };

  return {
    file: file.path,
    profiles: list,
    find: (name) => inMemory.get(name) ?? findNamed(list(), name) ?? null,
    get: (name) => requireProfile(list(), name),
    stores: (profile) =>
      profile.baseUrl !== null && findNamed(list(), profile.name)?.baseUrl === profile.baseUrl,
    addInMemory: (profile) => void inMemory.set(profile.name, profile),
    isInMemory: (name) => inMemory.has(name),
    currentName() {
      const content = file.read();
      const { current } = content;
      if (typeof current !== "string") return null;
      const exists = current === sandboxProfile.name || findNamed(profilesIn(content), current);
      return exists ? current : null;
    },
    use(name) {
      file.change((content) => {
        if (name !== sandboxProfile.name) requireProfile(profilesIn(content), name);
        return content.current === name ? content : { ...content, current: name };
      });
    },
    add(profile) {
      const complete = profileFrom(profile);
      checkConnection(complete);
      if (reservedNames.includes(complete.name)) throw nameTaken(complete.name);
      if (complete.baseUrl === null) throw noAddress();
      file.change((content) => {
        if (findNamed(profilesIn(content), complete.name)) throw nameTaken(complete.name);
        return { ...content, profiles: [...rawProfiles(content, file.path), complete] };
      });
    },
    update: (name, patch) => {
      if (inMemory.has(name))
        throw invalidSetting(`profile ${name} is not saved in the settings; it cannot be changed`);
      checkConnection(patch);
      return change(name, () => patch);
    },
    remove(name) {
      file.change((content) => {
        requireProfile(profilesIn(content), name);
        const profiles = rawProfiles(content, file.path).filter((raw) => raw.name !== name);
        const current = content.current === name ? undefined : content.current;
        return withoutUndefined({ ...content, profiles, current });
      });
    },
    addSupplier(profile, code) {
      const problem = checkSupplierCode(code);
      if (problem) throw invalidSetting(`supplier code ${problem}`);
      changeSuppliers(profile, (codes) => [...new Set([...codes, code])]);
    },
    removeSupplier(profile, code) {
      changeSuppliers(profile, (codes) => codes.filter((other) => other !== code));
    },
  };
}

/** Throws `invalid` for a proxy with a password, and for a CA file that cannot be read. */
function checkConnection({
  proxy,
  caFile,
  teamCaFile,
}: Pick<ProfilePatch, "proxy" | "caFile" | "teamCaFile">): void {
  if (proxy !== undefined) refuseProxyPassword(proxy);
  if (caFile !== undefined) profileCertificates(caFile);
  if (teamCaFile !== undefined) profileCertificates(teamCaFile);
}

function findNamed(list: readonly Profile[], name: string): Profile | undefined {
  return list.find((profile) => profile.name === name);
}

export function unknownProfile(name: string, list: readonly Profile[]): AppError<"settings"> {
  const known = [...list.map((profile) => profile.name), sandboxProfile.name].join(", ");
  return new AppError(
    "settings",
    "unknown-profile",
    `there is no profile named ${JSON.stringify(name)}; known: ${known}`,
    { fix: "choose one of those, or add it with: supplyline profiles add NAME --base-url URL" },
  );
}

/** Returns the profile with a name. Throws `unknown-profile`. */
function requireProfile(list: readonly Profile[], name: string): Profile {
  const profile = findNamed(list, name);
  if (!profile) throw unknownProfile(name, list);
  return profile;
}

/** Returns a profile with changed fields. The name and the address cannot be removed. */
function withPatch(profile: Profile, patch: ProfilePatch): ProfileInput {
  const { baseUrl = profile.baseUrl, ...rest } = patch;
  return { ...profile, ...rest, name: profile.name, baseUrl };
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

function nameTaken(name: string): AppError<"settings"> {
  return new AppError("settings", "exists", `a profile named ${name} already exists`, {
    fix: `choose another name, or change it with: supplyline profiles edit ${name}`,
  });
}

function noAddress(): AppError<"settings"> {
  return invalidSetting("a saved profile needs a base URL");
}

/** Returns the profiles of a file in its order. Throws `corrupt` with the profile and the field. */
function storedProfiles(content: JsonFileContent, path: string): readonly Profile[] {
  const names = new Set<string>();
  return rawProfiles(content, path).map((raw, index) => {
    const profile = storedProfile(raw, `profile ${index + 1}`, path);
    if (names.has(profile.name)) throw corrupt(path, `has two profiles named ${profile.name}`);
    names.add(profile.name);
    return profile;
  });
}

/** Returns the profiles of a file as records, which can have fields of a later version. */
function rawProfiles(content: JsonFileContent, path: string): readonly Record<string, unknown>[] {
  const list = content.profiles ?? [];
  if (!Array.isArray(list)) throw corrupt(path, "has profiles that are not a list");
  return list.map((raw: unknown, index) => {
    if (!isRecord(raw)) throw corrupt(path, `has a profile ${index + 1} that is not an object`);
    return raw;
  });
}

function storedProfile(raw: Record<string, unknown>, label: string, path: string): Profile {
  const parsed = z.safeParse(profileSchema, raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw corrupt(
    path,
    issue?.code === "invalid_type"
      ? `has a wrong or missing ${String(issue.path[0])} in ${label}`
      : `has a ${label} whose ${issue?.message}`,
  );
}
