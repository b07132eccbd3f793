import { describe } from "vitest";
import { ledgerContract } from "./contract.ts";
import { memoryWorld } from "./memory-ledger.ts";

describe("a ledger in memory", () => {
  ledgerContract(async () => memoryWorld());
});
