/** The keys that decide a request. */
import type { Actions } from "../../keys/scopes.ts";
import type { Here } from "../../session/app.ts";
import {
  approveRequest,
  notApprovable,
  notRefusable,
  refuseRequest,
} from "../../session/approval-actions.ts";
import type { Approval } from "../../writes/team/approvals.ts";

/** Returns the keys for a request. Without one, each has the reason why it cannot be used. */
export function requestKeys(here: Here, request: Approval | null): Actions {
  return {
    add: {
      isMain: true,
      run: () => (request === null ? undefined : approveRequest(here, request)),
      disabled: notApprovable(request),
      label: "approve",
      help: "Approve the request, after typing its rows and its sum",
    },
    "close-write": {
      run: () => (request === null ? undefined : refuseRequest(here, request)),
      disabled: notRefusable(request),
      label: "refuse",
      help: "Refuse the request with a reason, or take an approval back",
    },
  };
}
