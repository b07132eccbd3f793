import { Readable, Writable } from "node:stream";

/** The output side of a terminal in this process. */
export class TerminalOutput extends Writable {
  readonly isTTY = true;
  columns: number;
  rows: number;

  constructor(cols: number, rows: number, feed: (chunk: string) => void) {
    super({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        // A terminal turns line ends into carriage return and line feed on their way out.
        feed(String(chunk).replace(/\r?\n/g, "\r\n"));
        done();
      },
    });
    this.columns = cols;
    this.rows = rows;
  }

  setSize(cols: number, rows: number): void {
    this.columns = cols;
    this.rows = rows;
    this.emit("resize");
  }
}

/** The input side of a terminal in this process: unread bytes wait, as in the kernel. */
export class TerminalInput extends Readable {
  readonly isTTY = true;
  isRaw = false;

  constructor() {
    super({ read() {} });
  }

  setRawMode(mode: boolean): this {
    this.isRaw = mode;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Delivers keys in a later turn of the event loop, as a line does: after the frame has settled. */
  type(bytes: string): void {
    setTimeout(() => this.push(Buffer.from(bytes)), 1);
  }

  hangUp(): void {
    this.push(null);
  }
}
