import { ledgerContract } from "./contract.ts";
import { compareGuards } from "./guards.ts";
import { memoryWorld } from "./memory-ledger.ts";

describe("a ledger in memory", () => {
  ledgerContract(async () => memoryWorld());

  test("its guard finds what the guard of the journal finds, in random histories", async () => {
    const found = await compareGuards(async () => memoryWorld(), 400);
    for (const kind of ["clear", "reported", "sent-before", "refused-before"])
      expect(found[kind]).toBeGreaterThan(5);
  });
});
