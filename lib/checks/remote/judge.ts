import type { Categorised } from "#lib/checks/pictures/judge.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import {
  isDecisive,
  isOver,
  percent,
  roundScore,
  type Check,
  type Opinion,
} from "#lib/checks/results/opinion.ts";
import type { RawChecks, RawRemote } from "#lib/checks/results/raw-checks.ts";
import { labels } from "./ask-chat-model.ts";

/** The opinion of the chat model. */
export function judgeRemote(
  { remote, picture_state }: Pick<RawChecks, "remote" | "picture_state">,
  { checks: { chat_model } }: CheckSettings,
): Opinion & { categories: Categorised[] } {
  if (remote === null || !chat_model.enabled) return { checks: [], reasons: [], failed: [], categories: [] };
  const { threshold, votes } = chat_model;
  const [name, highest = 0] = Object.entries(remote.labels).sort(([, a], [, b]) => b - a)[0] ?? [];
  const score = remote.error === null && name !== undefined ? roundScore(highest) : null;
  const reason = reasonOf(remote, name, score);
  const check: Check = {
    name: "chat_model",
    kind: "remote",
    version: remote.model,
    score,
    threshold,
    votes,
    reason,
  };
  // Labels do not say whether they are about the text or a picture.
  const categories = votes && picture_state !== "none" ? labels : [];
  return {
    checks: [check],
    reasons:
      reason !== null && isOver(check)
        ? [{ text: reason, strength: score ?? 0, decisive: isDecisive(check) }]
        : [],
    failed: remote.error === null ? [] : ["the chat model"],
    categories: categories.flatMap((category) => {
      const confidence = remote.labels[category] ?? 0;
      return isOver({ score: confidence, threshold }) ? [{ category, confidence }] : [];
    }),
  };
}

function reasonOf(
  { error, reason }: RawRemote,
  label: string | undefined,
  score: number | null,
): string | null {
  if (error !== null) return error;
  if (reason !== null && reason !== "") return `Chat model: ${reason}`;
  return label === undefined || score === null ? null : `Chat model: ${label}, ${percent(score)}.`;
}
