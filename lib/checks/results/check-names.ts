export const checkNames = [
  "rules",
  "learner",
  "picture_explicit",
  "picture_suggestive",
  "chat_model",
] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckSetting {
  enabled: boolean;
  votes: boolean;
  threshold: number | null;
}

/** Without a stored setting. The learner takes the threshold of its model. */
export const checkDefaults: Record<CheckName, CheckSetting> = {
  rules: { enabled: true, votes: true, threshold: 0.7 },
  learner: { enabled: true, votes: true, threshold: null },
  picture_explicit: { enabled: true, votes: true, threshold: 0.7 },
  picture_suggestive: { enabled: true, votes: false, threshold: 0.7 },
  chat_model: { enabled: true, votes: false, threshold: 0.7 },
};

export function isCheckName(name: string): name is CheckName {
  return (checkNames as readonly string[]).includes(name);
}

export interface CheckSettings {
  checks: Record<CheckName, CheckSetting>;
  /** Names of the rules that are on. */
  rules: ReadonlySet<string>;
}
