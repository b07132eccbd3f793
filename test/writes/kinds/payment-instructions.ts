import { account, type KindSample } from "../../helpers/kinds.ts";

const instruction = { ...account, vendor: "GOODPAY", reference: "R-1", type: "CARD" };

export const sample: KindSample = {
  documented: `{
  "import_supplier": "ACME",
  "external_account_number": "EXT-1",
  "vendor": "GOODPAY",
  "reference": "REF-1",
  "type": "CARD"
}`,
  retries: "R U block X R U",
  writes: [
    {
      name: "a payment instruction",
      body: instruction,
      deduplicated: false,
      success: { status: 201, body: { service_account_number: "A-1", reference: "R-1" } },
    },
  ],
  rejected: [
    { body: { ...instruction, vendor: "NOPAY" }, attr: "vendor", code: "unknown_vendor" },
    {
      body: { ...instruction, reference: "MISSING-1" },
      attr: "reference",
      code: "instruction_not_found",
    },
  ],
  command: [
    ...["ACME", "EXT-0000001", "--vendor", "GOODPAY", "--reference", "R-1", "--type", "CARD"],
  ],
};
