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
  /** The threshold in force. */
  threshold: number | null;
  default_threshold: number | null;
}

/** Defaults of the checks. The learner chooses its threshold itself. */
export const checkDefaults: Record<CheckName, { votes: boolean; threshold: number | null }> = {
  rules: { votes: true, threshold: 0.7 },
  learner: { votes: true, threshold: null },
  picture_explicit: { votes: true, threshold: 0.7 },
  picture_suggestive: { votes: false, threshold: 0.7 },
  chat_model: { votes: false, threshold: 0.7 },
};

export function isCheckName(name: string): name is CheckName {
  return (checkNames as readonly string[]).includes(name);
}

export interface CheckSettings {
  checks: Record<CheckName, CheckSetting>;
  /** Names of the rules that are switched on. */
  rules: ReadonlySet<string>;
}
