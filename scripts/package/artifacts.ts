import { spawnSync } from "node:child_process";
import { globSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The artifacts of a release, by the names that the scripts take. */
export const artifactNames = ["dist", "npm", "archive"] as const;

export type ArtifactName = (typeof artifactNames)[number];

/** An artifact as the tests see it. */
export interface Artifact {
  /** The program that replaces the build, or null for the build. */
  readonly program: string | null;
  /** True if the program finds no other program by its name. */
  readonly isAlone: boolean;
}

/** Lays out an artifact of release/ in an empty folder, as a user has it. */
export function layOut(name: ArtifactName, version: string, folder: string): Artifact {
  switch (name) {
    case "dist":
      return { program: null, isAlone: false };
    case "npm": {
      const quiet = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
      const tarball = resolve(`release/supplyline-${version}.tgz`);
      run("npm", ["install", "--global", "--prefix", folder, ...quiet, tarball]);
      return { program: join(folder, "bin/supplyline"), isAlone: false };
    }
    case "archive": {
      const archive = packed(`supplyline-${version}-linux-*.tar.xz`);
      run("tar", ["xJf", archive, "-C", folder, "--strip-components=1"]);
      // Users keep the folder anywhere and put a link into a folder of their PATH.
      const program = join(folder, "link");
      symlinkSync("supplyline", program);
      return { program, isAlone: true };
    }
  }
}

/** Returns the artifact with such a name. Throws if there is none. */
function packed(pattern: string): string {
  const [found] = globSync(`release/${pattern}`);
  if (found === undefined) throw new Error(`release/ has no ${pattern}: run npm run package.`);
  return found;
}

/** Runs a program that prints its own faults. Throws when it fails. */
export function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
}
