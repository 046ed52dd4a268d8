/** The administrator that exists when the journeys begin. */
export const ADMIN = { email: "admin@journeys.example", password: "correct horse battery staple" } as const;

/** What the posts of the simulated server are about. */
export const HASHTAGS = ["cats", "photography"] as const;
