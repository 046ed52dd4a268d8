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
  onDone?: () => void;
}

export type WaitingChoice = "all" | "this" | "none";

interface BlockQuestion {
  target: BlockTarget;
  reach: ActionPreview;
  /** The figures replaced earlier ones. */
  isNew: boolean;
  run: (waiting: WaitingChoice, confirm: boolean) => Promise<void>;
}

interface PlainQuestion {
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

export function questionTexts(question: ReachQuestion): QuestionTexts {
  if (!("target" in question)) return { ...question, isNew: false, secondStep: false };
  const { target, reach, isNew } = question;
  const { held = 0, pending = 0, waiting = 0 } = reach.counts;
  const options: WaitingChoice[] = ["all", target.postId === undefined ? "none" : "this"];
  const preset = target.kind === "user" ? "all" : "none";
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
