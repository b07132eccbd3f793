/** Exports the parts of the program that its entry point uses, from one file. */
export { systemClock } from "../api/clock.ts";
export { formatStack } from "../errors/fault-words.ts";
export { log } from "../log/log.ts";
export { killStoppingPrograms } from "../settings/custom/stopping-programs.ts";
export { homeFolder } from "../settings/folders.ts";
export { unwritable } from "./command-error.ts";
export { endingCodes, exitCode } from "./exit-codes.ts";
export { crashOf, formatFailure } from "./failure.ts";
export { wantsJson } from "./global-options.ts";
export { Ended } from "./io.ts";
export { main } from "./main.ts";
