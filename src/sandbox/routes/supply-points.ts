/** 4.5–4.7: supply points. */
import { answerBody, pathPart, respond } from "../http.ts";
import {
  createSupplyPoint,
  supplyPointStatus,
  validateSupplyPoint,
} from "../rules/supply-points.ts";
import type { Service } from "../service.ts";
import type { Mount } from "./mount.ts";

export function mountSupplyPoints(mount: Mount, service: Service): void {
  mount("supply-points-validate", "POST", (context) =>
    answerBody(context, (body) => validateSupplyPoint(service, body)),
  );
  mount("supply-points-create", "POST", (context) =>
    answerBody(context, (body) => createSupplyPoint(service, body)),
  );
  mount("supply-point-status", "GET", (context) => {
    const owner = {
      supplier: pathPart(context, "supplier"),
      identifier: pathPart(context, "identifier"),
    };
    return respond(supplyPointStatus(service, owner));
  });
}
