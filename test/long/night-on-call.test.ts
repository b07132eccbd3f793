/** A night on call, played at the console: a number from an alert, a note in doubt, and the hand-over. */
import { runCommand } from "../helpers/command.ts";
import { openSandbox } from "../helpers/service.ts";
import { effectsOnce, openWalk } from "./walk.ts";

/** Accounts 1 to 60 are imported, 61 to 80 are pending. */
const suppliers = ["WEST", "EAST"].map((code) => ({
  ...({ code, status: "Ongoing", imported: 60, staged: 20 } as const),
}));

const number = "EAST-0000003";

test("a number is found, noted, verified and handed over, and Esc leads back to each place", async () => {
  const service = await openSandbox({ suppliers });
  const walk = await openWalk(service, []);
  const { terminal, folders, press, type } = walk;
  const command = (...words: readonly string[]) => runCommand(words, { folders, env: service.env });
  const outcomes = async () => {
    const { stdout } = await command("activity", "list", "--json");
    return (JSON.parse(stdout) as { readonly outcome: string }[]).map(({ outcome }) => outcome);
  };
  await command("notes", "create", "EAST", number, "--body", "First call");
  await command("notes", "create", "WEST", "WEST-0000070", "--body", "Too early");

  await terminal.waitFor("This profile has no suppliers yet");
  await press("a", "Add an import supplier");
  await type("WEST EAST");
  await press("enter", /^▌ +WEST .* 75\.0 +20 /m);
  await terminal.waitFor(/ EAST .* 75\.0 +20 /);
  await terminal.waitFor(/! 1 needs you +1 entry rejected +A/);

  await terminal.paste(`${number}\n`).until(new RegExp(`: ${number}\\n▌EAST/${number} +imported`));
  await press("enter", new RegExp(`Suppliers › EAST › Accounts › ${number}`));
  await terminal.waitFor(/✓ COMPLETED +first check/);
  await terminal.waitFor(/Sent from here +1 entry/);

  await press("n", `Notes for EAST/${number}`);
  await type("Second call");
  await press("ctrl-g", "Nothing has been sent");
  service.setFaults(["reset-after@notes"]);
  await press("s", /Waiting \d+ s before[\s\S]*f continues now/);
  await press("f", /f continues now[\s\S]*^ +2 +\d{4}-/m);
  await press("f", /f continues now[\s\S]*^ +3 +\d{4}-/m);
  await press("f", /^\? unknown.* entry 3, 4 attempts/m);
  await terminal.waitFor(/^Compose › Review .* 1 unknown /);
  expect(await outcomes()).toEqual(["unknown", "rejected", "confirmed"]);
  service.setFaults([]);

  // The key works on a row, and the header is there before the rows are.
  await press("A", /^Activity .* 1 unknown [\s\S]*^▌ .* \? unknown/m);
  await press("V", /^▌ .* ✓ confirmed/m);
  expect(await outcomes()).toEqual(["confirmed", "rejected", "confirmed"]);
  await terminal.waitForGone(/^Activity .* 1 unknown /);
  const result = await press("esc", /^✓ confirmed +entry 3, 201, 5 attempts/m);
  expect(result).not.toContain("might have taken effect");
  await press("enter", `Suppliers › EAST › Accounts › ${number}`);
  await terminal.waitFor(/Sent from here +2 entries.*\n.* ✓ confirmed .*\n.* ✓ confirmed /);

  await press("Y", "Hand-over line: sent to the terminal");
  const copied = terminal.copied().at(-1);
  expect(copied).toMatch(new RegExp(`^EAST ${number}: COMPLETED .*"Second call"`));
  expect(copied).toMatch(new RegExp(`supplyline open EAST ${number}$`));

  await walk.run("WEST/EAST-000070", "NOT FOUND (404)");
  await terminal.waitFor("EAST lists EAST-0000070");
  await press("enter", /Accounts › EAST-0000070 [\s\S]* UNKNOWN /);
  await press("esc", /Accounts › EAST-000070 [\s\S]* NOT FOUND \(404\)/);
  await press("esc", `Suppliers › EAST › Accounts › ${number}`);
  await press("A", /^Activity /);
  await press("esc", `Suppliers › EAST › Accounts › ${number}`);
  await press("esc", /^▌ +WEST .* 75\.0 /m);
  expect(terminal.text()).toMatch(/! 1 needs you +1 entry rejected +A/);
  await walk.quit();
  expect(effectsOnce(service)).toEqual([`${number} First call`, `${number} Second call`]);
});
