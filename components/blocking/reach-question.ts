import * as words from "#components/words/desk.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { BlockKind } from "#lib/filters/schema.ts";

const w = words.blocking;

export interface BlockTarget {
  kind: BlockKind;
  /** Of the API, without the fields of the preview. */
  body: Record<string, unknown>;
  name: string;
  /** A waiting post that is rejected with the block: the card on the desk. */
  postId?: number;
  onDone?: () => void;
}

export type WaitingChoice = "all" | "this" | "none";

/** The question before a change, with its effects. */
export interface ReachQuestion {
  title: string;
  lines: string[];
  warnings: ActionPreview["warnings"];
  /** The figures replaced earlier ones. */
  isNew: boolean;
  waiting?: { count: number; options: WaitingChoice[]; preset: WaitingChoice };
  /** The hashtag of an own stream. */
  secondStep: boolean;
  action: string;
  run: (waiting: WaitingChoice, confirm: boolean) => Promise<void>;
}

/** Concerns at most one post. */
export function isQuiet({ counts, warnings }: ActionPreview): boolean {
  const { held = 0, waiting = 0 } = counts;
  return warnings.length === 0 && held + waiting <= 1;
}

export function blockQuestion(
  target: BlockTarget,
  reach: ActionPreview,
  isNew: boolean,
  run: ReachQuestion["run"],
): ReachQuestion {
  const { held = 0, pending = 0, waiting = 0 } = reach.counts;
  const isOwn = reach.warnings.some(({ code }) => code === "own_hashtag");
  const options: WaitingChoice[] = ["all", target.postId === undefined ? "none" : "this"];
  const preset = target.kind === "user" ? "all" : "none";
  return {
    title: w.blockTitle(target.name),
    lines: reachLines(held, pending),
    warnings: reach.warnings,
    isNew,
    ...(waiting > 0 ? { waiting: { count: waiting, options, preset } } : {}),
    secondStep: isOwn,
    action: w.block,
    run,
  };
}

export function reachLines(held: number, pending: number): string[] {
  return [held === 0 ? w.heldNone : w.held(held, pending)];
}
