import { TestRunner } from "vitest";

/**
 * Closes what a test opens when the test ends, the last opened first. What is opened outside of a test,
 * for all tests of a file, is closed by the file.
 */
export function closing<Opened extends AsyncDisposable>(opened: Opened): Opened {
  if (TestRunner.getCurrentTest() !== undefined)
    onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}
