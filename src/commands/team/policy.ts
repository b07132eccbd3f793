import { serviceKey } from "../../api/url.ts";
import { teamNames } from "../../settings/team-access.ts";
import { type FourEyes, fourEyes } from "../../writes/team/approvals.ts";
import { usageError } from "../command-error.ts";
import { findTarget, profileNamed } from "../find-target.ts";
import { choiceOption } from "../option-values.ts";
import { printDone } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { needTeam, withConnect } from "./with-team.ts";

export const verb: Verb = {
  description: "ask for two people for what moves money at the service of a profile, as its owner",
  declare: (command) =>
    command
      .argument("<profile>", "a profile of the service, with the team")
      .requiredOption(
        "--four-eyes <policy>",
        "`money`: another person approves payments and transactions; `none`: no one does",
        choiceOption(fourEyes),
      ),
  async run(invocation, name: string, { fourEyes: policy }: { readonly fourEyes: FourEyes }) {
    const selected = findTarget(invocation)?.profile;
    // A profile from the environment is not stored.
    const profile = selected?.name === name ? selected : profileNamed(invocation, name);
    if (profile.baseUrl === null)
      throw usageError("the embedded sandbox has no team", "Name the profile of a service.");
    const access = needTeam(invocation, profile);
    const { person } = teamNames(invocation.io.env);
    const service = serviceKey(profile.baseUrl);
    const { setPolicy } = await import("../../writes/team/set-policy.ts");
    await withConnect(invocation, access, (connect) =>
      setPolicy(connect, access.address, { service, person, fourEyes: policy }),
    );
    const words =
      policy === "money"
        ? `Payments and transactions for ${service} are sent only after another person has approved them, from every profile of the team.`
        : `Payments and transactions for ${service} need no approval.`;
    await printDone(invocation, { service, four_eyes: policy }, words);
  },
  exits: [0, 2, 3, 6, 130],
  examples: [
    "supplyline team policy live --four-eyes money",
    "supplyline team policy live --four-eyes none",
  ],
};
