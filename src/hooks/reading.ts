/** React hooks that read values from this machine while their screen is on top. */
import { useEffect, useState } from "react";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { useActive } from "./window.tsx";

export type Reading<T> =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "read"; readonly value: T };

export type Read<T> = (signal: AbortSignal) => Promise<T> | AsyncIterable<T>;

/**
 * Reads a value when its screen is on top, and again if `read` or `version` changes. The previous
 * value stays until then. Pass the same `read` function while it reads the same data. Reads nothing
 * if `read` is null.
 */
export function useReading<T>(read: Read<T> | null, version?: unknown): Reading<T> {
  const active = useActive();
  const [reading, setReading] = useState<Reading<T>>({ kind: "reading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active || read === null) return;
    return runUntilCleanup(async (signal) => {
      const show = (next: Reading<T>) => {
        if (!signal.aborted) setReading(next);
      };
      try {
        const values = read(signal);
        if (values instanceof Promise) show({ kind: "read", value: await values });
        else for await (const value of values) show({ kind: "read", value });
      } catch (error) {
        show({ kind: "failed", error });
      }
    });
  }, [read, active, version]);
  return reading;
}

/** Returns the value, or null until it is read and if it cannot be read. */
export function useRead<T>(read: Read<T> | null, version?: unknown): T | null {
  const reading = useReading(read, version);
  return reading.kind === "read" ? reading.value : null;
}
