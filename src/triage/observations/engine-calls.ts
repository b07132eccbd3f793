import type { Engine } from "./engine.ts";

/** The calls of an engine, answered later. */
export type EngineCalls = {
  readonly [Name in keyof Engine]: (
    ...args: Parameters<Engine[Name]>
  ) => Promise<ReturnType<Engine[Name]>>;
};

/** Calls that are carried out by `call`, wherever the engine runs. */
export function callsBy(
  call: (name: keyof Engine, args: readonly unknown[]) => Promise<unknown>,
): EngineCalls {
  const by = <Name extends keyof Engine>(name: Name): EngineCalls[Name] =>
    ((...args: readonly unknown[]) => call(name, args)) as EngineCalls[Name];
  return {
    prepare: by("prepare"),
    take: by("take"),
    finish: by("finish"),
    discard: by("discard"),
    ages: by("ages"),
    changes: by("changes"),
    counts: by("counts"),
    summary: by("summary"),
    stored: by("stored"),
    rows: by("rows"),
    purge: by("purge"),
    confirm: by("confirm"),
    addSighted: by("addSighted"),
    timeline: by("timeline"),
    importTimes: by("importTimes"),
    close: by("close"),
  };
}
