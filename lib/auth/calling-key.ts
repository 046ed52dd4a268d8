import { AsyncLocalStorage } from "node:async_hooks";

/* The key of a request, for its line in the log: queue operations learn it in their own database call. */

const requests = new AsyncLocalStorage<{ keyId: number | null }>();

/** @param isNoted false: without the cost of a storage, and `keyId` is null */
export async function noteCaller(
  isNoted: boolean,
  answer: () => Promise<Response>,
): Promise<{ response: Response; keyId: number | null }> {
  if (!isNoted) return { response: await answer(), keyId: null };
  const caller = { keyId: null };
  const response = await requests.run(caller, answer);
  return { response, ...caller };
}

export function noteCallingKey(keyId: number): void {
  const caller = requests.getStore();
  if (caller !== undefined) caller.keyId = keyId;
}
