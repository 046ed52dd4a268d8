import { formatCount } from "#components/format.ts";
import type { BlockKind, BlockReach } from "#lib/blocking/schema.ts";

export interface BlockTarget {
  kind: BlockKind;
  /** Body of the API's request, without the reason. */
  body: Record<string, unknown>;
  name: string;
  /** Of an account: its domain is offered as a second choice. */
  host?: string;
  /** Asks even when at most one post is concerned, with this choice made first. */
  scope?: "account" | "domain";
  /** Of a block of a domain. */
  domain?: string;
  onDone?: () => void;
}

export interface BlockChoice {
  target: BlockTarget;
  reach: BlockReach;
}

interface BlockQuestion {
  /** An account and its domain, or one. */
  choices: readonly BlockChoice[];
  /** Index of the choice that is made first. */
  preset: number;
  /** @param reason id of the reason of the rejected posts */
  run: (choice: BlockChoice, reason: number | null) => Promise<void>;
}

export interface PlainQuestion {
  title: string;
  lines: string[];
  action: string;
  run: () => Promise<void>;
}

/** Asked before a change. The texts of a block are made by the dialog, so that the desk loads them with it. */
export type ReachQuestion = BlockQuestion | PlainQuestion;

/** The API's form of a domain with its subdomains is a suffix. */
export function domainBody(domain: string): Record<string, unknown> {
  return { account_identifier: `@${domain}`, pattern_type: "suffix", subdomains: true };
}

export function domainTarget({ host, ...account }: BlockTarget): BlockTarget | null {
  return host === undefined ? null : { ...account, body: domainBody(host), name: host, domain: host };
}

export function reachLines({ held, rejected }: Pick<BlockReach, "held" | "rejected">): string[] {
  return [
    held === 0 ? "Holds no approved post." : `Approved posts that it holds: ${formatCount(held)}.`,
    ...(rejected > 0 ? [`Posts waiting for review that it rejects: ${formatCount(rejected)}.`] : []),
  ];
}

/** Null without streams that read the hashtag. */
export function ownStreamsWarning(streams: readonly string[]): string | null {
  if (streams.length === 0) return null;
  const more = streams.length > 3 ? ` and ${streams.length - 3} more` : "";
  return `You collect this hashtag yourself: ${streams.slice(0, 3).join(", ")}${more}.`;
}
