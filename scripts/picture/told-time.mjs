// Loaded into the program with NODE_OPTIONS=--import: its clock shows what PICTURE_CLOCK holds, a file
// with epoch milliseconds as a double. So each picture tells the same times whenever it is taken;
// timers run as ever.
import { closeSync, openSync, readSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const file = process.env.PICTURE_CLOCK;
const RealDate = Date;
const told = new Float64Array(1);
const bytes = new Uint8Array(told.buffer);

function now() {
  const descriptor = openSync(file, "r");
  readSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
  return told[0];
}

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};

// The sandbox's thread is started with none of the environment, and must have the same time.
const RealWorker = threads.Worker;
threads.Worker = class extends RealWorker {
  constructor(script, options = {}) {
    const execArgv = [...(options.execArgv ?? []), "--import", import.meta.url];
    super(script, { ...options, execArgv, env: { ...options.env, PICTURE_CLOCK: file } });
  }
};
syncBuiltinESMExports();
