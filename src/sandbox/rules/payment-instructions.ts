/**
 * The rules of the endpoint for payment instructions (INTERFACE 4.4), with vendors that respond in
 * different ways.
 */
import type { Answer, Path } from "../checks.ts";
import { failedValidation, name, object, problem, required } from "../checks.ts";
import { addEffect, type Service } from "../service.ts";
import type { Owner } from "../store/store.ts";
import type { AccountPayload } from "./account-payload.ts";
import { accountFields, onAccount } from "./account-payload.ts";

interface PaymentInstruction extends AccountPayload {
  readonly vendor: string;
  readonly reference: string;
  readonly type: string;
}

const check = object({
  ...accountFields,
  vendor: required(name),
  reference: required(name),
  type: required(name),
});

type VendorAnswer = "found" | "not found" | "unreachable" | "unavailable";

const flakyFailures = 2;

const unknownVendor =
  "No such vendor. The sandbox has GOODPAY, FLAKYPAY (500 twice, then 201), DOWNPAY (500) and REFUSEPAY (400).";

export function createPaymentInstruction(service: Service, payload: unknown): Answer {
  return onAccount<PaymentInstruction>(service, payload, check, (account, instruction) => {
    const { vendor, reference, type } = instruction;
    const vendorAnswer = askVendor(service, account.owner, instruction);
    if (vendorAnswer === undefined) return rejected(["vendor"], "unknown_vendor", unknownVendor);
    switch (vendorAnswer) {
      case "unreachable":
        return {
          status: 500,
          body: { detail: "The payment vendor could not be reached just now.", code: "error" },
        };
      case "unavailable":
        return rejected(["vendor"], "vendor_unavailable", "The vendor cannot be reached for good.");
      case "not found":
        return rejected(
          ["reference"],
          "instruction_not_found",
          "The vendor has no such instruction.",
        );
      case "found": {
        addEffect(service, account.owner, {
          kind: "payment-instruction",
          endpoint: "payment-instructions",
          key: `${vendor}/${reference}`,
          record: { type },
          detail: { type },
        });
        const body = { [`${service.brand}_account_number`]: account.serviceNumber, reference };
        return { status: 201, body };
      }
    }
  });
}

function rejected(path: Path, code: string, detail: string): Answer {
  return failedValidation(problem(path, code, detail));
}

function askVendor(
  service: Service,
  owner: Owner,
  { vendor, reference }: PaymentInstruction,
): VendorAnswer | undefined {
  switch (vendor) {
    case "GOODPAY":
      return reference.startsWith("MISSING") ? "not found" : "found";
    case "REFUSEPAY":
      return "unavailable";
    case "DOWNPAY":
      return "unreachable";
    case "FLAKYPAY": {
      const failures = service.store.find("vendor-attempt", owner, reference).length;
      if (failures >= flakyFailures) return "found";
      service.store.add("vendor-attempt", owner, reference, {});
      return "unreachable";
    }
    default:
      return undefined;
  }
}
