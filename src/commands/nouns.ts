import { accounts } from "./accounts.ts";
import { doctor } from "./doctor.ts";
import type { Noun } from "./frame.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { open } from "./open.ts";
import { profiles } from "./profiles.ts";
import { sandbox } from "./sandbox.ts";
import { supplyPoints } from "./supply-points.ts";
import { whoami } from "./whoami.ts";

/** Every noun, in the order of the help. A new one is a file beside these and a line here. */
export const nouns: readonly Noun[] = [
  open,
  accounts,
  supplyPoints,
  profiles,
  login,
  logout,
  whoami,
  doctor,
  sandbox,
];
