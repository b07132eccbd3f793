import { createHooks, programEnvironment } from "../../settings/custom/own-programs.ts";
import { readCustomCommands } from "../../settings/custom/read-commands.ts";
import { meOf } from "../../settings/custom/values.ts";
import { places } from "../../settings/places.ts";
import { utcInstant } from "../../text/dates.ts";
import { needTarget } from "../find-target.ts";
import type { Invocation } from "../invocation.ts";

/** A condition that is met, as a hook gets to know it. */
interface Met {
  readonly condition: string;
  readonly figure: number | null;
}

/** Runs the user's `on-alert` hooks for conditions that are met, and waits for their end. */
export async function runAlertHooks(
  invocation: Invocation,
  supplier: string,
  met: readonly Met[],
): Promise<void> {
  const { io, globals } = invocation;
  const custom = readCustomCommands(places(io.env, io.home).configDir);
  if (met.length === 0 || custom.hooks["on-alert"].length === 0) return;
  const { profile } = await needTarget(invocation);
  const hooks = createHooks({
    hooks: custom.hooks,
    env: programEnvironment(io.env, (await invocation.settings()).profiles()),
    values: () => ({
      profile: profile.name,
      environment: profile.environment,
      base_url: profile.baseUrl ?? undefined,
      now: utcInstant(io.clock.now()),
      me: meOf(io.env),
    }),
    writeLock: () => (globals.readOnly || profile.readOnly ? "writes are locked" : null),
    onProblem: (words) => invocation.notice(words),
    end: io.signal,
    killGroup: io.killGroup,
  });
  const words = met.map(({ condition, figure }) => `${condition} ${figure ?? ""}`.trim());
  hooks.fire("on-alert", {
    text: `${supplier}: ${words.join(", ")}`,
    items: met.map(({ condition, figure }) => ({
      condition,
      figure: figure ?? undefined,
      import_supplier: supplier,
    })),
  });
  await hooks.idle();
}
