import type { ErrorFacts, FileErrorKind } from "../../errors/app-error.ts";
import type { ObservationDatabase } from "./engine.ts";

/** One call of the engine that runs in the worker. */
export interface WorkerRequest {
  readonly id: number;
  readonly call: keyof ObservationDatabase;
  readonly args: readonly unknown[];
}

export type WorkerResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PostedError };

/** An error as it is posted: its class would not arrive. */
export interface PostedError {
  readonly message: string;
  /** The kind of a file error, or null for any other. */
  readonly kind: FileErrorKind | null;
  readonly facts: ErrorFacts;
}

/** Returns the buffers of typed arrays, which are transferred without a copy. */
export function buffersIn(value: unknown): ArrayBuffer[] {
  return Object.values(value ?? {}).flatMap((one) =>
    ArrayBuffer.isView(one) && one.buffer instanceof ArrayBuffer ? [one.buffer] : [],
  );
}
