/**
 * Asks the registry about the packages in the lock file: their signatures and provenance,
 * and known vulnerabilities of what is shipped. Without a registry that answers such questions it says
 * so and ends well; a finding ends with 1.
 */
import { spawnSync } from "node:child_process";

const questions = [["audit", "signatures"] as const, ["audit", "--omit=dev"] as const];
/** npm's words for a registry that did not answer, as opposed to a finding. */
const unanswered =
  /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|network|endpoint returned an error|ENOAUDIT|E404/i;

let found = false;
for (const question of questions) {
  const words = `npm ${question.join(" ")}`;
  // `npm run --silent` would hand its silence on, and the reason with it.
  const options = ["--fetch-retries=0", "--loglevel=warn"];
  const asked = spawnSync("npm", [...question, ...options], { encoding: "utf8" });
  const printed = `${asked.stdout ?? ""}${asked.stderr ?? ""}`.trim();
  const said = printed || reasonOf(asked);
  if (asked.status === 0) console.log(`${words}:\n${said}`);
  else if (unanswered.test(said)) {
    console.log(`${words}: SKIPPED, the registry in use does not answer it.`);
  } else {
    console.log(`${words}: FAILED\n${said}`);
    found = true;
  }
}
/** The reason why npm printed nothing. */
function reasonOf({ error, status, signal }: ReturnType<typeof spawnSync>): string {
  if (error) return `npm could not be started: ${error.message}`;
  return signal ? `npm was ended by ${signal}.` : `npm ended with status ${status} and no message.`;
}

process.exitCode = found ? 1 : 0;
