/**
 * Milliseconds after which a test gives up what it waits for. It only stops a hang: what comes at all
 * comes within moments, but on a busy machine a moment can be long. Below the runner's own bound.
 */
export const longestWait = 100_000;
