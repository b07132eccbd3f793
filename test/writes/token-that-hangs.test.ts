import { showActivity } from "../../src/writes/activity-detail.ts";
import { submit } from "../../src/writes/submit.ts";
import { fakeClock } from "../helpers/clock.ts";
import { openSandbox } from "../helpers/service.ts";
import { contextFor, hurried, instruction } from "./writing.ts";

test("a write that waits in vain for its token was never sent: it is not in doubt, and is sent again", async () => {
  const clock = fakeClock();
  const sandbox = await openSandbox({ speed: 1, faults: ["hang@tokenx1"] });
  const { baseUrl, apiKey } = sandbox;
  const context = await contextFor(baseUrl, { clock, credentials: { apiKey } });
  // Shorter than a token is waited for.
  const { options } = hurried({ timeoutMs: 20_000 });
  const sending = submit(context, instruction(), options);
  await clock.untilSleeping();
  await clock.advance(31_000);
  const result = await sending;
  expect(result).toMatchObject({ outcome: "confirmed", mayHaveTakenEffect: false });
  const { attempts } = showActivity(context.journal, result.journalId);
  expect(attempts[0]).toMatchObject({ outcome: "never-sent" });
  expect(sandbox.ledger()).toHaveLength(1);
});
