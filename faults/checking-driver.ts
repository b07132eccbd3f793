/**
 * A process that checks a supplier without storing its list. Its arguments are a state folder, the
 * service's URL and key, and a supplier; it prints the condition about gone accounts as JSON.
 */
import { systemClock } from "../src/api/clock.ts";
import { FileError } from "../src/sqlite/file-error.ts";
import { conditionsOf } from "../src/triage/check/conditions.ts";
import { gatherFacts } from "../src/triage/check/gather-facts.ts";
import { openObservations } from "../src/triage/observations/open-observations.ts";
import { createBudget } from "../src/watch/budget.ts";
import { openService } from "./service-client.ts";

const [, , folder = "", baseUrl = "", apiKey = "", supplier = ""] = process.argv;
const service = openService(baseUrl, apiKey, systemClock);
const observations = await openObservations({
  ...{ folder, origin: baseUrl, clock: systemClock, recording: false },
});
const asked = { gone: true };
const { facts } = await gatherFacts({
  ...{ service, supplier, asked, observations, list: null, unknownWrites: null },
  // A file that cannot be read is no history, as in the command.
  ages: () =>
    observations.ages(supplier).catch((thrown: unknown) => {
      if (thrown instanceof FileError) return null;
      throw thrown;
    }),
  ...{ budget: createBudget(systemClock), clock: systemClock },
  signal: new AbortController().signal,
});
process.stdout.write(JSON.stringify(conditionsOf(asked, facts)[0]));
await observations.close();
await service.close();
