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
 * Without a stored setting. `learner` takes the threshold of its model.
 */
export const checkDefaults: Record<CheckName, { votes: boolean; threshold: number | null }> = {
  rules: { votes: true, threshold: 0.7 },
  learner: { votes: true, threshold: null },
  picture_explicit: { votes: true, threshold: 0.7 },
  picture_suggestive: { votes: false, threshold: 0.7 },
  remote_moderation: { votes: false, threshold: 0.7 },
  // Each stream says whether its question votes.
  question: { votes: false, threshold: 0.5 },
};

export function isCheckName(name: string): name is CheckName {
  return (checkNames as readonly string[]).includes(name);
}

export interface CheckSetting {
  enabled: boolean;
  votes: boolean;
  threshold: number | null;
  /** Reviewers see its results. Those of a check that votes are always shown. */
  shown: boolean;
}

export interface CheckSettings {
  checks: Record<CheckName, CheckSetting>;
  rules: ReadonlyMap<string, { weight: number; enabled: boolean }>;
}
