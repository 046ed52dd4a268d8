import { makeMember } from "./factories.ts";
import { sender } from "./operations.ts";
import { sessionHeaders } from "./request.ts";

export type Caller = Awaited<ReturnType<typeof makeCaller>>;

/** An administrator at a screen. */
export async function makeCaller() {
  const member = await makeMember("admin");
  return { member, send: sender({ headers: await sessionHeaders(member) }) };
}
