import type { Command } from "commander";
import { places } from "../../settings/places.ts";
import { sandboxProfile } from "../../settings/sandbox-profile.ts";
import type { Invocation } from "../invocation.ts";
import type { Verb } from "../verb.ts";
import { candidatesFor, type Names } from "./candidates.ts";

/** `complete`: what the shell asks at each press of Tab. */
export const verb: Verb = {
  examples: [],
  exits: [0],
  declare: (command) => command.argument("[words...]"),
  /**
   * Prints what could stand where the cursor is: the last word may be begun or empty. Whatever goes
   * wrong there is nothing to complete: an error in the middle of a command line helps no one.
   */
  async run(invocation, words: readonly string[], _options: unknown, { parent: program }: Command) {
    const names: Names = {
      profiles: () =>
        settled(invocation, async (settings) => settings.profiles().map(({ name }) => name)),
      suppliers: (profile) =>
        settled(invocation, async (settings) => {
          const wanted = profile ?? invocation.io.env.SUPPLYLINE_PROFILE ?? settings.currentName();
          if (wanted === sandboxProfile.name) return sandboxProfile.suppliers;
          return wanted === null || wanted === "" ? [] : (settings.find(wanted)?.suppliers ?? []);
        }),
      cohorts: async () => {
        const { openCohorts } = await import("../../triage/cohorts/cohorts.ts");
        const { env, home } = invocation.io;
        return openCohorts(places(env, home).stateDir)
          .names()
          .catch(() => []);
      },
    };
    const found =
      program === null ? [] : await candidatesFor(program, words, names).catch(() => []);
    for (const { value, says } of found) {
      await invocation.out.line(says === "" ? value : `${value}\t${says}`);
    }
  },
};

async function settled(
  invocation: Invocation,
  read: (settings: Awaited<ReturnType<Invocation["settings"]>>) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await read(await invocation.settings());
  } catch {
    return [];
  }
}
