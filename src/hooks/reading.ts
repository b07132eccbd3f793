/** React hooks that read a value from this machine while their screen is on top. */
import { useEffect, useState } from "react";
import { runUntilCleanup } from "../session/run-until-cleanup.ts";
import { useActive } from "./window.tsx";

/** The state of a value that is read from this machine. */
export type Reading<T> =
  | { readonly kind: "reading" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "read"; readonly value: T };

/**
 * Reads a value when its screen is on top, and again if `read` or `version` changes. The previous
 * value stays until then. Pass the same `read` function while it reads the same data.
 */
export function useReading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  version: unknown,
): Reading<T> {
  const active = useActive();
  const [reading, setReading] = useState<Reading<T>>({ kind: "reading" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is read again
  useEffect(() => {
    if (!active) return;
    return runUntilCleanup(async (signal) => {
      const next = await read(signal).then(
        (value) => ({ kind: "read", value }) as const,
        (error: unknown) => ({ kind: "failed", error }) as const,
      );
      if (!signal.aborted) setReading(next);
    });
  }, [read, active, version]);
  return reading;
}

/**
 * Returns the value that {@link useReading} reads, or null while the value is being read or if it
 * cannot be read.
 */
export function useRead<T>(read: (signal: AbortSignal) => Promise<T>, version?: unknown): T | null {
  const reading = useReading(read, version);
  return reading.kind === "read" ? reading.value : null;
}
