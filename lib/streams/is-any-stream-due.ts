import { anyStreamDue } from "./fetch-sql.ts";

/** Whether a stream is due that nobody fetches. */
export function isAnyStreamDue(): Promise<boolean> {
  return anyStreamDue();
}
