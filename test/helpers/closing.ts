import { TestRunner } from "vitest";

const openOfFile: AsyncDisposable[] = [];

/**
 * Closes what a test opens when the test ends, the last opened first. What is opened outside of a test,
 * for all tests of a file, closes with the file.
 */
export function closing<Opened extends AsyncDisposable>(opened: Opened): Opened {
  if (TestRunner.getCurrentTest() === undefined) openOfFile.push(opened);
  else onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** Closes what was opened for all tests of a file, the last opened first. */
export async function closeOfFile(): Promise<void> {
  for (const opened of openOfFile.splice(0).reverse()) await opened[Symbol.asyncDispose]();
}
