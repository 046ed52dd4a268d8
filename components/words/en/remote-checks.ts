/** Remote providers in the settings of checks. */
export const remoteChecks = {
  title: "Remote providers",
  off: "Not set up. Nothing about posts is sent to other services. A provider is set in the environment, by AI_PROVIDER.",
  sent: (host: string) => `Text and up to four pictures of each new post are sent to ${host}.`,
  provider: "Provider",
  names: {
    "openai-moderation": "OpenAI moderation",
    "openai-compatible": "OpenAI-compatible model",
  } as Record<string, string>,
  checks: "Answers",
  checkNames: { remote_moderation: "Moderation", question: "Questions of streams" },
  calls: "Calls today",
  callsOf: (calls: string, limit: string) => `${calls} of ${limit}`,
  callsHint: "Days are counted in UTC.",
  state: "State",
  ready: "Ready",
  limitReached: "Daily limit reached",
  paused: "Paused until",
  lastError: "Last error",
  noError: "None",
  waiting: (count: string) => `Posts waiting: ${count}`,
  failed: "The providers could not be loaded",
} as const;
