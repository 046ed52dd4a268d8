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
import { labels as allLabels } from "./ask-chat-model.ts";

/** The opinion of the chat model. */
export function judgeRemote(
  raw: Pick<RawChecks, "remote" | "picture_state">,
  { checks: { chat_model: setting } }: CheckSettings,
): Opinion & { categories: Categorised[] } {
  const { remote } = raw;
  if (remote === null || !setting.enabled) return { checks: [], reasons: [], failed: [], categories: [] };
  const { threshold, votes } = setting;
  const scores = Object.values(remote.labels);
  const score = remote.error === null && scores.length > 0 ? roundScore(Math.max(...scores)) : null;
  const check: Check = {
    name: "chat_model",
    kind: "remote",
    version: remote.model,
    score,
    threshold,
    votes,
    reason: reasonOf(remote, score),
  };
  const text = check.reason;
  return {
    checks: [check],
    reasons:
      text !== null && isOver(check) ? [{ text, strength: score ?? 0, decisive: isDecisive(check) }] : [],
    failed: remote.error === null ? [] : ["the chat model"],
    // Labels do not say whether they are about the text or a picture.
    categories: votes && raw.picture_state !== "none" ? categoriesOf(remote, threshold) : [],
  };
}

function reasonOf({ error, reason, labels }: RawRemote, score: number | null): string | null {
  if (error !== null) return error;
  if (reason !== null && reason !== "") return `Chat model: ${reason}`;
  const label = Object.keys(labels).find((name) => roundScore(labels[name] ?? 0) === score);
  return label === undefined || score === null ? null : `Chat model: ${label}, ${percent(score)}.`;
}

function categoriesOf({ labels }: RawRemote, threshold: number | null): Categorised[] {
  return allLabels.flatMap((category) => {
    const confidence = labels[category] ?? 0;
    return isOver({ score: confidence, threshold }) ? [{ category, confidence }] : [];
  });
}
