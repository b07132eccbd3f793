import { invalidSetting } from "../../settings/invalid-setting.ts";
import { checkSupplierCode } from "../../settings/profile-checks.ts";
import { plural } from "../../text/numbers.ts";
import { storedProfile } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArguments } from "../option-values.ts";
import type { Verb } from "../verb.ts";

export const verb: Verb = {
  description: "add supplier codes to the list of a profile; nothing is sent",
  declare: (command) => command.argument("<code...>", "import supplier codes", identifierArguments),
  /** Adds codes to the profile's list. A code on the list is not added again. Throws `invalid`. */
  async run(invocation, codes: readonly string[]) {
    for (const code of codes) {
      const problem = checkSupplierCode(code);
      if (problem) throw invalidSetting(`supplier code ${problem}`);
    }
    const profile = storedProfile(invocation);
    const settings = invocation.settings();
    const isNew = (code: string) => !profile.suppliers.includes(code);
    const added = [...new Set(codes)].filter(isNew);
    const listed = [...new Set(codes)].filter((code) => !isNew(code));
    for (const code of added) settings.addSupplier(profile.name, code);
    reportCodes(invocation, added, `added to ${profile.name}`);
    reportCodes(invocation, listed, `already listed in ${profile.name}`);
  },
  exits: [0, 2, 3],
  examples: [
    "supplyline suppliers add ACME",
    "supplyline suppliers add ACME PAUSED --profile live",
  ],
};

export function reportCodes(
  invocation: Invocation,
  codes: readonly string[],
  result: string,
): void {
  if (codes.length === 0) return;
  const verb = codes.length === 1 ? "is" : "are";
  const subject = codes.length > 10 ? plural(codes.length, "supplier") : codes.join(", ");
  invocation.notice(`${subject} ${verb} ${result}.`);
}
