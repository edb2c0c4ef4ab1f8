/** What the server refuses, and connections that cannot go on. */

/** @import {Error as ErrorMessage, RequestInfo} from "./protocol.gen.js" */

/** A request that was not carried out. Nothing was changed by it. */
export class HanpanError extends Error {
  /** @param {Partial<ErrorMessage> & {code: string, message: string}} answer */
  constructor(answer) {
    super(answer.message);
    this.name = "HanpanError";
    /** A stable code; the message is in the connection's language. */
    this.code = answer.code;
    /** Whether the same request may succeed later without anything else being done. */
    this.retry = answer.retry ?? false;
    /** The field that breaks the form, if known. */
    this.field = answer.field ?? null;
    /** Milliseconds to wait after `rate_limited`. */
    this.afterMs = answer.after_ms ?? null;
    /** The requests that stand, where the error names them. @type {RequestInfo[] | null} */
    this.requests = answer.requests ?? null;
  }
}
