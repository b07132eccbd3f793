/** The messages between the program and the worker thread of the observations. */
import type { ErrorFacts, FileErrorKind } from "../../errors/app-error.ts";
import type { ObservationDatabase } from "./engine.ts";

/** A call of the engine in the worker. */
export interface WorkerRequest {
  readonly id: number;
  readonly call: keyof ObservationDatabase;
  readonly args: readonly unknown[];
}

/** The response to a request with the same id. */
export type WorkerResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PostedError };

/** An error in a message, without its class, which is not transferred. */
export interface PostedError {
  readonly message: string;
  /** The kind of a file error, or null for another error. */
  readonly kind: FileErrorKind | null;
  readonly facts: ErrorFacts;
}

/** Returns the buffers of typed arrays, which are transferred without a copy. */
export function buffersIn(value: unknown): ArrayBuffer[] {
  return Object.values(value ?? {}).flatMap((column) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}
