import type { AccountBatch } from "../../../src/accounts/ingest/batch.ts";
import { BatchBuilder } from "../../../src/accounts/ingest/batch-builder.ts";
import { NumberSet, numberColumn } from "../../../src/triage/account-numbers.ts";

/** A list by external account number: the service account number, or null while it is pending. */
export type Listed = readonly (readonly [external: string, service: string | null])[];

export function batchOf(listed: Listed): AccountBatch {
  const builder = new BatchBuilder();
  for (const [external, service] of listed) builder.addTexts(external, service, null);
  const batch = builder.take();
  if (batch === null) throw new Error("a batch has at least one row");
  return batch;
}

export const indexOf = (...numbers: string[]) => new NumberSet(numberColumn(numbers));

export const pending = (...numbers: string[]): Listed => numbers.map((one) => [one, null]);
export const imported = (...numbers: string[]): Listed => numbers.map((one) => [one, `S-${one}`]);

/** Accounts that are not watched, to make a list long. */
export const others = (many: number): Listed =>
  Array.from({ length: many }, (_, at) => [`OTHER-${at}`, `S-${at}`]);
