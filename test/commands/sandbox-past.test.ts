import { runCommand } from "../helpers/command.ts";
import { openSandbox } from "../helpers/service.ts";

const dayMs = 86_400_000;

/** The JSON that a command on an embedded sandbox prints. */
async function seen(...args: readonly string[]) {
  const { stdout } = await runCommand([...args, "--sandbox", "--json"]);
  return JSON.parse(stdout);
}

test("an embedded sandbox has accounts pending for days, one gone, and a finish", async () => {
  const north = await seen("suppliers", "show", "NORTH");
  expect(north).toMatchObject({ gone: 1, pending_over_a_day: expect.any(Number) });
  expect(north.pending_over_a_day).toBeGreaterThanOrEqual(4);
  expect(Date.now() - Date.parse(north.oldest_pending_since)).toBeGreaterThan(6 * dayMs);
  expect(north.rate_per_hour).toBeGreaterThanOrEqual(20);
  expect(Date.parse(north.finish_from)).toBeGreaterThan(Date.now());
});

test("an embedded sandbox has changes of the last day", async () => {
  const changes: readonly { readonly change: string }[] = await seen(
    ...["changes", "NORTH", "--since", "24h"],
  );
  const kinds = new Set(changes.map(({ change }) => change));
  expect(kinds).toEqual(new Set(["staged", "imported", "gone"]));
});

test("nothing of an embedded sandbox's past is known if recording is off", async () => {
  const { stdout } = await runCommand(["suppliers", "show", "NORTH", "--sandbox", "--json"], {
    env: { SUPPLYLINE_OBSERVE: "0" },
  });
  expect(JSON.parse(stdout)).toMatchObject({ gone: null, pending_over_a_day: null });
});

test("the ages of a separate sandbox begin with the first list", async () => {
  const sandbox = await openSandbox();
  const { stdout } = await runCommand(["suppliers", "show", "NORTH", "--json"], {
    env: sandbox.env,
  });
  const { oldest_pending_since: oldest, gone, rate_per_hour: rate } = JSON.parse(stdout);
  expect(Date.now() - Date.parse(oldest)).toBeLessThan(dayMs);
  expect(gone).toBe(0);
  expect(rate).toBeGreaterThanOrEqual(20);
});
