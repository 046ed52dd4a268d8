import type { CheckName, CheckSetting } from "#lib/checks/results/check-names.ts";

export interface CheckState extends CheckSetting {
  name: CheckName;
  /** Why the check cannot run on this installation; null when it can. */
  missing: string | null;
  /** Stored posts among the newest 20,000 decisions that were at or above the threshold: `GET /posts?warned_by=`. */
  warned: number;
  /** Those of them that were rejected. */
  rejected: number;
  /** Decisions that the learner needs before it votes; null when it has enough. */
  needs: { approvals: number; rejections: number } | null;
}

export interface TextRule {
  name: string;
  describes: string;
  /** 0 to 1; hits combine to 1 − Π(1 − weight). */
  weight: number;
  enabled: boolean;
}

export interface ChatModelState {
  /** Receives text and pictures of new posts. */
  host: string;
  model: string;
  /** Since midnight UTC. */
  calls_today: number;
  daily_limit: number;
  /** Posts that are still to be asked about. */
  waiting: number;
  /** After five failures in a row, or on its request. */
  paused_until: string | null;
  last_error: string | null;
  failed_at: string | null;
}

export interface ChecksSettings {
  checks: CheckState[];
  rules: TextRule[];
  /** Decided posts that `warned` counts are taken from. */
  decisions: number;
  /** Null without one. */
  chat_model: ChatModelState | null;
  /** Stored posts are being judged again, after a change of a setting. */
  judging: boolean;
}
