import type { Service } from "../api/service.ts";
import type { WriteService } from "./dispatch.ts";

/** The part of a service that writes need. */
export function writeServiceOf(service: Service): WriteService {
  return {
    baseUrl: service.baseUrl,
    rateLimit: service.rateLimit,
    renewConnections: () => service.renewConnections(),
    dispatch: (request, options) => service.post(request, options),
    lookUpSupplyPoint: (supplier, identifier, options) =>
      service.supplyPoints.status(supplier, identifier, options),
  };
}
