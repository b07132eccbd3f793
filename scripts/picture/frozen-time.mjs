// Loaded into the program with NODE_OPTIONS=--import: its clock shows the time in the file PICTURE_CLOCK,
// epoch milliseconds as a double, so that each picture shows the same times whenever it is taken. Timers
// run as usual.
import { closeSync, openSync, readSync } from "node:fs";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const file = process.env.PICTURE_CLOCK;
const RealDate = Date;
const value = new Float64Array(1);
const bytes = new Uint8Array(value.buffer);

function now() {
  const descriptor = openSync(file, "r");
  readSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
  return value[0];
}

const started = now();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};

// Waits and ages are counted in running time, which stands still with the clock.
performance.now = () => now() - started;

// The sandbox's responses carry the same time: the console counts ages to the service's clock.
const { writeHead } = http.ServerResponse.prototype;
http.ServerResponse.prototype.writeHead = function (...head) {
  this.setHeader("Date", new Date().toUTCString());
  return writeHead.apply(this, head);
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
