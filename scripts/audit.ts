/**
 * Asks the registry what it can tell of the packages in the lock file: their signatures and provenance,
 * and known vulnerabilities of what is shipped. Without a registry that answers such questions it says
 * so and ends well; a finding ends with 1.
 */
import { spawnSync } from "node:child_process";

const questions = [["audit", "signatures"] as const, ["audit", "--omit=dev"] as const];
/** npm's words for "nobody answered", as opposed to "somebody answered and it is bad". */
const unanswered =
  /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|network|endpoint returned an error|ENOAUDIT|E404/i;

let found = false;
for (const question of questions) {
  const words = `npm ${question.join(" ")}`;
  const asked = spawnSync("npm", [...question, "--fetch-retries=0"], { encoding: "utf8" });
  const said = `${asked.stdout}${asked.stderr}`.trim();
  if (asked.status === 0) console.log(`${words}:\n${said}`);
  else if (unanswered.test(said)) {
    console.log(`${words}: SKIPPED, the registry in use does not answer it.`);
  } else {
    console.log(`${words}: FAILED\n${said}`);
    found = true;
  }
}
process.exitCode = found ? 1 : 0;
