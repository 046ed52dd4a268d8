export const checkNames = [
  "rules",
  "learner",
  "picture_explicit",
  "picture_suggestive",
  "remote_moderation",
  "question",
] as const;
export type CheckName = (typeof checkNames)[number];

/**
 * Without a stored setting. A null threshold: `learner` takes the one of its model, `picture_explicit` one of
 * `explicitThresholds`.
 */
export const checkDefaults: Record<CheckName, { votes: boolean; threshold: number | null }> = {
  rules: { votes: true, threshold: 0.7 },
  learner: { votes: true, threshold: null },
  picture_explicit: { votes: true, threshold: null },
  picture_suggestive: { votes: false, threshold: 0.7 },
  remote_moderation: { votes: false, threshold: 0.7 },
  // Each stream says whether its question votes.
  question: { votes: false, threshold: 0.5 },
};

/** One model alone gives more false alarms than the mean of two. */
export const explicitThresholds = { withSecond: 0.6, alone: 0.7 };

export function isCheckName(name: string): name is CheckName {
  return (checkNames as readonly string[]).includes(name);
}

export interface CheckSetting {
  enabled: boolean;
  votes: boolean;
  threshold: number | null;
  /** The check stopped voting because reviewers overruled it. */
  stopped_at: Date | null;
  stopped_why: string | null;
  /** Reviewers see its results. Those of a check that votes are always shown. */
  shown: boolean;
}

export interface CheckSettings {
  checks: Record<CheckName, CheckSetting>;
  rules: ReadonlyMap<string, { weight: number; enabled: boolean }>;
}
