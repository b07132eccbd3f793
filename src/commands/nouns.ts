import { accounts } from "./accounts.ts";
import { activity } from "./activity.ts";
import { bulk } from "./bulk.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor.ts";
import type { Noun } from "./frame.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { notes } from "./notes.ts";
import { open } from "./open.ts";
import { paymentInstructions } from "./payment-instructions.ts";
import { profiles } from "./profiles.ts";
import { sandbox } from "./sandbox.ts";
import { schema } from "./schema.ts";
import { statements } from "./statements.ts";
import { suppliers } from "./suppliers.ts";
import { supplyPoints } from "./supply-points.ts";
import { transactions } from "./transactions.ts";
import { whoami } from "./whoami.ts";

/** Every noun, in the order of the help. A new one is a file beside these and a line here. */
export const nouns: readonly Noun[] = [
  open,
  accounts,
  supplyPoints,
  notes,
  transactions,
  statements,
  paymentInstructions,
  bulk,
  activity,
  profiles,
  suppliers,
  login,
  logout,
  whoami,
  doctor,
  sandbox,
  schema,
  completion,
];
