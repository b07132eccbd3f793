/** The error for a setting that cannot be used. */
import { AppError, type ErrorFacts } from "../errors/app-error.ts";

export function invalidSetting(message: string, facts?: ErrorFacts): AppError<"settings"> {
  return new AppError("settings", "invalid", message, facts);
}
