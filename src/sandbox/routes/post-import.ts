/** 4.1–4.4: what is posted to an imported account. */
import { answerBody } from "../http.ts";
import { createNotes } from "../rules/notes.ts";
import { createPaymentInstruction } from "../rules/payment-instructions.ts";
import { createStatements } from "../rules/statements.ts";
import { createTransactions } from "../rules/transactions.ts";
import type { Service } from "../service.ts";
import type { Mount } from "./mount.ts";

export function mountPostImport(mount: Mount, service: Service): void {
  mount("notes", "POST", (context) => answerBody(context, (body) => createNotes(service, body)));
  mount("transactions", "POST", (context) =>
    answerBody(context, (body) => createTransactions(service, body, context.req.query())),
  );
  mount("statements", "POST", (context) =>
    answerBody(context, (body) => createStatements(service, body)),
  );
  mount("payment-instructions", "POST", (context) =>
    answerBody(context, (body) => createPaymentInstruction(service, body)),
  );
}
