import { words } from "#components/words/en.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { BlockKind } from "#lib/filters/schema.ts";

const w = words.blockQuestions;

export interface BlockTarget {
  kind: BlockKind;
  /** Body of the API's request, without the fields of the preview. */
  body: Record<string, unknown>;
  name: string;
  /** A waiting post that is rejected with the block: the card on the desk. */
  postId?: number;
  /** Of an account: its domain is offered as a second choice. */
  host?: string;
  /** Asks even when at most one post is concerned, with this choice made first. */
  scope?: "account" | "domain";
  /** Of a block of a domain. */
  domain?: string;
  onDone?: () => void;
}

export type WaitingChoice = "all" | "this" | "none";

export interface BlockChoice {
  target: BlockTarget;
  reach: ActionPreview;
}

interface BlockQuestion {
  /** An account and its domain, or one. */
  choices: readonly BlockChoice[];
  /** Index of the choice that is made first. */
  preset: number;
  /** The figures replaced earlier ones. */
  isNew: boolean;
  run: (choice: BlockChoice, waiting: WaitingChoice, confirm: boolean) => Promise<void>;
}

export interface PlainQuestion {
  title: string;
  lines: string[];
  warnings: ActionPreview["warnings"];
  action: string;
  run: () => Promise<void>;
}

/** Asked before a change. The texts of a block are made by the dialog, so that the desk loads them with it. */
export type ReachQuestion = BlockQuestion | PlainQuestion;

interface QuestionTexts extends Omit<PlainQuestion, "run"> {
  isNew: boolean;
  waiting?: { count: number; options: WaitingChoice[]; preset: WaitingChoice };
  /** The hashtag of an own stream. */
  secondStep: boolean;
}

/** The API's form of a domain with its subdomains is a suffix. */
export function domainBody(domain: string): Record<string, unknown> {
  return { account_identifier: `@${domain}`, pattern_type: "suffix", subdomains: true };
}

export function domainTarget({ host, ...account }: BlockTarget): BlockTarget | null {
  return host === undefined ? null : { ...account, body: domainBody(host), name: host, domain: host };
}

export function questionTexts(question: PlainQuestion): QuestionTexts;
export function questionTexts(question: BlockChoice, isNew: boolean): QuestionTexts;
export function questionTexts(question: PlainQuestion | BlockChoice, isNew = false): QuestionTexts {
  if (!("target" in question)) return { ...question, isNew: false, secondStep: false };
  const { target, reach } = question;
  const { held = 0, pending = 0, waiting = 0 } = reach.counts;
  // The card itself, when no other post waits.
  const options: WaitingChoice[] =
    target.postId === undefined ? ["all", "none"] : waiting === 1 ? ["this"] : ["all", "this"];
  const preset = options.length === 1 ? "this" : target.kind === "user" ? "all" : "none";
  return {
    title: w.blockTitle(target.name),
    lines: reachLines(held, pending),
    warnings: reach.warnings,
    isNew,
    ...(waiting > 0 ? { waiting: { count: waiting, options, preset } } : {}),
    secondStep: reach.warnings.some(({ code }) => code === "own_hashtag"),
    action: w.block,
  };
}

export function reachLines(held: number, pending: number): string[] {
  return [held === 0 ? w.heldNone : w.held(held, pending)];
}
