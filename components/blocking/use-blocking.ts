import { formatCount } from "#components/format.ts";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import type { AddedBlock, BlockKind, BlockReach } from "#lib/blocking/schema.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useQuestion, type ReachQuestion } from "./use-question.tsx";

export interface BlockTarget {
  kind: BlockKind;
  /** Body of the request that adds the block. */
  body: Record<string, unknown>;
  name: string;
  /** The account's domain, if blocking it is offered as a second choice. */
  host?: string;
  /** Asks even if at most one post is affected. */
  alwaysAsks?: boolean;
  /** Set if the target is a domain. */
  domain?: string;
  onDone?: () => void;
}

/** Body that blocks a domain with its subdomains. The API stores it as a suffix. */
export function domainBody(domain: string): Record<string, unknown> {
  return { account_identifier: `@${domain}`, pattern_type: "suffix", subdomains: true };
}

/** `host` of `@user@host`. */
export function hostOf(account: string): string {
  return account.slice(account.lastIndexOf("@") + 1);
}

/** @param mayManage whether to offer the domain as a second choice */
export function authorTarget(account: string, mayManage: boolean): BlockTarget {
  return {
    kind: "user",
    body: { account_identifier: account, pattern_type: "exact" },
    name: account,
    ...(mayManage ? { host: hostOf(account) } : {}),
  };
}

export function reachLines({ held, rejected }: Pick<BlockReach, "held" | "rejected">): string[] {
  return [
    held === 0 ? "Holds no approved post." : `Approved posts that it holds: ${formatCount(held)}.`,
    ...(rejected > 0 ? [`Posts waiting for review that it rejects: ${formatCount(rejected)}.`] : []),
  ];
}

export const blockPaths: Record<BlockKind, string> = {
  user: "/reblog-controls/blocked-users",
  hashtag: "/reblog-controls/blocked-hashtags",
};

interface BlockingEvents {
  /**
   * @param result path of the new block, and the number of posts it rejected
   * @returns an undo for the toast
   */
  blocked?: (target: BlockTarget, result: { path: string; rejected: number }) => (() => void) | undefined;
  /** Called after a block was added or removed. */
  settled?: () => void;
}

/** Adds and removes blocks. Before it adds one, the server counts the affected posts. */
export function useBlocking({ blocked, settled }: BlockingEvents) {
  const { start, ask, dialog } = useQuestion();
  const apply = async (target: BlockTarget, as_of: string): Promise<void> => {
    const path = blockPaths[target.kind];
    const { id, held, rejected } = await apiFetch<AddedBlock>(withQuery(path, { as_of }), {
      method: "POST",
      body: target.body,
    });
    target.onDone?.();
    const undo = blocked?.(target, { path: `${path}/${id}`, rejected });
    const figures = [
      ...(held > 0 ? [`${formatCount(held)} held`] : []),
      ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ];
    notifyDone([`${target.name} is blocked`, ...figures].join(", "), undo && { undo });
    settled?.();
  };

  const questionAbout = async (target: BlockTarget): Promise<ReachQuestion | void> => {
    const reach = await countBlock(target);
    if (target.alwaysAsks !== true && reach.held + reach.rejected <= 1) return apply(target, reach.as_of);
    const choice = (to: BlockTarget, counted: BlockReach) => ({
      title: `Block ${to.name}?`,
      label: to.domain === undefined ? "This account" : `Everyone on ${to.domain}`,
      lines: reachLines(counted),
      run: () => start(() => apply(to, counted.as_of), report(to.name)),
    });
    const choices = [choice(target, reach)];
    const { host, ...account } = target;
    if (host !== undefined) {
      const domain = { ...account, body: domainBody(host), name: host, domain: host };
      // Not offered if the domain is blocked already.
      const counted = await countBlock(domain).catch((thrown: unknown) => {
        if (asFailure(thrown).code !== "pattern_exists") throw thrown;
      });
      if (counted) choices.push(choice(domain, counted));
    }
    return { action: "Block", choices };
  };

  return {
    dialog,
    /** Like `block`, but a failed count is thrown, so that a form can show it. */
    ask: async (target: BlockTarget) => ask((await questionAbout(target)) ?? null),
    block: (target: BlockTarget) => start(() => questionAbout(target), report(target.name)),
    /** Releases the posts that it holds. Posts that it rejected when it was added return to review. */
    unblock: (kind: BlockKind, id: number, name: string) =>
      start(async () => {
        await apiFetch(`${blockPaths[kind]}/${id}`, { method: "DELETE" });
        notifyDone(`${name} is no longer blocked`);
        settled?.();
      }, report(name)),
  };
}

function countBlock({ kind, body }: BlockTarget): Promise<BlockReach> {
  return apiFetch<BlockReach>(`${blockPaths[kind]}?dry_run=true`, { method: "POST", body });
}

const report = (name: string) => (thrown: unknown) => {
  const failure = asFailure(thrown);
  if (failure.code === "pattern_exists" || failure.code === "hashtag_blocked_already")
    notifyInfo(`${name} is already on the block list`);
  else notifyFailed("The block list was not changed", failure);
};
