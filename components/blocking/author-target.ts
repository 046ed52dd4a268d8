import type { BlockTarget } from "./reach-question.ts";

/**
 * A block of the author, for `useBlocking`.
 *
 * @param mayManage offers the domain as a second choice
 */
export function authorTarget(account: string, mayManage: boolean): BlockTarget {
  return {
    kind: "user",
    body: { account_identifier: account, pattern_type: "exact" },
    name: account,
    ...(mayManage ? { host: hostOf(account) } : {}),
  };
}

/** `host` of `@user@host`. */
export function hostOf(account: string): string {
  return account.slice(account.lastIndexOf("@") + 1);
}
